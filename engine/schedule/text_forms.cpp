#include "engine/schedule/text_forms.h"

#include "engine/schedule/methods.h"
#include "engine/schedule/unit_play.h"

namespace stagelane::schedule {
namespace {

std::string joined(const Schedule& schedule, char separator) {
  std::string text;
  for (const std::vector<Action>& row : schedule.actions) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += separator;
      text += cell(row[i]);
    }
    text += '\n';
  }
  return text;
}

/// `loop` (stage s on device s mod p), `v` (stages d and 2p−1−d on device d) or `other`. For one
/// device both hold, and the method decides.
std::string layoutWord(const Schedule& schedule) {
  const auto is = [&](StageLayout layout) {
    return schedule.stages % schedule.devices == 0 &&
           schedule.rows ==
               rowsOfStages(layout, schedule.devices, schedule.stages / schedule.devices);
  };
  const bool v = schedule.stages == 2 * schedule.devices && is(StageLayout::V);
  const bool vMethod = layoutOf(schedule.name).layout == StageLayout::V;
  if (v && (vMethod || schedule.devices > 1)) return "v";
  return is(StageLayout::Loop) ? "loop" : "other";
}

}  // namespace

std::string toText(const Schedule& schedule) { return joined(schedule, ' '); }
std::string toCsv(const Schedule& schedule) { return joined(schedule, ','); }

Json toJson(const Schedule& schedule) {
  const UnitPlay play = playUnits(schedule);
  const double chunks = chunksOf(schedule);
  Json actions = Json::array();
  for (const std::vector<Action>& row : schedule.actions) {
    Json cells = Json::array();
    for (const Action& action : row) cells.push_back(cell(action));
    actions.push_back(std::move(cells));
  }
  Json answer;
  answer["schedule"] = schedule.name;
  answer["devices"] = schedule.devices;
  answer["microbatches"] = schedule.microBatches;
  answer["chunks"] = chunksOf(schedule);
  answer["layout"] = layoutWord(schedule);
  answer["makespan"] = static_cast<double>(play.makespan) / chunks;
  answer["idle"] = static_cast<double>(play.idle) / chunks;
  answer["peak"] = play.peak / chunks;
  answer["work"] = static_cast<double>(play.work) / chunks;
  answer["actions"] = std::move(actions);
  return answer;
}

}  // namespace stagelane::schedule
