#include <string>

#include "engine/schedule/text_forms.h"
#include "engine/schedule/unit_play.h"

namespace stagelane::schedule {
namespace {

/// A colour a kind, and text that is readable on it.
const char* colourOf(ActionKind kind) {
  switch (kind) {
    case ActionKind::Forward: return "#5b8fd9";
    case ActionKind::Backward: return "#e0a458";
    case ActionKind::BackwardInput: return "#6bb5a0";
    default: return "#b78bd0";
  }
}

constexpr int kUnitWidth = 28;
constexpr int kRowHeight = 30;
constexpr int kLabelWidth = 80;

std::string svgCell(const Action& action, std::int64_t start, std::int64_t end, std::size_t row) {
  const std::int64_t x = kLabelWidth + start * kUnitWidth;
  const std::int64_t y = static_cast<std::int64_t>(row) * kRowHeight + 4;
  const std::int64_t width = (end - start) * kUnitWidth;
  std::string text =
      "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
      std::to_string(width - 1) + "\" height=\"" + std::to_string(kRowHeight - 4) + "\" fill=\"" +
      colourOf(action.kind) + "\"/><text x=\"" + std::to_string(x + width / 2) + "\" y=\"" +
      std::to_string(y + 17) + "\" text-anchor=\"middle\">" + cell(action) + "</text>\n";
  return text;
}

}  // namespace

std::string toSvg(const Schedule& schedule) {
  const UnitPlay play = playUnits(schedule);
  const std::int64_t width = kLabelWidth + play.makespan * kUnitWidth + 8;
  const auto height = static_cast<std::int64_t>(schedule.actions.size()) * kRowHeight + 8;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(width) +
                    "\" height=\"" + std::to_string(height) + "\" viewBox=\"0 0 " +
                    std::to_string(width) + " " + std::to_string(height) +
                    "\" font-family=\"Noto Sans, sans-serif\" font-size=\"11\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  for (std::size_t row = 0; row < schedule.actions.size(); ++row) {
    const auto y = static_cast<std::int64_t>(row) * kRowHeight + 21;
    svg +=
        "<text x=\"4\" y=\"" + std::to_string(y) + "\">device " + std::to_string(row) + "</text>\n";
    for (std::size_t i = 0; i < play.spans[row].size(); ++i) {
      svg += svgCell(schedule.actions[row][i], play.spans[row][i].first, play.spans[row][i].second,
                     row);
    }
  }
  return svg + "</svg>\n";
}

}  // namespace stagelane::schedule
