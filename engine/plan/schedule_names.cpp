#include "engine/plan/schedule_names.h"

namespace stagelane::plan {

const std::vector<std::string>& availableScheduleNames() {
  static const std::vector<std::string> names{"single", "model_parallel", "tutorial", "gpipe",
                                              "1f1b"};
  return names;
}

const std::vector<std::string>& plannedScheduleNames() {
  static const std::vector<std::string> names{
      "interleaved-1f1b", "looped-bfs", "zb-h1",     "zb-h2", "interleaved-zero-bubble", "zbv",
      "v-half",           "v-min",      "dualpipev", "auto"};
  return names;
}

bool isPipelineSchedule(std::string_view name) {
  return name != "single" && name != "model_parallel";
}

}  // namespace stagelane::plan
