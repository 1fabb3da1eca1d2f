#include "engine/base/result.h"

namespace stagelane {

std::string describe(const Error& error) {
  std::string text = error.message;
  if (!error.context.empty()) text += " (at " + error.context + ")";
  if (!error.hint.empty()) text += ". " + error.hint;
  return text;
}

}  // namespace stagelane
