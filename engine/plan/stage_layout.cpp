#include "engine/plan/stage_layout.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "engine/base/files.h"
#include "engine/plan/reading.h"
#include "engine/plan/rows.h"

namespace stagelane::plan {
namespace {

constexpr int kMostStages = 4096;

/// Records the stages of one line of a CSV schedule: the number at the start of a cell, also in
/// pairs such as `(0F5;3B2)OVERLAP_F_B`.
void noteStages(std::string_view line, int row, std::vector<int>& rowOfStage) {
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find_first_of(",;", begin), line.size());
    std::string_view text = line.substr(begin, end - begin);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\"("), text.size()));
    int stage = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), stage);
    if (parsed.ec == std::errc{} && stage >= 0 && stage < kMostStages) {
      const auto index = static_cast<std::size_t>(stage);
      if (index >= rowOfStage.size()) rowOfStage.resize(index + 1, -1);
      rowOfStage[index] = row;
    }
    begin = end + 1;
  }
}

/// Row of each stage of a CSV schedule; empty if the file skips a stage, which its reader reports
/// with more detail.
std::vector<int> rowsOfFile(const std::string& path) {
  const auto text = readFile(path);
  if (!text) return {};
  std::vector<int> rows;
  int row = 0;
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    if (line.find_first_not_of(" \t\r\"") != std::string_view::npos) noteStages(line, row++, rows);
    begin = end + 1;
  }
  const bool complete = std::find(rows.begin(), rows.end(), -1) == rows.end();
  return complete ? rows : std::vector<int>{};
}

/// The largest number of stages on one device.
std::int64_t chunksOf(const std::vector<Stage>& stages) {
  std::map<std::string, std::int64_t> count;
  std::int64_t most = 1;
  for (const Stage& stage : stages) {
    for (const DeviceId& device : stage.group) most = std::max(most, ++count[device.value]);
  }
  return most;
}

}  // namespace

std::vector<int> devicesOfStages(const WantedStages& wanted, int devices) {
  if (!wanted.fileRows.empty()) return wanted.fileRows;
  return schedule::rowsOfStages(wanted.layout, devices, wanted.chunks);
}

std::vector<std::size_t> stagesOfRuns(const std::vector<Stage>& runs, const WantedStages& wanted) {
  const schedule::StageRows rows = stageRowsOf(runs);
  std::vector<std::size_t> counts =
      schedule::stagesInRuns(devicesOfStages(wanted, rows.rows()), rows.rowOfStage());
  bool more = false;
  for (std::size_t run = 0; run < counts.size(); ++run) {
    if (counts[run] > runs[run].lastBlock - runs[run].firstBlock + 1) return {};
    more = more || counts[run] > 1;
  }
  return more ? counts : std::vector<std::size_t>{};
}

std::vector<std::size_t> uniformCut(std::size_t blocks, std::size_t parts) {
  const std::size_t count = std::min(blocks, parts);
  std::vector<std::size_t> firsts;
  for (std::size_t part = 0; part < count; ++part) {
    firsts.push_back(part * (blocks / count) + std::min(part, blocks % count));
  }
  return firsts;
}

std::vector<DeviceGroup> replicaGroups(const std::vector<DeviceSpec>& all,
                                       const std::vector<DeviceId>& first, int replicas) {
  std::vector<std::vector<DeviceId>> groups;
  for (const DeviceId& device : first) groups.push_back({device});
  auto next = all.begin();
  for (int replica = 1; replica < replicas; ++replica) {
    for (std::vector<DeviceId>& group : groups) {
      next = std::find_if(next, all.end(), [&](const DeviceSpec& device) {
        return std::find(first.begin(), first.end(), device.id) == first.end();
      });
      if (next == all.end()) return {};
      group.push_back(next++->id);
    }
  }
  return {groups.begin(), groups.end()};
}

void setStages(const model::Model& model, std::vector<Stage> stages, Variant& variant) {
  for (Stage& stage : stages) {
    const auto group =
        std::find_if(variant.groups.begin(), variant.groups.end(),
                     [&](const DeviceGroup& one) { return one.first() == stage.group.first(); });
    if (stage.group.size() == 1 && group != variant.groups.end()) stage.group = *group;
  }
  variant.chunks = chunksOf(stages);
  variant.placement = placementOf(model, deviceOfEachBlock(stages, model.blocks.size()));
  variant.stages = std::move(stages);
}

namespace detail {

Result<WantedStages> wantedStages(const FileVariant& variant, const std::string& schedule) {
  const schedule::ScheduleLayout own = schedule::layoutOf(schedule);
  WantedStages wanted;
  wanted.layout = own.layout;
  wanted.chunks = variant.chunks.value_or(own.chunks);
  wanted.replicas = variant.replicas;
  wanted.fewer = !strategyRow(variant.strategy).pipelined;
  wanted.pointer = childPointer(variant.pointer, variant.chunks ? "chunks" : "schedule");
  if (schedule.compare(0, schedule::kCsvPrefix.size(), schedule::kCsvPrefix) == 0) {
    wanted.fileRows = rowsOfFile(schedule.substr(schedule::kCsvPrefix.size()));
    return wanted;
  }
  if (variant.chunks) {
    if (auto status = schedule::checkChunks(schedule, wanted.chunks); !status) {
      Error error = status.error();
      error.context = wanted.pointer;
      return tl::make_unexpected(std::move(error));
    }
  }
  if (wanted.layout == schedule::StageLayout::Free && wanted.chunks > 1)
    wanted.layout = schedule::StageLayout::Loop;
  return wanted;
}

Status checkCount(const FileVariant& variant, const WantedStages& wanted,
                  const std::vector<Stage>& stages) {
  if (!variant.chunks) return {};
  const std::size_t devices =
      rowsOf(stages).size() / (stages.empty() ? 1 : stages.front().group.size());
  const std::size_t needed = devices * static_cast<std::size_t>(wanted.chunks);
  if (stages.size() == needed) return {};
  return fail(ErrorCode::Invalid,
              "chunks " + std::to_string(wanted.chunks) + " on " + std::to_string(devices) +
                  " devices are " + std::to_string(needed) + " stages, but there are " +
                  std::to_string(stages.size()),
              wanted.pointer,
              "Remove \"chunks\", or place the blocks so that each device has that many stages");
}

}  // namespace detail
}  // namespace stagelane::plan
