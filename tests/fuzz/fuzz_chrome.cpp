// Chrome JSON, and the output of the writers for the trace that was read.

#include "profiler/formats/chrome.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = stagelane::formats::parseChrome(stagelane::fuzz::view(data, size), "fuzz",
                                                    stagelane::fuzz::keepFor(size));
  stagelane::fuzz::check(read);
  if (read) {
    stagelane::fuzz::checkDetails(*read);
    static_cast<void>(stagelane::formats::toCsv(*read->trace));
  }
  return 0;
}
