#include "profiler/formats/perfetto.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stagelane::fuzz::check(
      stagelane::formats::parsePerfetto(stagelane::fuzz::view(data, size), "fuzz"));
  return 0;
}
