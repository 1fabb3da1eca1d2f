#include <algorithm>

#include "engine/plan/accelerate_placement.h"
#include "engine/plan/block_estimate.h"
#include "engine/plan/partition.h"
#include "engine/plan/reading.h"
#include "engine/plan/schedule_names.h"
#include "engine/plan/stage_layout.h"

namespace stagelane::plan::detail {
namespace {

constexpr std::string_view kSameAs = "same as:";

/// What stages are resolved for: a variant of the file with one of its schedules.
struct Request {
  const FileVariant& variant;
  const WantedStages& wanted;
};

/// Resolves placements, following "same as" from variant to variant.
class StageResolver {
 public:
  StageResolver(const Experiment& experiment, const std::vector<FileVariant>& variants,
                const Planning& planning)
      : m_experiment(experiment), m_variants(variants), m_planning(planning) {}

  Result<Layouts> resolve(std::size_t index, const std::string& schedule);

 private:
  /// The placement of variant `index`, laid out for the request.
  Result<std::vector<Stage>> follow(std::size_t index, const Request& request);
  Result<std::vector<Stage>> compute(std::size_t index, const Request& request);
  Result<std::vector<Stage>> single(const FileVariant& variant) const;
  Result<std::vector<Stage>> listed(const FileVariant& variant) const;
  Result<std::vector<Stage>> placed(const FileVariant& variant) const;
  Result<std::vector<Stage>> named(std::size_t index, const Request& request);
  Result<std::vector<Stage>> optimal(const FileVariant& variant, const Request& request) const;
  [[nodiscard]] std::optional<std::vector<Stage>> playedOptimum(
      const FileVariant& variant, const Request& request,
      const std::vector<DeviceSpec>& deviceOfStage) const;
  [[nodiscard]] Result<model::ModelShapesPtr> shapesOf(const FileVariant& variant) const;
  [[nodiscard]] Result<std::vector<Stage>> split(const std::vector<Stage>& runs,
                                                 const Request& request) const;
  [[nodiscard]] std::vector<double> timesOf(const FileVariant& variant, const DeviceSpec& device,
                                            const model::ModelShapes& shapes) const;
  void addLayouts(const Request& first, std::size_t index, Layouts& layouts);
  [[nodiscard]] Status checkListed(const DeviceId& device, const std::string& place) const;

