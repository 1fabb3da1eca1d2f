#include "engine/schedule/action.h"

namespace stagelane::schedule {

std::string cell(const Action& action) {
  std::string text;
  if (action.kind == ActionKind::Optimizer) return "OPT";
  if (action.stage.valid()) text += std::to_string(action.stage.value);
  text += word(action.kind);
  if (action.microBatch.valid()) text += std::to_string(action.microBatch.value);
  return text;
}

}  // namespace stagelane::schedule
