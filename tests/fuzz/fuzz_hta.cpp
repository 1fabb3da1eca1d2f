// Kineto JSON as HTA reads it: an answer for any bytes.

#include "profiler/analysis/hta.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using stagelane::analysis::LastProfilerStep;
  const auto lastStep = size % 2 == 0 ? LastProfilerStep::Dropped : LastProfilerStep::Included;
  const stagelane::Json answer =
      stagelane::analysis::analyzeHta(std::string(stagelane::fuzz::view(data, size)), lastStep);
  if (answer.empty() || answer.dump().empty()) std::abort();
  return 0;
}
