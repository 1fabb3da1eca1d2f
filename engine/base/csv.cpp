#include "engine/base/csv.h"

namespace stagelane {
namespace {

constexpr char kGuard = '\'';
constexpr std::string_view kGuarded = "=+-@\t\r\n'";

}  // namespace

std::string csvField(std::string_view text) {
  const bool guarded = !text.empty() && kGuarded.find(text.front()) != std::string_view::npos;
  const std::string guard(guarded ? 1 : 0, kGuard);
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return guard + std::string(text);
  std::string quoted = "\"" + guard;
  for (const char character : text) {
    quoted += character;
    if (character == '"') quoted += '"';
  }
  return quoted + '"';
}

}  // namespace stagelane
