#include "engine/schedule/text_forms.h"

#include <algorithm>

#include "engine/schedule/generators.h"

namespace stagelane::schedule {
namespace {

std::string joined(const Schedule& schedule, char separator) {
  std::string text;
  for (const std::vector<Action>& row : schedule.actions) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += separator;
      text += cell(row[i]);
    }
    text += '\n';
  }
  return text;
}

/// Unit costs: a device's whole model part takes F = I = W = 1, so a chunk of v takes 1/v.
struct UnitPlay {
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> spans;  ///< row → (start, end)
  std::int64_t makespan = 0;
  std::int64_t idle = 0;  ///< largest inside a row's own window
  int peak = 0;           ///< live (stage, micro-batch) pairs
  std::int64_t work = 0;  ///< of the busiest row
  bool complete = false;
};

std::int64_t unitsOf(ActionKind kind) { return kind == ActionKind::Backward ? 2 : 1; }

/// Plays compute actions with unit costs and no transfers, in rounds over the rows.
class UnitPlayer {
 public:
  explicit UnitPlayer(const Schedule& schedule)
      : m_schedule(schedule),
        m_microBatches(static_cast<std::size_t>(schedule.microBatches)),
        m_forward(static_cast<std::size_t>(schedule.stages) * m_microBatches, -1),
        m_backward(m_forward) {}
  UnitPlay run();

 private:
  [[nodiscard]] std::size_t at(std::int32_t stage, std::int32_t microBatch) const {
    return static_cast<std::size_t>(stage) * m_microBatches + static_cast<std::size_t>(microBatch);
  }
  [[nodiscard]] std::int64_t readyAt(const Action& action) const;
  void playRow(std::size_t row, UnitPlay& play);
  void summarise(UnitPlay& play) const;

  const Schedule& m_schedule;
  std::size_t m_microBatches;
  std::vector<std::int64_t> m_forward;   ///< end of F, -1 until then
  std::vector<std::int64_t> m_backward;  ///< end of B or I
};

/// When what the action needs is there, -1 when it is not yet.
std::int64_t UnitPlayer::readyAt(const Action& action) const {
  const std::int32_t s = action.stage.value;
  const std::int32_t k = action.microBatch.value;
  if (action.kind == ActionKind::Forward) return s == 0 ? 0 : m_forward[at(s - 1, k)];
  if (action.kind == ActionKind::BackwardWeight) return m_backward[at(s, k)];
  if (s + 1 < m_schedule.stages) return m_backward[at(s + 1, k)];
  if (m_schedule.lossMode == LossMode::PerMicroBatch) return m_forward[at(s, k)];
  std::int64_t latest = 0;
  for (std::int32_t each = 0; each < m_schedule.microBatches; ++each) {
    const std::int64_t end = m_forward[at(s, each)];
    if (end < 0) return -1;
    latest = std::max(latest, end);
  }
  return latest;
}

void UnitPlayer::playRow(std::size_t row, UnitPlay& play) {
  auto& spans = play.spans[row];
  while (spans.size() < m_schedule.actions[row].size()) {
    const Action& action = m_schedule.actions[row][spans.size()];
    const std::int64_t ready = readyAt(action);
    if (ready < 0) return;
    const std::int64_t start = std::max(ready, spans.empty() ? 0 : spans.back().second);
    const std::int64_t end = start + unitsOf(action.kind);
    spans.emplace_back(start, end);
    const std::size_t place = at(action.stage.value, action.microBatch.value);
    if (action.kind == ActionKind::Forward) {
      m_forward[place] = end;
    } else if (action.kind != ActionKind::BackwardWeight) {
      m_backward[place] = end;
    }
  }
}

void UnitPlayer::summarise(UnitPlay& play) const {
  play.complete = true;
  for (std::size_t row = 0; row < play.spans.size(); ++row) {
    const auto& actions = m_schedule.actions[row];
    const auto& spans = play.spans[row];
    if (spans.size() != actions.size()) play.complete = false;
    if (spans.empty()) continue;
    std::int64_t work = 0;
    int live = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      work += spans[i].second - spans[i].first;
      if (actions[i].kind == ActionKind::Forward) play.peak = std::max(play.peak, ++live);
      if (actions[i].kind == ActionKind::Backward ||
          actions[i].kind == ActionKind::BackwardWeight) {
        --live;
      }
    }
    play.makespan = std::max(play.makespan, spans.back().second);
    play.idle = std::max(play.idle, spans.back().second - spans.front().first - work);
    play.work = std::max(play.work, work);
  }
}

UnitPlay UnitPlayer::run() {
  UnitPlay play;
  play.spans.resize(m_schedule.actions.size());
  for (std::size_t before = 1, after = 0; before != after;) {
    before = after;
    after = 0;
    for (std::size_t row = 0; row < m_schedule.actions.size(); ++row) {
      playRow(row, play);
      after += play.spans[row].size();
    }
  }
  summarise(play);
  return play;
}

int chunksOf(const Schedule& schedule) {
  return std::max(1, (schedule.stages + schedule.devices - 1) / std::max(1, schedule.devices));
}

/// `loop` (stage s on device s mod p), `v` (stages d and 2p−1−d on device d) or `other`.
std::string layoutOf(const Schedule& schedule) {
  const int p = schedule.devices;
  bool loop = true;
  bool v = schedule.stages == 2 * p;
  for (int s = 0; s < schedule.stages; ++s) {
    const int row = schedule.deviceOfStage[static_cast<std::size_t>(s)];
    loop = loop && row == s % p;
    v = v && row == std::min(s, 2 * p - 1 - s);
  }
  return loop ? "loop" : v ? "v" : "other";
}

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

std::string toText(const Schedule& schedule) { return joined(schedule, ' '); }
std::string toCsv(const Schedule& schedule) { return joined(schedule, ','); }

Json toJson(const Schedule& schedule) {
  const UnitPlay play = UnitPlayer(schedule).run();
  const double chunks = chunksOf(schedule);
  Json actions = Json::array();
  for (const std::vector<Action>& row : schedule.actions) {
    Json cells = Json::array();
    for (const Action& action : row) cells.push_back(cell(action));
    actions.push_back(std::move(cells));
  }
  Json answer;
  answer["schedule"] = schedule.name;
  answer["devices"] = schedule.devices;
  answer["microbatches"] = schedule.microBatches;
  answer["chunks"] = chunksOf(schedule);
  answer["layout"] = layoutOf(schedule);
  answer["makespan"] = static_cast<double>(play.makespan) / chunks;
  answer["idle"] = static_cast<double>(play.idle) / chunks;
  answer["peak"] = play.peak / chunks;
  answer["work"] = static_cast<double>(play.work) / chunks;
  answer["actions"] = std::move(actions);
  return answer;
}

std::string toSvg(const Schedule& schedule) {
  const UnitPlay play = UnitPlayer(schedule).run();
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
