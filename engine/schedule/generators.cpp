#include "engine/schedule/generators.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/schedule/fill.h"

namespace stagelane::schedule {
namespace {

using detail::invalid;

/// The method of a name, if it has a generator.
Result<const Method*> generatorNamed(std::string_view name) {
  const Method* method = methodNamed(name);
  if (method != nullptr && method->fill != nullptr) return method;
  if (method != nullptr) {
    return invalid(
        "the schedule \"" + std::string(name) + "\" is found by a search over costs, not generated",
        "Use search::synthesize");
  }
  const std::vector<std::string>& known = allScheduleNames();
  const std::string similar = nearest(name, known);
  return invalid(
      "unknown schedule \"" + std::string(name) + "\"",
      similar.empty() ? "Use one of: " + joined(known) : "Did you mean \"" + similar + "\"?");
}

/// The rows must be numbered by first use, so that row r is the r-th device.
bool numberedByFirstUse(const StageRows& rows) {
  int next = 0;
  for (const int row : rows.rowOfStage()) {
    if (row < 0 || row > next) return false;
    if (row == next) ++next;
  }
  return true;
}

/// "2 stages on 1 device".
std::string stagesOnDevices(const Schedule& schedule) {
  return std::to_string(schedule.stages) + " stages on " + std::to_string(schedule.devices) +
         (schedule.devices == 1 ? " device" : " devices");
}

/// Checks that the stages follow the schedule's layout.
Status checkLayout(const Schedule& schedule) {
  const StageLayout layout = layoutOf(schedule.name).layout;
  if (layout == StageLayout::Free) return {};
  const int p = schedule.devices;
  const int chunks = std::max(1, schedule.stages / p);
  if (layout == StageLayout::OnePerDevice && schedule.stages != p) {
    return invalid(schedule.name + " places one stage on each device, but there are " +
                       stagesOnDevices(schedule),
                   "Give each device one run of consecutive blocks");
  }
  if (layout == StageLayout::V && schedule.stages != 2 * p) {
    return invalid(schedule.name + " places two stages on each device, but there are " +
                       stagesOnDevices(schedule),
                   "Cut the model into " + std::to_string(2 * p) + " stages");
  }
  if (schedule.stages == chunks * p && schedule.rows == rowsOfStages(layout, p, chunks)) return {};
  if (layout == StageLayout::V) {
    return invalid(schedule.name + " places the stages in a V: the first " + std::to_string(p) +
                       " on the devices in order, the others on the same devices in reverse",
                   "Change the devices of the stages");
  }
  return invalid(schedule.name + " places the stages in a loop: stage s on device s mod " +
                     std::to_string(p) + ", the same number on each device; there are " +
                     stagesOnDevices(schedule),
                 "Change the number of stages or their devices");
}

Schedule withoutActions(std::string_view name, const StageRows& rows, int microBatches) {
  Schedule schedule;
  schedule.name = std::string(name);
  schedule.stages = rows.stages();
  schedule.devices = rows.rows();
  schedule.microBatches = microBatches;
  schedule.rows = rows;
  return schedule;
}

}  // namespace

Status suits(std::string_view name, const StageRows& rows, int microBatches) {
  STAGELANE_TRY(generator, generatorNamed(name));
  STAGELANE_CHECK(requireSingle(rows));
  if (rows.stages() == 0 || !numberedByFirstUse(rows)) {
    return invalid("the rows of the stages must be numbered in the order of their first use");
  }
  if (microBatches < 1) {
    return invalid("a step needs at least one micro-batch, not " + std::to_string(microBatches));
  }
  // At most F, I and W of each stage and micro-batch.
  if (3 * static_cast<std::int64_t>(rows.stages()) * microBatches > kMostActions) {
    return invalid("the schedule would have more than 20000000 actions",
                   "Use fewer micro-batches or devices");
  }
  const Schedule empty = withoutActions(name, rows, microBatches);
  if ((*generator)->check != nullptr) STAGELANE_CHECK((*generator)->check(empty));
  return checkLayout(empty);
}

Result<Schedule> generateForStages(std::string_view name, const StageRows& rows, int microBatches) {
  STAGELANE_CHECK(suits(name, rows, microBatches));
  const Method& method = **generatorNamed(name);
  Schedule schedule = withoutActions(name, rows, microBatches);
  schedule.lossMode = method.lossMode;
  schedule.actions.resize(static_cast<std::size_t>(schedule.devices));
  method.fill(schedule);
  return schedule;
}

Result<Schedule> generate(std::string_view name, const Sizes& sizes) {
  STAGELANE_CHECK(generatorNamed(name));
  if (sizes.devices < 1 || sizes.devices > kMostDevices) {
    return invalid("the number of devices must be from 1 to " + std::to_string(kMostDevices) +
                   ", not " + std::to_string(sizes.devices));
  }
  const ScheduleLayout wanted = layoutOf(name);
  const int chunks = sizes.chunks.value_or(wanted.chunks);
  STAGELANE_CHECK(checkChunks(name, chunks));
  return generateForStages(name, rowsOfStages(wanted.layout, sizes.devices, chunks),
                           sizes.microBatches);
}

}  // namespace stagelane::schedule
