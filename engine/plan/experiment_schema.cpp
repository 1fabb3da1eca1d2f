#include "engine/plan/experiment_schema.h"

#include "engine/schedule/methods.h"

namespace stagelane::plan {

Result<Json> withScheduleNames(Json schema) {
  const Json::json_pointer place("/$defs/schedule/anyOf/0");
  if (!schema.contains(place)) {
    return fail(ErrorCode::Invalid, "the schema lacks the key for schedule names",
                place.to_string(), "Restore the key");
  }
  schema[place] = {{"enum", schedule::allScheduleNames()}};
  return schema;
}

}  // namespace stagelane::plan
