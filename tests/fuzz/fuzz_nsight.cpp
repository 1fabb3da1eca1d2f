#include "profiler/formats/nsight.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stagelane::fuzz::check(
      stagelane::formats::parseNsight(stagelane::fuzz::view(data, size), "fuzz"));
  return 0;
}
