#include "engine/record/failure_json.h"

#include <cstdint>

#include "engine/base/text_member.h"

namespace stagelane::record {
namespace {

/// -1 if the member is absent or not an integer.
std::int32_t indexOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<std::int32_t>() : -1;
}

}  // namespace

Json failureToJson(const Failure& failure) {
  Json json{{"kind", word(failure.kind)}};
  if (!failure.variant.empty()) json["variant"] = failure.variant;
  if (failure.device.valid()) json["device"] = failure.device.value;
  if (failure.stage.valid()) json["stage"] = failure.stage.value;
  if (failure.microBatch.valid()) json["micro_batch"] = failure.microBatch.value;
  if (failure.action) json["action"] = word(*failure.action);
  if (failure.rank >= 0) json["rank"] = failure.rank;
  if (!failure.host.empty()) json["host"] = failure.host;
  return json;
}

std::optional<Failure> failureFromJson(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Failure failure;
  failure.kind = failureKindFromWord(textMember(json, "kind")).value_or(FailureKind::Unknown);
  failure.variant = textMember(json, "variant");
  failure.device = {textMember(json, "device")};
  failure.stage = {indexOf(json, "stage")};
  failure.microBatch = {indexOf(json, "micro_batch")};
  failure.action = actionKindFromWord(textMember(json, "action"));
  failure.rank = indexOf(json, "rank");
  failure.host = textMember(json, "host");
  return failure;
}

}  // namespace stagelane::record
