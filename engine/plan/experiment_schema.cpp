#include "engine/plan/experiment_schema.h"

#include "engine/plan/strategies.h"
#include "engine/schedule/methods.h"

namespace stagelane::plan {

Result<Json> withNames(Json schema) {
  const Json::json_pointer schedules("/$defs/schedule/anyOf/0");
  const Json::json_pointer strategy("/$defs/variant/properties/strategy");
  for (const Json::json_pointer& place : {schedules, strategy}) {
    if (schema.contains(place)) continue;
    return fail(ErrorCode::Invalid, "the schema lacks a key for names", place.to_string(),
                "Restore the key");
  }
  schema[schedules] = {{"enum", schedule::allScheduleNames()}};
  Json names = Json::array();
  for (const StrategyRow& row : strategies()) names.push_back(row.name);
  const std::vector<std::string> later = strategyNames(&StrategyRow::available, false);
  schema[strategy] = {
      {"enum", std::move(names)},
      {"description", inWords(later, " and ") + " are not available in this version."}};
  return schema;
}

}  // namespace stagelane::plan
