#include <memory>
#include <set>

#include "engine/base/text.h"
#include "engine/plan/reading.h"
#include "engine/schedule/methods.h"

namespace stagelane::plan::detail {
namespace {

constexpr std::size_t kMostVariants = 1000;

/// The suffix that a sweep appends to an id: `zbv`, or the stem of a CSV file.
std::string scheduleSlug(const std::string& schedule) {
  if (schedule.compare(0, schedule::kCsvPrefix.size(), schedule::kCsvPrefix) != 0)
    return slug(schedule);
  std::string stem = schedule.substr(schedule.find_last_of('/') + 1);
  return slug(stem.substr(0, stem.find_last_of('.')));
}

/// On one device, micro-batches are gradient accumulation: F0 B0 F1 B1 …, as a pipeline of one.
std::string scheduleFor(const FileVariant& variant, const std::string& schedule, std::int64_t split,
                        std::int64_t batch) {
  const bool accumulates = strategyRow(variant.strategy).oneDevice && split < batch;
  return accumulates ? std::string(pipelineStrategy().schedule) : schedule;
}

/// Assigns unique ids and names to the members of sweeps.
class MemberNames {
 public:
  explicit MemberNames(const std::vector<FileVariant>& variants) {
    for (const FileVariant& file : variants) {
      if (file.scheduleIsList || file.splitIsList) continue;
      m_ids.insert(file.id);
      m_names.insert(file.name);
    }
  }

  void name(const FileVariant& file, const std::string& schedule, Variant& variant) {
    variant.id = file.id;
    variant.name = file.name;
    if (!file.scheduleIsList && !file.splitIsList) return;
    if (file.scheduleIsList) {
      variant.id += "-" + scheduleSlug(schedule);
      variant.name += " " + scheduleSlug(schedule);
    }
    if (file.splitIsList) {
      variant.id += "-s" + std::to_string(variant.splitSize);
      variant.name += " s" + std::to_string(variant.splitSize);
    }
    variant.id = uniqueSlug(variant.id, m_ids);
    const std::string base = variant.name;
    for (int n = 2; !m_names.insert(variant.name).second; ++n) {
      variant.name = base + " " + std::to_string(n);
    }
  }

 private:
  std::set<std::string> m_ids;
  std::set<std::string> m_names;
};

}  // namespace

Status expandVariants(Experiment& experiment, const std::vector<FileVariant>& variants,
                      const std::vector<StagesOfSchedules>& stages) {
  MemberNames names(variants);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const FileVariant& file = variants[i];
    for (std::size_t s = 0; s < file.schedules.size(); ++s) {
      Variant base;
      base.strategy = file.strategy;
      base.include = file.include;
      base.recompute = file.recompute;
      base.tab = file.name;
      base.pointer = file.pointer;
      base.reduce = file.reduce;
      base.hogwild = file.hogwild;
      base.groups = stages[i][s].groups;
      setStages(*experiment.model, stages[i][s].stages, base);
      if (const auto& open = stages[i][s].open)
        base.open = std::make_shared<const OpenStages>(*open);
      for (const std::int64_t split : file.splits) {
        Variant variant = base;
        variant.schedule = scheduleFor(file, file.schedules[s], split, experiment.data.batchSize);
        variant.splitSize = split;
        names.name(file, file.schedules[s], variant);
        experiment.variants.push_back(std::move(variant));
      }
    }
    if (experiment.variants.size() > kMostVariants) {
      return fail(ErrorCode::Invalid, "the sweeps expand to more than 1000 variants", file.pointer,
                  "Shorten the lists");
    }
  }
  return {};
}

}  // namespace stagelane::plan::detail
