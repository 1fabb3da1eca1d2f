#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

TEST(Schedules, OfTwoStagesADeviceAreExact) {
  for (const auto& [name, layout] :
       std::vector<std::pair<std::string, Layout>>{{"interleaved-1f1b", Layout::Loop},
                                                   {"looped-bfs", Layout::Loop},
                                                   {"interleaved-zero-bubble", Layout::Loop},
                                                   {"zbv", Layout::V},
                                                   {"dualpipev", Layout::V}}) {
    SCOPED_TRACE(name);
    for (const GridModel& model : {mlpModel(), resnetModel()}) {
      SCOPED_TRACE(model.name);
      Bench bench(gridExperiment(model, publishedSchedule(name, 2, 4, 2, layout), 2, 11, 3));
      expectExact(bench);
    }
  }
}

TEST(Schedules, OfTwoStagesADeviceAreExactWhenRecomputing) {
  for (const plan::Recompute mode : {plan::Recompute::Always, plan::Recompute::ExceptLast}) {
    for (const GridModel& model : {mlpModel(), resnetModel()}) {
      SCOPED_TRACE(model.name);
      Bench bench(gridExperiment(model, publishedSchedule("zbv", 2, 4, 2, Layout::V), 2, 11, 3));
      const_cast<plan::Variant*>(bench.variant("v").variant)->recompute = mode;
      expectExact(bench);
    }
  }
}

}  // namespace
}  // namespace stagelane::run
