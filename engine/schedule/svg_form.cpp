#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "engine/schedule/text_forms.h"
#include "engine/schedule/unit_play.h"

namespace stagelane::schedule {
namespace {

struct Look {
  ActionKind kind;
  std::array<int, 3> color;
  const char* meaning;
};
/// The colors of the window's timeline.
constexpr std::array<Look, 4> kLooks{{
    {ActionKind::Forward, {91, 143, 217}, "forward"},
    {ActionKind::Backward, {224, 164, 88}, "backward"},
    {ActionKind::BackwardInput, {107, 181, 160}, "input gradient"},
    {ActionKind::BackwardWeight, {183, 139, 208}, "weight gradient"},
}};

constexpr int kRowHeight = 32;
constexpr int kRowGap = 4;
constexpr int kLabelWidth = 74;
constexpr int kHeadHeight = 30;
constexpr int kFootHeight = 34;
constexpr int kMargin = 10;
constexpr int kLetterWidth = 7;
constexpr int kLeastUnitWidth = 28;
constexpr int kLeastWidth = 600;  ///< of the header and footer

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// A schedule's picture: one lane per device, later chunks of a device in lighter colors.
class Picture {
 public:
  explicit Picture(const Schedule& schedule);
  std::string draw();

 private:
  [[nodiscard]] std::string color(ActionKind kind, int stage) const;
  [[nodiscard]] std::int64_t xOf(std::int64_t time) const {
    return kLabelWidth + time * m_unitWidth;
  }
  void rect(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
            const std::string& rest);
  void text(std::int64_t x, std::int64_t y, const std::string& rest, const std::string& words);
  void drawHead();
  void drawRow(std::size_t row);
  void drawFoot();

  const Schedule& m_schedule;
  UnitPlay m_play;
  std::vector<int> m_chunkOfStage;  ///< number of earlier stages on its row
  std::array<bool, kLooks.size()> m_uses{};
  int m_chunks;
  std::int64_t m_unitWidth = kLeastUnitWidth;
  std::int64_t m_width = 0;
  std::int64_t m_height = 0;
  std::string m_svg;
};

Picture::Picture(const Schedule& schedule)
    : m_schedule(schedule), m_play(playUnits(schedule)), m_chunks(chunksOf(schedule)) {
  std::vector<int> seen(schedule.actions.size(), 0);
  for (int stage = 0; stage < schedule.stages; ++stage) {
    const int row = schedule.rows.row(stage);
    m_chunkOfStage.push_back(seen[static_cast<std::size_t>(row)]++);
  }
  std::size_t longest = 3;
  for (const auto& row : schedule.actions) {
    for (const Action& action : row) {
      m_uses[static_cast<std::size_t>(action.kind)] = true;
      // A backward is two units wide.
      const std::size_t letters = cell(action).size();
      longest = std::max(longest, action.kind == ActionKind::Backward ? letters / 2 + 1 : letters);
    }
  }
  m_unitWidth = std::max<std::int64_t>(kLeastUnitWidth,
                                       static_cast<std::int64_t>(longest) * kLetterWidth + 4);
  m_width = std::max<std::int64_t>(xOf(m_play.makespan) + kMargin, kLeastWidth);
  m_height =
      kHeadHeight + static_cast<std::int64_t>(schedule.actions.size()) * kRowHeight + kFootHeight;
}

std::string Picture::color(ActionKind kind, int stage) const {
  const Look& look = kLooks[static_cast<std::size_t>(kind)];
  const int steps = std::max(1, m_chunks - 1);
  const int chunk = std::min(m_chunkOfStage[static_cast<std::size_t>(stage)], steps);
  char text[8];
  const auto mixed = [&](int part) { return part + (255 - part) * chunk * 55 / (steps * 100); };
  std::snprintf(text, sizeof text, "#%02x%02x%02x", mixed(look.color[0]) & 255,
                mixed(look.color[1]) & 255, mixed(look.color[2]) & 255);
  return text;
}

void Picture::rect(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
                   const std::string& rest) {
  m_svg += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
           std::to_string(width) + "\" height=\"" + std::to_string(height) + "\" " + rest;
}

void Picture::text(std::int64_t x, std::int64_t y, const std::string& rest,
                   const std::string& words) {
  m_svg += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\"" + rest + ">" +
           words + "</text>\n";
}

void Picture::drawHead() {
  text(kMargin, 19, " font-weight=\"bold\"", m_schedule.name);
  std::int64_t x = m_width - kMargin;
  for (std::size_t i = kLooks.size(); i-- > 0;) {
    if (!m_uses[i]) continue;
    const std::string words = std::string(word(kLooks[i].kind)) + " " + kLooks[i].meaning;
    x -= static_cast<std::int64_t>(words.size()) * kLetterWidth;
    text(x, 19, " fill=\"#495057\"", words);
    x -= 16;
    char fill[16];
    std::snprintf(fill, sizeof fill, "#%02x%02x%02x", kLooks[i].color[0], kLooks[i].color[1],
                  kLooks[i].color[2]);
    rect(x, 9, 12, 12, "fill=\"" + std::string(fill) + "\"/>\n");
    x -= 14;
  }
}

void Picture::drawRow(std::size_t row) {
  const std::int64_t y = kHeadHeight + static_cast<std::int64_t>(row) * kRowHeight;
  constexpr int kCellHeight = kRowHeight - kRowGap;
  constexpr int kBaseline = kCellHeight / 2 + 4;
  text(kMargin, y + kBaseline, "", "device " + std::to_string(row));
  rect(kLabelWidth, y, m_play.makespan * m_unitWidth, kCellHeight, "fill=\"#f1f3f5\"/>\n");
  for (std::size_t i = 0; i < m_play.spans[row].size(); ++i) {
    const Action& action = m_schedule.actions[row][i];
    const auto [start, end] = m_play.spans[row][i];
    const std::int64_t width = (end - start) * m_unitWidth;
    rect(xOf(start), y, width - 1, kCellHeight,
         "rx=\"2\" fill=\"" + color(action.kind, action.stage.value) + "\"/>");
    text(xOf(start) + width / 2, y + kBaseline, " text-anchor=\"middle\"", cell(action));
  }
}

void Picture::drawFoot() {
  const double v = m_chunks;
  text(kMargin, m_height - 13, " fill=\"#495057\"",
       "unit costs (F = I = W = 1, B = 2 per device): makespan " +
           number(static_cast<double>(m_play.makespan) / v) + ", largest idle " +
           number(static_cast<double>(m_play.idle) / v) + ", peak activations " +
           number(m_play.peak / v));
}

std::string Picture::draw() {
  const std::string size = std::to_string(m_width) + "\" height=\"" + std::to_string(m_height);
  m_svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " +
          std::to_string(m_width) + " " + std::to_string(m_height) +
          "\" font-family=\"Noto Sans, DejaVu Sans, sans-serif\" font-size=\"11\" "
          "fill=\"#212529\">\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  drawHead();
  for (std::size_t row = 0; row < m_schedule.actions.size(); ++row) drawRow(row);
  drawFoot();
  return std::move(m_svg) + "</svg>\n";
}

}  // namespace

std::string toSvg(const Schedule& schedule) { return Picture(schedule).draw(); }

}  // namespace stagelane::schedule