  const Experiment& m_experiment;
  const std::vector<FileVariant>& m_variants;
  const Planning& m_planning;
  std::vector<std::size_t> m_path;  ///< the "same as" chain that is being followed
};

Status StageResolver::checkListed(const DeviceId& device, const std::string& place) const {
  std::string list;
  for (const DeviceSpec& known : m_experiment.devices) {
    if (known.id == device) return {};
    list += " " + known.id.value;
  }
  return fail(ErrorCode::Invalid, "/devices does not list the device \"" + device.value + "\"",
              place, "Add it there, or write one of:" + list);
}

Result<std::vector<Stage>> StageResolver::single(const FileVariant& variant) const {
  DeviceId device = m_experiment.devices.front().id;
  if (variant.device != nullptr) {
    const std::string place = childPointer(variant.pointer, "device");
    auto named = deviceFromJson(*variant.device, place);
    if (!named) return tl::make_unexpected(named.error());
    if (auto status = checkListed(*named, place); !status) {
      return tl::make_unexpected(status.error());
    }
    device = std::move(*named);
  }
  return std::vector<Stage>{{0, m_experiment.model->blocks.size() - 1, device}};
}

Result<std::vector<Stage>> StageResolver::listed(const FileVariant& variant) const {
  const std::string place = childPointer(variant.pointer, "stages");
  auto stages = stagesFromJson(*m_experiment.model, *variant.stages, place);
  if (!stages) return stages;
  for (std::size_t i = 0; i < stages->size(); ++i) {
    const auto status =
        checkListed((*stages)[i].device, childPointer(childPointer(place, i), "device"));
    if (!status) return tl::make_unexpected(status.error());
  }
  return stages;
}

Result<std::vector<Stage>> StageResolver::placed(const FileVariant& variant) const {
  const std::string place = childPointer(variant.pointer, "placement");
  auto devices = devicesOfBlocks(*m_experiment.model, *variant.placement, place);
  if (!devices) return tl::make_unexpected(devices.error());
  for (const auto& member : variant.placement->items()) {
    const std::string at = childPointer(place, member.key());
    const auto device = deviceFromJson(member.value(), at);
    if (!device) return tl::make_unexpected(device.error());
    if (auto status = checkListed(*device, at); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  return stagesOf(*devices);
}

/// At the largest micro-batch of the variant.
Result<model::ModelShapesPtr> StageResolver::shapesOf(const FileVariant& variant) const {
  return m_experiment.shapesAt(*std::max_element(variant.splits.begin(), variant.splits.end()));
}

/// Time of each block at the largest micro-batch of the variant: measured, else estimated.
std::vector<double> StageResolver::timesOf(const FileVariant& variant, const DeviceSpec& device,
                                           const model::ModelShapes& shapes) const {
  if (m_planning.blockTimes) {
    const std::int64_t samples = *std::max_element(variant.splits.begin(), variant.splits.end());
    auto measured = m_planning.blockTimes(m_experiment, device, samples);
    if (measured && measured->size() == shapes.blocks.size()) return std::move(*measured);
  }
  return estimatedCosts(shapes, device, m_experiment.threadsPerCpuWorker);
}

/// What cuts are played with: one schedule for each layout, so that schedules are compared on the
/// same cut, and `auto`, which has all layouts to choose from, has those of all schedules.
std::string scheduleFor(const WantedStages& wanted) {
  if (wanted.chunks < 2) return "1f1b";
  return wanted.layout == StageLayout::V ? "zbv" : "looped-bfs";
}

/// What the planning finds, which knows more than times.
std::optional<std::vector<Stage>> StageResolver::playedOptimum(
    const FileVariant& variant, const Request& request,
    const std::vector<DeviceSpec>& deviceOfStage) const {
  const bool fits = deviceOfStage.size() <= m_experiment.model->blocks.size();
  if (!m_planning.optimalStages || variant.strategy != Strategy::Pipeline ||
      !request.wanted.fileRows.empty() || !fits) {
    return std::nullopt;
  }
  Variant asked;
  asked.name = variant.name;
  asked.strategy = variant.strategy;
  asked.schedule = scheduleFor(request.wanted);
  asked.splitSize = *std::max_element(variant.splits.begin(), variant.splits.end());
  asked.recompute = variant.recompute;
  return m_planning.optimalStages(
      m_experiment, asked,
      devicesOfStages(request.wanted, static_cast<int>(m_experiment.devices.size())));
}

/// The cut over all devices, in the order of the file, whose slowest stage is fastest; `variant` is
/// the one that says "optimal", so that those with the same placement have the same cut.
Result<std::vector<Stage>> StageResolver::optimal(const FileVariant& variant,
                                                  const Request& request) const {
  const auto shapes = shapesOf(variant);
  if (!shapes) return tl::make_unexpected(shapes.error());
  const std::vector<DeviceSpec>& devices = m_experiment.devices;
  const std::size_t blocks = m_experiment.model->blocks.size();
  std::vector<DeviceSpec> deviceOfStage;
  for (const int device : devicesOfStages(request.wanted, static_cast<int>(devices.size()))) {
    if (static_cast<std::size_t>(device) >= devices.size()) {
      return fail(ErrorCode::Invalid,
                  "the file has more rows than the " + std::to_string(devices.size()) +
                      " devices of the experiment",
                  request.wanted.pointer, "Add devices, or use another file");
    }
    deviceOfStage.push_back(devices[static_cast<std::size_t>(device)]);
  }
  if (deviceOfStage.size() > blocks && !request.wanted.fewer) {
    return fail(ErrorCode::Invalid,
                "the model " + m_experiment.model->name + " has " + std::to_string(blocks) +
                    " blocks, and " + std::to_string(deviceOfStage.size()) +
                    " stages need at least one each",
                request.wanted.pointer, "Use fewer devices or chunks, or a larger model");
  }
  if (auto played = playedOptimum(variant, request, deviceOfStage)) return std::move(*played);
  std::vector<std::vector<double>> costOn;
  for (const DeviceSpec& device : deviceOfStage) {
    costOn.push_back(timesOf(variant, device, **shapes));
  }
  const std::vector<std::size_t> firsts = minBottleneckCut(costOn);
  std::vector<Stage> stages;
  for (std::size_t part = 0; part < firsts.size(); ++part) {
    const std::size_t end = part + 1 < firsts.size() ? firsts[part + 1] : blocks;
    stages.push_back({firsts[part], end - 1, deviceOfStage[part].id});
  }
  return stages;
}

/// Splits the runs of a placement where the layout has several stages in a row on one device.
Result<std::vector<Stage>> StageResolver::split(const std::vector<Stage>& runs,
                                                const Request& request) const {
  const auto shapes = shapesOf(request.variant);
  if (!shapes) return tl::make_unexpected(shapes.error());
  return splitRuns(runs, request.wanted,
                   timesOf(request.variant, m_experiment.devices.front(), **shapes));
}

Result<std::vector<Stage>> StageResolver::named(std::size_t index, const Request& request) {
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
    return fail(ErrorCode::Invalid, "there is no variant \"" + target + "\"", place,
                "Write the name of one of: " + list);
  }
  if (text == "optimal") return optimal(variant, request);
  if (const auto mode = accelerateModeFrom(text)) {
    auto runs = accelerateStages(*m_experiment.model, m_experiment.dtype, m_experiment.devices,
                                 *mode, place);
    return runs && request.variant.strategy == Strategy::Pipeline ? split(*runs, request) : runs;
  }
  return fail(ErrorCode::Invalid, "\"" + text + "\" is no placement", place,
              "Write an object of blocks and devices, \"same as: NAME\", \"optimal\", or one of "
              "accelerate's modes: auto, balanced, balanced_low_0, sequential");
}

Result<std::vector<Stage>> StageResolver::compute(std::size_t index, const Request& request) {
  const FileVariant& variant = m_variants[index];
  if (variant.stages != nullptr) return listed(variant);
  if (variant.placement != nullptr && variant.placement->is_string()) return named(index, request);
  if (variant.strategy != Strategy::Single && variant.placement == nullptr) {
    return optimal(variant, request);
  }
  auto runs = variant.strategy == Strategy::Single ? single(variant) : placed(variant);
  return runs && request.variant.strategy == Strategy::Pipeline ? split(*runs, request) : runs;
}

Result<std::vector<Stage>> StageResolver::follow(std::size_t index, const Request& request) {
  if (std::find(m_path.begin(), m_path.end(), index) != m_path.end()) {
    std::string circle;
    for (const std::size_t step : m_path) circle += m_variants[step].name + " → ";
    return fail(ErrorCode::Invalid,
                "these placements refer to each other: " + circle + m_variants[index].name,
                childPointer(m_variants[index].pointer, "placement"),
                "Write an object of blocks and devices in one of them");
  }
  m_path.push_back(index);
  auto stages = compute(index, request);
  m_path.pop_back();
  return stages;
}

/// Where nothing fixes the stages of `auto`, those of the published schedules: one a device, two in
/// a loop or a V, and three in a loop; with the chunks that the variant says, the loop and the V.
void StageResolver::addLayouts(const Request& first, std::size_t index, Layouts& layouts) {
  std::vector<std::pair<StageLayout, int>> choices{
      {StageLayout::V, 2}, {StageLayout::Loop, 2}, {StageLayout::Loop, 3}};
  if (const std::optional<int> chunks = first.variant.chunks) {
    choices = {{StageLayout::V, *chunks}, {StageLayout::Loop, *chunks}};
  }
  for (const auto& [layout, chunks] : choices) {
    if (chunks < 2 || (layout == StageLayout::V && chunks != 2)) continue;
    WantedStages wanted = first.wanted;
    wanted.layout = layout;
    wanted.chunks = chunks;
    const auto stages = follow(index, {first.variant, wanted});
    // Too few blocks for so many stages: that layout is no choice.
    if (!stages || !checkCount(first.variant, wanted, *stages)) continue;
    if (std::find(layouts.begin(), layouts.end(), *stages) == layouts.end()) {
      layouts.push_back(*stages);
    }
  }
}

Result<Layouts> StageResolver::resolve(std::size_t index, const std::string& schedule) {
  const FileVariant& variant = m_variants[index];
  const auto wanted = wantedStages(variant, schedule);
  if (!wanted) return tl::make_unexpected(wanted.error());
  auto stages = follow(index, {variant, *wanted});
  if (!stages) return tl::make_unexpected(stages.error());
  if (auto status = checkCount(variant, *wanted, *stages); !status) {
    return tl::make_unexpected(status.error());
  }
  Layouts layouts{std::move(*stages)};
  if (schedule == kAutoSchedule) addLayouts({variant, *wanted}, index, layouts);
  return layouts;
}

}  // namespace

Result<std::vector<StagesOfSchedules>> resolveStages(const Experiment& experiment,
                                                     const std::vector<FileVariant>& variants,
                                                     const Planning& planning) {
  StageResolver resolver(experiment, variants, planning);
  std::vector<StagesOfSchedules> answer(variants.size());
  for (std::size_t i = 0; i < variants.size(); ++i) {
    for (const std::string& schedule : variants[i].schedules) {
      auto stages = resolver.resolve(i, schedule);
      if (!stages) return tl::make_unexpected(stages.error());
      answer[i].push_back(std::move(*stages));
    }
  }
  return answer;
}

}  // namespace stagelane::plan::detail
