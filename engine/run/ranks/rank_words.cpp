#include "engine/run/ranks/rank_words.h"

#include <string>

#include "engine/base/text_member.h"
#include "engine/record/run_record.h"

namespace stagelane::run {

Json stateOf(const RankState& state) {
  const Json json = Json::parse(state.text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json : Json::object();
}

void addTurn(Json& row, const Json& state) {
  if (textMember(state, "do") != "turn") return;
  row["variant"] = textMember(state, "variant");
  row["repeat"] = state.value("repeat", -1) + 1;
}

void setPlace(Error& error, const Json& state) {
  const auto doing = state.find("doing");
  if (doing == state.end() || !doing->is_object()) return;
  Failure& failure = error.failure;
  failure.variant = textMember(state, "variant");
  if (const std::string device = textMember(*doing, "device"); !device.empty()) {
    failure.device = {device};
  }
  failure.stage = {doing->value("stage", -1)};
  failure.microBatch = {doing->value("micro_batch", -1)};
  failure.action = actionKindFromWord(textMember(*doing, "action"));
  if (!failure.action) return;
  error.message += " during " + std::string(word(*failure.action)) + " of stage " +
                   std::to_string(failure.stage.value);
  if (failure.microBatch.valid()) {
    error.message += ", micro-batch " + std::to_string(failure.microBatch.value);
  }
  error.message += " on " + failure.device.value;
}

}  // namespace stagelane::run
