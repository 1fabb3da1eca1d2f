#include "engine/schedule/methods.h"

#include <algorithm>

#include "engine/schedule/fill.h"

namespace stagelane::schedule {
namespace {

template <class Wanted>
std::vector<std::string> namesOf(Wanted wanted) {
  std::vector<std::string> names;
  for (const Method& method : methods()) {
    if (wanted(method)) names.emplace_back(method.name);
  }
  return names;
}

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> rows;
    for (const auto& family : {detail::basicMethods(), detail::loopMethods(), detail::vMethods()}) {
      rows.insert(rows.end(), family.begin(), family.end());
    }
    rows.push_back({.name = kAutoSchedule,
                    .description = "Searches for the order with the shortest predicted step",
                    .paper = {}});
    return rows;
  }();
  return all;
}

const Method* methodNamed(std::string_view name) {
  const auto found = std::find_if(methods().begin(), methods().end(),
                                  [&](const Method& method) { return method.name == name; });
  return found == methods().end() ? nullptr : &*found;
}

const std::vector<std::string>& allScheduleNames() {
  static const std::vector<std::string> names = namesOf([](const Method&) { return true; });
  return names;
}

const std::vector<std::string>& generatedScheduleNames() {
  static const std::vector<std::string> names =
      namesOf([](const Method& method) { return method.fill != nullptr; });
  return names;
}

const std::vector<std::string>& pipelineScheduleNames() {
  static const std::vector<std::string> names =
      namesOf([](const Method& method) { return method.pipeline; });
  return names;
}

bool isPipelineSchedule(std::string_view name) {
  const Method* method = methodNamed(name);
  return method == nullptr || method->pipeline;
}

ScheduleLayout layoutOf(std::string_view schedule) {
  const Method* method = methodNamed(schedule);
  return method == nullptr ? ScheduleLayout{} : method->layout;
}

Keeps keepsOf(std::string_view schedule) {
  const Method* method = methodNamed(schedule);
  return method == nullptr ? Keeps::Unknown : method->keeps;
}

std::string_view cutsComparedBy(StageLayout layout) {
  const auto compares = [layout](const Method& method) {
    return method.comparesCuts && method.layout.layout == layout;
  };
  return std::find_if(methods().begin(), methods().end(), compares)->name;
}

Status checkChunks(std::string_view schedule, int chunks) {
  const ScheduleLayout own = layoutOf(schedule);
  if (chunks < 1 || chunks > kMostChunks) {
    return fail(ErrorCode::Invalid, "a device has from 1 to " + std::to_string(kMostChunks) +
                                        " chunks, not " + std::to_string(chunks));
  }
  const bool any = own.layout == StageLayout::Loop ||
                   (own.layout == StageLayout::Free && isPipelineSchedule(schedule));
  if (any || chunks == own.chunks) return {};
  return fail(ErrorCode::Invalid,
              std::string(schedule) + " places " + (own.chunks == 1 ? "one stage" : "two stages") +
                  " on each device, not " + std::to_string(chunks),
              {}, "Remove \"chunks\"");
}

}  // namespace stagelane::schedule
