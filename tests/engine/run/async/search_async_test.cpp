// The order that `auto` finds is exact on devices that work after their calls return.

#include <gmock/gmock.h>

#include "engine/search/resolve.h"
#include "tests/engine/run/async/async_bench.h"
#include "tests/engine/run/schedule_grid.h"

namespace stagelane::run {
namespace {

using namespace test;

TEST(AsyncSearch, AutoIsExactOnEveryPair) {
  async_device::setDelays(200, 1);
  const GridSchedule found{"auto", 1, StageLayout::OnePerDevice};
  for (const DevicePair& pair : kPairs) {
    const std::string json = onDevices(gridExperiment(mlpModel(), found, 2, Tail::Uneven), pair);
    Bench bench(valueOf(search::resolve(experimentOf(json), nullptr)));
    expectOrdered(bench, "v", pair.first + " and " + pair.second);
  }
  async_device::reset();
}

}  // namespace
}  // namespace stagelane::run
