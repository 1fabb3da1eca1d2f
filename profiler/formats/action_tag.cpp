#include "profiler/formats/action_tag.h"

#include <algorithm>
#include <charconv>

#include "engine/trace/trace.h"

namespace stagelane::formats::detail {
namespace {

/// Removes the first word and returns it.
std::string_view takeWord(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(begin);
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

std::int64_t numberOf(std::string_view text) {
  std::int64_t value = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? value : -1;
}

}  // namespace

std::optional<ActionTag> parseActionTag(std::string_view name) {
  constexpr std::string_view kMark = "stagelane ";
  if (name.substr(0, kMark.size()) != kMark) return std::nullopt;
  name.remove_prefix(kMark.size());
  ActionTag tag;
  tag.action = takeWord(name);
  if (!trace::actionKindOf(trace::categoryFromWord(tag.action))) return std::nullopt;
  for (std::string_view word = takeWord(name); !word.empty(); word = takeWord(name)) {
    const std::size_t equals = word.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
    const std::string_view key = word.substr(0, equals);
    if (key == "stage") {
      tag.stage = numberOf(value);
    } else if (key == "micro_batch") {
      tag.microBatch = numberOf(value);
    } else if (key == "device") {
      tag.device = value;
    }
  }
  return tag;
}

}  // namespace stagelane::formats::detail
