#include "engine/schedule/unit_play.h"

#include <algorithm>

namespace stagelane::schedule {
namespace {

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
  void summarize(UnitPlay& play) const;

  const Schedule& m_schedule;
  std::size_t m_microBatches;
  std::vector<std::int64_t> m_forward;   ///< end of F, -1 until then
  std::vector<std::int64_t> m_backward;  ///< end of B or I
};

/// The time when the inputs of the action are available, -1 if not yet.
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

void UnitPlayer::summarize(UnitPlay& play) const {
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
  summarize(play);
  return play;
}

}  // namespace

UnitPlay playUnits(const Schedule& schedule) { return UnitPlayer(schedule).run(); }

int chunksOf(const Schedule& schedule) {
  return std::max(1, (schedule.stages + schedule.devices - 1) / std::max(1, schedule.devices));
}

}  // namespace stagelane::schedule
