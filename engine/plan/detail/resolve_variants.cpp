#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/plan/block_estimate.h"
#include "engine/plan/detail/reading.h"
#include "engine/plan/schedule_names.h"

namespace stagelane::plan::detail {
namespace {

constexpr std::size_t kMostVariants = 1000;
constexpr std::string_view kSameAs = "same as:";

/// Resolves placements, following "same as" from variant to variant.
class StageResolver {
 public:
  StageResolver(const Experiment& experiment, const std::vector<FileVariant>& variants)
      : m_experiment(experiment), m_variants(variants), m_resolved(variants.size()) {}

  Result<std::vector<Stage>> resolve(std::size_t index);

 private:
  Result<std::vector<Stage>> compute(std::size_t index);
  Result<std::vector<Stage>> single(const FileVariant& variant) const;
  Result<std::vector<Stage>> listed(const FileVariant& variant) const;
  Result<std::vector<Stage>> placed(const FileVariant& variant) const;
  Result<std::vector<Stage>> named(std::size_t index, const std::string& text);
  Result<std::vector<Stage>> optimal(const FileVariant& variant) const;
  [[nodiscard]] Status checkListed(const DeviceId& device, const std::string& place) const;

  const Experiment& m_experiment;
  const std::vector<FileVariant>& m_variants;
  std::vector<std::optional<std::vector<Stage>>> m_resolved;
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

Result<std::vector<Stage>> StageResolver::optimal(const FileVariant& variant) const {
  model::Shape input = m_experiment.input;
  input.insert(input.begin(), *std::max_element(variant.splits.begin(), variant.splits.end()));
  const auto shapes = model::inferShapes(*m_experiment.model, input, m_experiment.dtype);
  if (!shapes) return tl::make_unexpected(shapes.error());
  const std::vector<std::size_t> firsts =
      estimatedBestCut(*shapes, m_experiment.devices, m_experiment.threadsPerCpuWorker);
  std::vector<Stage> stages;
  for (std::size_t part = 0; part < firsts.size(); ++part) {
    const std::size_t end =
        part + 1 < firsts.size() ? firsts[part + 1] : m_experiment.model->blocks.size();
    stages.push_back({firsts[part], end - 1, m_experiment.devices[part].id});
  }
  return stages;
}

Result<std::vector<Stage>> StageResolver::named(std::size_t index, const std::string& text) {
  const FileVariant& variant = m_variants[index];
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
      return resolve(static_cast<std::size_t>(other - m_variants.begin()));
    }
    std::string list;
    for (const FileVariant& v : m_variants) list += (list.empty() ? "" : ", ") + v.name;
    return fail(ErrorCode::Invalid, "there is no variant \"" + target + "\"", place,
                "Write the name of one of: " + list);
  }
  if (text == "optimal") return optimal(variant);
  for (const char* mode : {"auto", "balanced", "balanced_low_0", "sequential"}) {
    if (text == mode) {
      return notAvailable("the placement \"" + text + "\"", place,
                          "Write \"optimal\", or an object of blocks and devices");
    }
  }
  return fail(ErrorCode::Invalid, "\"" + text + "\" is no placement", place,
              "Write an object of blocks and devices, \"same as: NAME\" or \"optimal\"");
}

Result<std::vector<Stage>> StageResolver::compute(std::size_t index) {
  const FileVariant& variant = m_variants[index];
  if (variant.strategy == Strategy::Single) return single(variant);
  if (variant.stages != nullptr) return listed(variant);
  if (variant.placement == nullptr) return optimal(variant);
  if (variant.placement->is_string()) return named(index, variant.placement->get<std::string>());
  return placed(variant);
}

Result<std::vector<Stage>> StageResolver::resolve(std::size_t index) {
  if (m_resolved[index]) return *m_resolved[index];
  if (std::find(m_path.begin(), m_path.end(), index) != m_path.end()) {
    std::string circle;
    for (const std::size_t step : m_path) circle += m_variants[step].name + " → ";
    return fail(ErrorCode::Invalid,
                "these placements refer to each other: " + circle + m_variants[index].name,
                childPointer(m_variants[index].pointer, "placement"),
                "Write an object of blocks and devices in one of them");
  }
  m_path.push_back(index);
  auto stages = compute(index);
  m_path.pop_back();
  if (stages) m_resolved[index] = *stages;
  return stages;
}

/// What a sweep appends to an id: `zbv`, or the stem of a CSV file.
std::string scheduleSlug(const std::string& schedule) {
  if (schedule.compare(0, kCsvPrefix.size(), kCsvPrefix) != 0) return slug(schedule);
  std::string stem = schedule.substr(schedule.find_last_of('/') + 1);
  return slug(stem.substr(0, stem.find_last_of('.')));
}

/// Over one device, micro-batches are gradient accumulation: F0 B0 F1 B1 …, which 1f1b gives.
std::string scheduleFor(const FileVariant& variant, const std::string& schedule, std::int64_t split,
                        std::int64_t batch) {
  const bool accumulates = variant.strategy == Strategy::Single && split < batch;
  return accumulates ? "1f1b" : schedule;
}

}  // namespace

Result<std::vector<std::vector<Stage>>> resolveStages(const Experiment& experiment,
                                                      const std::vector<FileVariant>& variants) {
  StageResolver resolver(experiment, variants);
  std::vector<std::vector<Stage>> answer;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    auto stages = resolver.resolve(i);
    if (!stages) return tl::make_unexpected(stages.error());
    answer.push_back(std::move(*stages));
  }
  return answer;
}

Status expandVariants(Experiment& experiment, const std::vector<FileVariant>& variants,
                      const std::vector<std::vector<Stage>>& stages) {
  std::set<std::string> ids;
  for (const FileVariant& file : variants) {
    if (!file.scheduleIsList && !file.splitIsList) ids.insert(file.id);
  }
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const FileVariant& file = variants[i];
    Variant base;
    base.strategy = file.strategy;
    base.stages = stages[i];
    base.placement = placementOf(*experiment.model,
                                 deviceOfEachBlock(stages[i], experiment.model->blocks.size()));
    base.include = file.include;
    base.tab = file.name;
    for (const std::string& schedule : file.schedules) {
      for (const std::int64_t split : file.splits) {
        Variant variant = base;
        variant.schedule = scheduleFor(file, schedule, split, experiment.data.batchSize);
        variant.splitSize = split;
        variant.id = file.id;
        variant.name = file.name;
        if (file.scheduleIsList) {
          variant.id += "-" + scheduleSlug(schedule);
          variant.name += " " + scheduleSlug(schedule);
        }
        if (file.splitIsList) {
          variant.id += "-s" + std::to_string(split);
          variant.name += " s" + std::to_string(split);
        }
        if (file.scheduleIsList || file.splitIsList) variant.id = uniqueSlug(variant.id, ids);
        experiment.variants.push_back(std::move(variant));
      }
    }
    if (experiment.variants.size() > kMostVariants) {
      return fail(ErrorCode::Invalid, "the sweeps make more than 1000 variants", file.pointer,
                  "Shorten the lists");
    }
  }
  return {};
}

}  // namespace stagelane::plan::detail
