#include "engine/run/measure/variant_run.h"

#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

using namespace test;

plan::Experiment automatic() {
  return experimentOf(toy("16", R"("variants":[{"name":"auto","strategy":"pipeline",
      "schedule":"auto","split_size":2,)" +
                                    kToyStages + "}]"));
}

TEST(PrepareVariants, RunTheOrderThatTheyAreHanded) {
  plan::Experiment experiment = automatic();
  WorkerPool pool(experiment);
  experiment.variants.front().order = "gpipe";
  const auto one = valueOf(prepareVariants(experiment, pool)).front().lowered;
  experiment.variants.front().order = "1f1b";
  const auto other = valueOf(prepareVariants(experiment, pool)).front().lowered;
  EXPECT_NE(one.source.actions, other.source.actions);
}

TEST(PrepareVariants, NeverSearchForAnOpenOrder) {
  const plan::Experiment experiment = automatic();
  WorkerPool pool(experiment);
  const auto prepared = prepareVariants(experiment, pool);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::Invalid);
}

}  // namespace
}  // namespace stagelane::run
