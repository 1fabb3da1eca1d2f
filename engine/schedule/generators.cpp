#include "engine/schedule/generators.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/plan/schedule_names.h"
#include "engine/schedule/fill.h"

namespace stagelane::schedule {
namespace {

struct Generator {
  std::string_view name;
  void (*fill)(Schedule&);
  Status (*check)(const Schedule&);  ///< rules beyond the layout of the stages
  LossMode lossMode = LossMode::PerMicroBatch;
};

tl::unexpected<Error> invalid(std::string message, std::string hint = {}) {
  return fail(ErrorCode::Invalid, std::move(message), {}, std::move(hint));
}

Status anySizes(const Schedule&) { return {}; }

Status oneDevice(const Schedule& schedule) {
  if (schedule.devices == 1) return {};
  return invalid(
      schedule.name + " runs on one device, and there are " + std::to_string(schedule.devices),
      "Use model_parallel, gpipe or 1f1b for several devices");
}

Status oneMicroBatch(const Schedule& schedule) {
  if (schedule.microBatches == 1) return {};
  return invalid(schedule.name + " has one micro-batch, and there are " +
                     std::to_string(schedule.microBatches),
                 "Use tutorial, gpipe or 1f1b for several micro-batches");
}

/// Micro-batches pass the chunks in groups of p (arXiv:2104.04473, section 2.2.2).
Status groupsOfDevices(const Schedule& schedule) {
  const int p = schedule.devices;
  const int m = schedule.microBatches;
  if (schedule.stages == p || m % p == 0) return {};
  const int below = m / p * p;
  return invalid(schedule.name + " needs a number of micro-batches that is a multiple of the " +
                     std::to_string(p) + " devices, and there are " + std::to_string(m),
                 "Use " + (below > 0 ? std::to_string(below) + " or " : "") +
                     std::to_string(below + p) + " micro-batches, or looped-bfs, which takes any " +
                     "number");
}

/// Both legs of the V are filled before a backward begins (arXiv:2412.19437, figure 5).
Status twoForEachDevice(const Schedule& schedule) {
  const int least = 2 * schedule.devices;
  if (schedule.microBatches >= least) return {};
  return invalid(schedule.name + " needs at least two micro-batches for each device, " +
                     std::to_string(least) + ", and there are " +
                     std::to_string(schedule.microBatches),
                 "Use more micro-batches, or zbv, which takes any number");
}

constexpr Generator kGenerators[]{
    {"single", detail::fillSequential, oneDevice},
    {"model_parallel", detail::fillSequential, oneMicroBatch},
    {"tutorial", detail::fillForwardsThenBackwards, anySizes, LossMode::WholeBatch},
    {"gpipe", detail::fillForwardsThenBackwards, anySizes},
    {"1f1b", detail::fillOneForwardOneBackward, anySizes},
    {"interleaved-1f1b", detail::fillInterleaved, groupsOfDevices},
    {"looped-bfs", detail::fillForwardsThenBackwards, anySizes},
    {"zb-h1", detail::fillZeroBubbleH1, anySizes},
    {"zb-h2", detail::fillZeroBubbleH2, anySizes},
    {"interleaved-zero-bubble", detail::fillZeroBubbleH1, groupsOfDevices},
    {"zbv", detail::fillZeroBubbleV, anySizes},
    {"v-half", detail::fillVHalf, anySizes},
    {"v-min", detail::fillVMin, anySizes},
    {"dualpipev", detail::fillDualPipeV, twoForEachDevice},
};

Result<const Generator*> generatorNamed(std::string_view name) {
  for (const Generator& generator : kGenerators) {
    if (generator.name == name) return &generator;
  }
  if (name == plan::kAutoSchedule) {
    return invalid("the schedule \"auto\" is searched for with costs, not generated",
                   "Use search::synthesize");
  }
  const std::vector<std::string>& known = plan::availableScheduleNames();
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  const std::string similar = nearest(name, known);
  return invalid("there is no schedule \"" + std::string(name) + "\"",
                 similar.empty() ? "Use one of: " + list : "Did you mean \"" + similar + "\"?");
}

/// The rows must be numbered by first use, so that row r is the r-th device.
bool numberedByFirstUse(const std::vector<int>& deviceOfStage) {
  int next = 0;
  for (const int row : deviceOfStage) {
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

/// The rule of a layout that the stages break.
Status checkLayout(const Schedule& schedule) {
  const plan::StageLayout layout = plan::layoutOf(schedule.name).layout;
  if (layout == plan::StageLayout::Free) return {};
  const int p = schedule.devices;
  const int chunks = std::max(1, schedule.stages / p);
  if (layout == plan::StageLayout::OnePerDevice && schedule.stages != p) {
    return invalid(schedule.name + " places one stage on each device, and here are " +
                       stagesOnDevices(schedule),
                   "Give each device one run of consecutive blocks");
  }
  if (layout == plan::StageLayout::V && schedule.stages != 2 * p) {
    return invalid(schedule.name + " places two stages on each device, and here are " +
                       stagesOnDevices(schedule),
                   "Cut the model into " + std::to_string(2 * p) + " stages");
  }
  if (schedule.stages == chunks * p &&
      schedule.deviceOfStage == plan::rowsOfStages(layout, p, chunks)) {
    return {};
  }
  if (layout == plan::StageLayout::V) {
    return invalid(schedule.name + " places the stages in a V: the first " + std::to_string(p) +
                       " on the devices in order, the others on the same devices in reverse",
                   "Change the devices of the stages");
  }
  return invalid(schedule.name + " places the stages in a loop: stage s on device s mod " +
                     std::to_string(p) + ", as many on each device; here are " +
                     stagesOnDevices(schedule),
                 "Change the number of stages or their devices");
}

Schedule withoutActions(std::string_view name, const std::vector<int>& deviceOfStage,
                        int microBatches) {
  Schedule schedule;
  schedule.name = std::string(name);
  schedule.stages = static_cast<int>(deviceOfStage.size());
  schedule.devices = 1 + *std::max_element(deviceOfStage.begin(), deviceOfStage.end());
  schedule.microBatches = microBatches;
  schedule.deviceOfStage = deviceOfStage;
  return schedule;
}

}  // namespace

const std::vector<std::string>& availableSchedules() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> generated = plan::availableScheduleNames();
    generated.erase(std::remove(generated.begin(), generated.end(), plan::kAutoSchedule),
                    generated.end());
    return generated;
  }();
  return names;
}

Status suits(std::string_view name, const std::vector<int>& deviceOfStage, int microBatches) {
  const auto generator = generatorNamed(name);
  if (!generator) return tl::make_unexpected(generator.error());
  if (deviceOfStage.empty() || !numberedByFirstUse(deviceOfStage)) {
    return invalid("the rows of the stages must be numbered in the order of their first use");
  }
  if (microBatches < 1) {
    return invalid("a step has at least one micro-batch, not " + std::to_string(microBatches));
  }
  // At most F, I and W of each stage and micro-batch.
  if (3 * static_cast<std::int64_t>(deviceOfStage.size()) * microBatches > kMostActions) {
    return invalid("the schedule would have more than 20000000 actions",
                   "Use fewer micro-batches or devices");
  }
  const Schedule empty = withoutActions(name, deviceOfStage, microBatches);
  if (auto status = (*generator)->check(empty); !status) return status;
  return checkLayout(empty);
}

Result<Schedule> generateForStages(std::string_view name, const std::vector<int>& deviceOfStage,
                                   int microBatches) {
  if (auto status = suits(name, deviceOfStage, microBatches); !status) {
    return tl::make_unexpected(status.error());
  }
  const Generator& generator = **generatorNamed(name);
  Schedule schedule = withoutActions(name, deviceOfStage, microBatches);
  schedule.lossMode = generator.lossMode;
  schedule.actions.resize(static_cast<std::size_t>(schedule.devices));
  generator.fill(schedule);
  return schedule;
}

Result<Schedule> generate(std::string_view name, const Sizes& sizes) {
  if (const auto known = generatorNamed(name); !known) return tl::make_unexpected(known.error());
  if (sizes.devices < 1 || sizes.devices > kMostDevices) {
    return invalid("the number of devices must be from 1 to " + std::to_string(kMostDevices) +
                   ", not " + std::to_string(sizes.devices));
  }
  const plan::ScheduleLayout wanted = plan::layoutOf(name);
  const int chunks = sizes.chunks.value_or(wanted.chunks);
  if (auto status = plan::checkChunks(name, chunks); !status) {
    return tl::make_unexpected(status.error());
  }
  return generateForStages(name, plan::rowsOfStages(wanted.layout, sizes.devices, chunks),
                           sizes.microBatches);
}

}  // namespace stagelane::schedule
