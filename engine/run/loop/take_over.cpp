#include "engine/run/loop/take_over.h"

#include <algorithm>

#include "engine/base/find.h"

namespace stagelane::run {
namespace {

bool hasResults(const plan::Experiment& experiment, const record::VariantResult& before) {
  return before.status == record::RunStatus::Done && before.stepNs > 0 &&
         static_cast<std::int64_t>(before.seconds.size()) >= experiment.repeat;
}

}  // namespace

void takeOver(const plan::Experiment& experiment, const record::RunResult& before,
              std::vector<VariantRun>& runs) {
  for (VariantRun& run : runs) {
    const auto* known = findBy(before.variants, &record::VariantResult::id, run.result.id);
    if (!run.active() || known == nullptr) continue;
    if (hasResults(experiment, *known)) {
      run.result = *known;
      continue;
    }
    const auto most = static_cast<std::ptrdiff_t>(
        std::min<std::size_t>(known->seconds.size(), static_cast<std::size_t>(experiment.repeat)));
    run.secondsBefore.assign(known->seconds.begin(), known->seconds.begin() + most);
    run.result.seconds = run.secondsBefore;
    record::fillStatistics(run.result);
  }
}

}  // namespace stagelane::run
