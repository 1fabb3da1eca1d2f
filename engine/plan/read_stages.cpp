#include <algorithm>

#include "engine/base/text.h"
#include "engine/plan/accelerate_placement.h"
#include "engine/plan/reading.h"
#include "engine/plan/rows.h"
#include "engine/plan/stage_layout.h"
#include "engine/schedule/methods.h"

namespace stagelane::plan::detail {
namespace {

constexpr std::string_view kSameAs = "same as:";

/// A request for stages: a variant of the file with one of its schedules.
struct Request {
  const FileVariant& variant;
  const WantedStages& wanted;
};

/// Reads placements, following "same as" references between variants.
class StageReader {
 public:
  StageReader(const Experiment& experiment, const std::vector<FileVariant>& variants)
      : m_experiment(experiment), m_variants(variants) {}

  Result<ReadStages> read(std::size_t index, const std::string& schedule);

 private:
  /// The placement of variant `index`, laid out for the request.
  Result<ReadStages> follow(std::size_t index, const Request& request);
  Result<ReadStages> compute(std::size_t index, const Request& request);
  Result<std::vector<Stage>> single(const FileVariant& variant) const;
  /// The whole model on every device that gets a part of the batch.
  [[nodiscard]] std::vector<Stage> replicated(const FileVariant& variant) const;
  Result<std::vector<Stage>> listed(const FileVariant& variant) const;
  Result<std::vector<Stage>> placed(const FileVariant& variant) const;
  Result<ReadStages> named(std::size_t index, const Request& request);
  Result<ReadStages> optimal(const FileVariant& variant, const Request& request) const;
  /// The runs of a placement, adapted to the request's variant.
  [[nodiscard]] ReadStages asPlaced(std::vector<Stage> runs, const Request& request) const;
  [[nodiscard]] ReadStages split(std::vector<Stage> runs, const Request& request) const;
  void addLayouts(const Request& first, std::size_t index, ReadStages& stages);
  [[nodiscard]] Status checkListed(const DeviceId& device, const std::string& place) const;
  [[nodiscard]] Status checkShared(const FileVariant& variant, const DeviceId& device) const;

