#include <memory>
#include <set>

#include "engine/base/text.h"
#include "engine/plan/reading.h"
#include "engine/plan/rows.h"
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

/// A smaller last batch has as many micro-batches as the others, so that one schedule suits all.
Status checkLastBatch(const Experiment& experiment, const Variant& variant) {
  const std::int64_t last = experiment.data.samples % experiment.data.batchSize;
  if (last == 0) return {};
  const auto whole = microBatchSizes(experiment.data.batchSize, variant.splitSize).size();
  const auto parts = microBatchSizes(last, splitOf(variant, last)).size();
  if (parts == whole) return {};
  return fail(ErrorCode::Invalid,
              "the last batch of " + std::to_string(last) + " samples has " +
                  std::to_string(parts) + " micro-batches in the variant \"" + variant.name +
                  "\", the others have " + std::to_string(whole),
              "/data/samples",
              "Use a multiple of " + std::to_string(experiment.data.batchSize) +
                  ", or \"batches\" instead");
}

/// Replicas normalize with the statistics of their own part of the batch.
Status checkStatistics(const Experiment& experiment, const Variant& variant) {
  if (experiment.batchNorm != BatchNormMode::Deferred || variant.stages.front().group.size() == 1)
    return {};
  return fail(ErrorCode::Invalid,
              "batch_norm \"deferred\" needs the statistics of the whole batch on one device, but "
              "the variant \"" +
                  variant.name + "\" has replicas",
              "/batch_norm", "Use \"running\", or give each stage one device");
}

/// torch.chunk cuts 5 samples for 4 devices into 2, 2 and 1.
void warnOfIdleDevices(Experiment& experiment, const Variant& variant) {
  const std::size_t replicas = variant.stages.front().group.size();
  const std::size_t devices = experiment.devices.size();
  if (!strategyRow(variant.strategy).replicates || replicas == devices || !variant.include) return;
  experiment.warnings.push_back(
      variant.pointer + ": the batch of " + std::to_string(experiment.data.batchSize) +
      " is cut into " + std::to_string(replicas) + " parts of at most " +
      std::to_string(variant.splitSize) + ", as torch.chunk does; " + std::to_string(replicas) +
      " of " + std::to_string(devices) + " devices have a replica");
}

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
        STAGELANE_CHECK(checkLastBatch(experiment, variant));
        STAGELANE_CHECK(checkStatistics(experiment, variant));
        warnOfIdleDevices(experiment, variant);
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
