// The plain form of a pipeline's timeline: an answer, or an error with its place.

#include "profiler/analysis/idle.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto timeline =
      stagelane::parseJson(std::string(stagelane::fuzz::view(data, size)), "fuzz");
  if (!timeline) return 0;
  const auto answer = stagelane::analysis::analyzePipelineForm(*timeline);
  if (!answer && answer.error().message.empty()) std::abort();
  return 0;
}
