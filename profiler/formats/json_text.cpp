#include "profiler/formats/json_text.h"

#include <fmt/format.h>

#include <charconv>

#include "engine/base/json.h"

namespace stagelane::formats::detail {

std::string micros(TimeNs timeNs) {
  constexpr TimeNs kNsPerUs = 1000;
  const TimeNs whole = timeNs / kNsPerUs;
  const TimeNs rest = timeNs % kNsPerUs;
  const char* const sign = timeNs < 0 ? "-" : "";
  return fmt::format("{}{}.{:03}", sign, whole < 0 ? -whole : whole, rest < 0 ? -rest : rest);
}

std::string jsonText(std::string_view text) {
  return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::uint32_t streamOf(const trace::Track& track, std::uint32_t otherwise) {
  const std::size_t digits = track.name.find_last_not_of("0123456789") + 1;
  std::uint32_t number = 0;
  const char* const end = track.name.data() + track.name.size();
  const auto read = std::from_chars(track.name.data() + digits, end, number);
  return read.ec == std::errc() && read.ptr == end ? number : otherwise;
}

}  // namespace stagelane::formats::detail
