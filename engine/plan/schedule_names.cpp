#include "engine/plan/schedule_names.h"

#include <algorithm>

namespace stagelane::plan {
namespace {

struct NamedLayout {
  const char* name;
  ScheduleLayout layout;
};

constexpr NamedLayout kSchedules[]{
    {"single", {StageLayout::OnePerDevice, 1}},
    {"model_parallel", {StageLayout::Free, 1}},
    {"tutorial", {StageLayout::OnePerDevice, 1}},
    {"gpipe", {StageLayout::OnePerDevice, 1}},
    {"1f1b", {StageLayout::OnePerDevice, 1}},
    {"interleaved-1f1b", {StageLayout::Loop, 2}},
    {"looped-bfs", {StageLayout::Loop, 2}},
    {"zb-h1", {StageLayout::OnePerDevice, 1}},
    {"zb-h2", {StageLayout::OnePerDevice, 1}},
    {"interleaved-zero-bubble", {StageLayout::Loop, 2}},
    {"zbv", {StageLayout::V, 2}},
    {"v-half", {StageLayout::V, 2}},
    {"v-min", {StageLayout::V, 2}},
    {"dualpipev", {StageLayout::V, 2}},
};

}  // namespace

const std::vector<std::string>& availableScheduleNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const NamedLayout& schedule : kSchedules) all.emplace_back(schedule.name);
    all.emplace_back(kAutoSchedule);
    return all;
  }();
  return names;
}

bool isPipelineSchedule(std::string_view name) {
  return name != "single" && name != "model_parallel";
}

ScheduleLayout layoutOf(std::string_view schedule) {
  for (const NamedLayout& known : kSchedules) {
    if (known.name == schedule) return known.layout;
  }
  return {};
}

Status checkChunks(std::string_view schedule, int chunks) {
  const ScheduleLayout own = layoutOf(schedule);
  if (chunks < 1 || chunks > kMostChunks) {
    return fail(ErrorCode::Invalid, "a device has at least one chunk and at most " +
                                        std::to_string(kMostChunks) + ", not " +
                                        std::to_string(chunks));
  }
  const bool any = own.layout == StageLayout::Loop ||
                   (own.layout == StageLayout::Free && isPipelineSchedule(schedule));
  if (any || chunks == own.chunks) return {};
  return fail(ErrorCode::Invalid,
              std::string(schedule) + " places " + (own.chunks == 1 ? "one stage" : "two stages") +
                  " on each device, not " + std::to_string(chunks),
              {}, "Leave chunks out");
}

std::vector<int> rowsOfStages(StageLayout layout, int devices, int chunks) {
  std::vector<int> rows;
  for (int stage = 0; stage < devices * chunks; ++stage) {
    rows.push_back(layout == StageLayout::V ? std::min(stage, 2 * devices - 1 - stage)
                                            : stage % devices);
  }
  return rows;
}

std::vector<std::size_t> stagesInRuns(const std::vector<int>& rows, const std::vector<int>& runs) {
  std::vector<std::size_t> counts;
  std::size_t stage = 0;
  for (const int run : runs) {
    const std::size_t begin = stage;
    while (stage < rows.size() && rows[stage] == run) ++stage;
    if (stage == begin) return {};
    counts.push_back(stage - begin);
  }
  return stage == rows.size() ? counts : std::vector<std::size_t>{};
}

}  // namespace stagelane::plan
