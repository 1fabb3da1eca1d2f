// The whole grid: every schedule, on models with and without batch statistics, with even and uneven
// tails, on 2, 3 and 4 CPU workers.

#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

using GridPoint = std::tuple<GridModel, int, Tail>;

class ScheduleGrid : public testing::TestWithParam<GridPoint> {};

TEST_P(ScheduleGrid, IsExactForEverySchedule) {
  const auto& [model, devices, tail] = GetParam();
  int played = 0;
  for (const GridSchedule& schedule : everySchedule()) {
    if (static_cast<std::size_t>(devices * schedule.chunks) <= blockCount(model)) {
      SCOPED_TRACE(schedule.name);
      expectExactOn(model, schedule, devices, tail);
      ++played;
    }
  }
  std::cout << played << " schedules" << std::endl;
}

std::string nameOf(const testing::TestParamInfo<GridPoint>& info) {
  return std::get<0>(info.param).name + "On" + std::to_string(std::get<1>(info.param)) +
         (std::get<2>(info.param) == Tail::Even ? "Even" : "Uneven");
}

INSTANTIATE_TEST_SUITE_P(Long, ScheduleGrid,
                         testing::Combine(testing::ValuesIn(everyModel()), testing::Values(2, 3, 4),
                                          testing::Values(Tail::Even, Tail::Uneven)),
                         nameOf);

}  // namespace
}  // namespace stagelane::run
