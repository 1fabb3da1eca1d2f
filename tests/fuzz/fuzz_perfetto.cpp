#include "profiler/formats/perfetto.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = stagelane::formats::parsePerfetto(stagelane::fuzz::view(data, size), "fuzz",
                                                      stagelane::fuzz::keepFor(size));
  stagelane::fuzz::check(read);
  if (read) stagelane::fuzz::checkDetails(*read);
  return 0;
}