  const Experiment& m_experiment;
  const std::vector<FileVariant>& m_variants;
  std::vector<std::size_t> m_path;  ///< the current chain of "same as" references
};

Status StageReader::checkListed(const DeviceId& device, const std::string& place) const {
  std::string list;
  for (const DeviceSpec& known : m_experiment.devices) {
    if (known.id == device) return {};
    list += " " + known.id.value;
  }
  return fail(ErrorCode::Invalid, "/devices does not list the device \"" + device.value + "\"",
              place, "Add it there, or use one of:" + list);
}

/// Processes of an asynchronous strategy need parameters in memory that all of them can write.
Status StageReader::checkShared(const FileVariant& variant, const DeviceId& device) const {
  const StrategyRow& row = strategyRow(variant.strategy);
  const DeviceSpec* const spec = findDevice(m_experiment.devices, device);
  const bool likeGpu = spec != nullptr && spec->like && isGpu(*spec->like);
  if (!row.asynchronous || !(isGpu(device) || likeGpu)) return {};
  return fail(ErrorCode::Invalid,
              std::string(row.name) + " shares parameters in the host's memory, but those of " +
                  device.value +
                  " are in the GPU's memory, where processes cannot update them without a copy",
              childPointer(variant.pointer, "device"),
              "Add a CPU worker to devices and use \"device\": \"cpu:0\"");
}

Result<std::vector<Stage>> StageReader::single(const FileVariant& variant) const {
  DeviceId device = m_experiment.devices.front().id;
  if (variant.device != nullptr) {
    const std::string place = childPointer(variant.pointer, "device");
    STAGELANE_TRY(named, deviceFromJson(*variant.device, place));
    STAGELANE_CHECK(checkListed(*named, place));
    device = std::move(*named);
  }
  STAGELANE_CHECK(checkShared(variant, device));
  return std::vector<Stage>{{0, m_experiment.model->blocks.size() - 1, device}};
}

std::vector<Stage> StageReader::replicated(const FileVariant& variant) const {
  const std::int64_t smallest = *std::min_element(variant.splits.begin(), variant.splits.end());
  const auto parts = microBatchSizes(m_experiment.data.batchSize, smallest).size();
  std::vector<DeviceId> replicas;
  for (const DeviceSpec& device : m_experiment.devices) {
    if (replicas.size() < parts) replicas.push_back(device.id);
  }
  return {{0, m_experiment.model->blocks.size() - 1, DeviceGroup(std::move(replicas))}};
}

Result<std::vector<Stage>> StageReader::listed(const FileVariant& variant) const {
  const std::string place = childPointer(variant.pointer, "stages");
  auto stages = stagesFromJson(*m_experiment.model, *variant.stages, place);
  if (!stages) return stages;
  for (std::size_t i = 0; i < stages->size(); ++i) {
    for (const DeviceId& device : (*stages)[i].group) {
      STAGELANE_CHECK(checkListed(device, childPointer(childPointer(place, i), "device")));
    }
  }
  return stages;
}

Result<std::vector<Stage>> StageReader::placed(const FileVariant& variant) const {
  const std::string place = childPointer(variant.pointer, "placement");
  STAGELANE_TRY(devices, devicesOfBlocks(*m_experiment.model, *variant.placement, place));
  for (const auto& member : variant.placement->items()) {
    const std::string at = childPointer(place, member.key());
    STAGELANE_TRY(device, deviceFromJson(member.value(), at));
    STAGELANE_CHECK(checkListed(*device, at));
  }
  return stagesOf(*devices);
}

std::int64_t largestSplit(const FileVariant& variant) {
  return *std::max_element(variant.splits.begin(), variant.splits.end());
}

/// Appends `parts` stages with similar numbers of blocks.
void appendEvenly(const Stage& run, std::size_t parts, std::vector<Stage>& stages) {
  const std::vector<std::size_t> firsts = uniformCut(run.lastBlock - run.firstBlock + 1, parts);
  for (std::size_t part = 0; part < firsts.size(); ++part) {
    const std::size_t end =
        part + 1 < firsts.size() ? run.firstBlock + firsts[part + 1] - 1 : run.lastBlock;
    stages.push_back({run.firstBlock + firsts[part], end, run.group});
  }
}

/// Stages to be cut over all devices, in the order of the file. `variant` is the one that says
/// "optimal", so that all variants that refer to it have the same cut.
Result<ReadStages> StageReader::optimal(const FileVariant& variant, const Request& request) const {
  const std::vector<DeviceSpec>& devices = m_experiment.devices;
  const std::size_t blocks = m_experiment.model->blocks.size();
  const std::vector<int> rows =
      devicesOfStages(request.wanted, static_cast<int>(devices.size()) / request.wanted.replicas);
  if (std::any_of(rows.begin(), rows.end(),
                  [&](int row) { return static_cast<std::size_t>(row) >= devices.size(); })) {
    return fail(ErrorCode::Invalid,
                "the file has more rows than the " + std::to_string(devices.size()) +
                    " devices of the experiment",
                request.wanted.pointer, "Add devices, or use another file");
  }
  if (rows.empty()) {
    return fail(ErrorCode::Invalid,
                std::to_string(request.wanted.replicas) + " replicas need as many devices",
                childPointer(request.variant.pointer, "replicas"), "List more devices");
  }
  if (rows.size() > blocks && !request.wanted.fewer) {
    return fail(ErrorCode::Invalid,
                "the model " + m_experiment.model->name + " has " + std::to_string(blocks) +
                    " blocks, but " + std::to_string(rows.size()) +
                    " stages need at least one each",
                request.wanted.pointer, "Use fewer devices or chunks, or a larger model");
  }
  ReadStages read;
  const std::vector<std::size_t> firsts = uniformCut(blocks, rows.size());
  for (std::size_t part = 0; part < firsts.size(); ++part) {
    const std::size_t end = part + 1 < firsts.size() ? firsts[part + 1] : blocks;
    read.stages.push_back(
        {firsts[part], end - 1, devices[static_cast<std::size_t>(rows[part])].id});
  }
  read.open =
      OpenStages{{request.wanted}, {}, variant.strategy, variant.recompute, largestSplit(variant)};
  return read;
}

/// The runs of a placement, to be split if the layout has several consecutive stages on one device.
ReadStages StageReader::split(std::vector<Stage> runs, const Request& request) const {
  const std::vector<std::size_t> counts = stagesOfRuns(runs, request.wanted);
  ReadStages read;
  if (counts.empty()) {
    read.stages = std::move(runs);
    return read;
  }
  for (std::size_t run = 0; run < runs.size(); ++run) {
    appendEvenly(runs[run], counts[run], read.stages);
  }
  read.open = OpenStages{{request.wanted},
                         std::move(runs),
                         request.variant.strategy,
                         request.variant.recompute,
                         largestSplit(request.variant)};
  return read;
}

Result<ReadStages> StageReader::named(std::size_t index, const Request& request) {
  const FileVariant& variant = m_variants[index];
  const auto text = variant.placement->get<std::string>();
  const std::string place = childPointer(variant.pointer, "placement");
  if (text.compare(0, kSameAs.size(), kSameAs) == 0) {
    const std::size_t begin = text.find_first_not_of(' ', kSameAs.size());
    const std::string target = begin == std::string::npos ? "" : text.substr(begin);
    const auto find = [&](auto matches) {
      return std::find_if(m_variants.begin(), m_variants.end(), matches);
    };
    auto other = find([&](const FileVariant& v) { return v.name == target; });
    if (other == m_variants.end()) {
      other = find([&](const FileVariant& v) { return v.id == target; });
    }
    if (other != m_variants.end()) {
      return follow(static_cast<std::size_t>(other - m_variants.begin()), request);
    }
    std::string list;
    for (const FileVariant& v : m_variants) list += (list.empty() ? "" : ", ") + v.name;
    return fail(ErrorCode::Invalid, "unknown variant \"" + target + "\"", place,
                "Use one of: " + list);
  }
  if (text == "optimal") return optimal(variant, request);
  if (const auto mode = accelerateModeFrom(text)) {
    STAGELANE_TRY(runs, accelerateStages(*m_experiment.model, m_experiment.dtype,
                                         m_experiment.devices, *mode, place));
    return asPlaced(std::move(*runs), request);
  }
  return fail(ErrorCode::Invalid, "\"" + text + "\" is not a placement", place,
              "Use an object of blocks and devices, \"same as: NAME\", \"optimal\", or one of "
              "accelerate's modes: " +
                  joined({kAccelerateModes.begin(), kAccelerateModes.end()}));
}

ReadStages StageReader::asPlaced(std::vector<Stage> runs, const Request& request) const {
  if (strategyRow(request.variant.strategy).pipelined) return split(std::move(runs), request);
  return {std::move(runs), {}};
}

Result<ReadStages> StageReader::compute(std::size_t index, const Request& request) {
  const FileVariant& variant = m_variants[index];
  if (variant.stages != nullptr) {
    STAGELANE_TRY(stages, listed(variant));
    return ReadStages{std::move(*stages), {}};
  }
  if (variant.placement != nullptr && variant.placement->is_string()) return named(index, request);
  if (strategyRow(variant.strategy).replicates) return ReadStages{replicated(variant), {}};
  const bool oneDevice = strategyRow(variant.strategy).oneDevice;
  if (!oneDevice && variant.placement == nullptr) return optimal(variant, request);
  STAGELANE_TRY(runs, oneDevice ? single(variant) : placed(variant));
  return asPlaced(std::move(*runs), request);
}

Result<ReadStages> StageReader::follow(std::size_t index, const Request& request) {
  if (std::find(m_path.begin(), m_path.end(), index) != m_path.end()) {
    std::string circle;
    for (const std::size_t step : m_path) circle += m_variants[step].name + " → ";
    return fail(ErrorCode::Invalid,
                "circular reference between placements: " + circle + m_variants[index].name,
                childPointer(m_variants[index].pointer, "placement"),
                "Use an object of blocks and devices in one of them");
  }
  m_path.push_back(index);
  auto stages = compute(index, request);
  m_path.pop_back();
  return stages;
}

/// If nothing fixes the stages of `auto`, tries those of the published schedules: one per device,
/// two in a loop or a V, and three in a loop; with `chunks` given, the loop and the V.
void StageReader::addLayouts(const Request& first, std::size_t index, ReadStages& stages) {
  std::vector<std::pair<schedule::StageLayout, int>> choices{{schedule::StageLayout::V, 2},
                                                             {schedule::StageLayout::Loop, 2},
                                                             {schedule::StageLayout::Loop, 3}};
  if (const std::optional<int> chunks = first.variant.chunks) {
    choices = {{schedule::StageLayout::V, *chunks}, {schedule::StageLayout::Loop, *chunks}};
  }
  std::vector<std::vector<Stage>> known{stages.stages};
  for (const auto& [layout, chunks] : choices) {
    if (chunks < 2 || (layout == schedule::StageLayout::V && chunks != 2)) continue;
    WantedStages wanted = first.wanted;
    wanted.layout = layout;
    wanted.chunks = chunks;
    auto other = follow(index, {first.variant, wanted});
    // Skip a layout that needs more stages than there are blocks.
    if (!other || !other->open || !checkCount(first.variant, wanted, other->stages)) continue;
    if (std::find(known.begin(), known.end(), other->stages) != known.end()) continue;
    known.push_back(std::move(other->stages));
    if (!stages.open) {
      stages.open = std::move(other->open);
      stages.open->layouts.front() = first.wanted;
    }
    stages.open->layouts.push_back(std::move(wanted));
  }
}

/// The groups of a pipeline with `replicas`, of the devices that the stages do not use.
Result<std::vector<DeviceGroup>> groupsOf(const Experiment& experiment, const FileVariant& variant,
                                          const std::vector<Stage>& stages) {
  if (variant.replicas == 1) return std::vector<DeviceGroup>{};
  const std::string place = childPointer(variant.pointer, "replicas");
  for (const Stage& stage : stages) {
    if (stage.group.size() == 1) continue;
    return fail(ErrorCode::Invalid, "the stages list the devices of their replicas already", place,
                "Remove \"replicas\"");
  }
  const std::vector<DeviceId> first = rowsOf(stages);
  std::vector<DeviceGroup> groups = replicaGroups(experiment.devices, first, variant.replicas);
  if (!groups.empty()) return groups;
  return fail(ErrorCode::Invalid,
              std::to_string(variant.replicas) + " replicas of " + std::to_string(first.size()) +
                  " devices need " +
                  std::to_string(first.size() * static_cast<std::size_t>(variant.replicas)) +
                  " devices; " + std::to_string(experiment.devices.size()) + " are listed",
              place, "List more devices, or use fewer replicas");
}

Result<ReadStages> StageReader::read(std::size_t index, const std::string& schedule) {
  const FileVariant& variant = m_variants[index];
  STAGELANE_TRY(wanted, wantedStages(variant, schedule));
  STAGELANE_TRY(stages, follow(index, {variant, *wanted}));
  STAGELANE_TRY(groups, groupsOf(m_experiment, variant, stages->stages));
  stages->groups = std::move(*groups);
  STAGELANE_CHECK(checkCount(variant, *wanted, stages->stages));
  if (schedule == schedule::kAutoSchedule) addLayouts({variant, *wanted}, index, *stages);
  return stages;
}

}  // namespace

Result<std::vector<StagesOfSchedules>> readStages(const Experiment& experiment,
                                                  const std::vector<FileVariant>& variants) {
  StageReader reader(experiment, variants);
  std::vector<StagesOfSchedules> answer(variants.size());
  for (std::size_t i = 0; i < variants.size(); ++i) {
    for (const std::string& schedule : variants[i].schedules) {
      STAGELANE_TRY(stages, reader.read(i, schedule));
      answer[i].push_back(std::move(*stages));
    }
  }
  return answer;
}

}  // namespace stagelane::plan::detail
