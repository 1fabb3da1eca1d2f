#include "engine/trace/trace.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace stagelane::trace {
namespace {

constexpr std::array<std::string_view, 16> kWords = {
    "F",      "B",   "I",      "W",  "LOSS",   "SEND_F", "RECV_F", "SEND_B",
    "RECV_B", "OPT", "REDUCE", "op", "kernel", "copy",   "sync",   "other"};

bool sameTrack(const Track& left, const Track& right) {
  return std::tie(left.name, left.kind, left.parent, left.device) ==
         std::tie(right.name, right.kind, right.parent, right.device);
}

bool sameStep(const Step& left, const Step& right) {
  return std::tie(left.repeat, left.step, left.startNs, left.endNs, left.extra) ==
         std::tie(right.repeat, right.step, right.startNs, right.endNs, right.extra);
}

bool sameSeries(const CounterSeries& left, const CounterSeries& right) {
  return std::tie(left.track, left.unit, left.timesNs, left.values) ==
         std::tie(right.track, right.unit, right.timesNs, right.values);
}

bool sameTransfer(const Transfer* left, const Transfer* right) {
  if (left == nullptr || right == nullptr) return left == right;
  return std::tie(left->event, left->peer, left->bytes) ==
         std::tie(right->event, right->peer, right->bytes);
}

bool sameEvent(const EventView& left, const EventView& right) {
  return std::tie(left.startNs, left.durationNs, left.name, left.category, left.track, left.stage,
                  left.microBatch, left.correlation, left.categoryWord) ==
         std::tie(right.startNs, right.durationNs, right.name, right.category, right.track,
                  right.stage, right.microBatch, right.correlation, right.categoryWord);
}

bool sameEvents(const Trace& left, const Trace& right) {
  for (std::size_t index = 0; index < left.size(); ++index) {
    if (!sameEvent(left.event(index), right.event(index)) ||
        !sameTransfer(left.transferOf(index), right.transferOf(index))) {
      return false;
    }
  }
  return true;
}

template <class T, class Same>
bool sameAll(const std::vector<T>& left, const std::vector<T>& right, Same same) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

}  // namespace

std::string_view word(Category category) {
  const auto index = static_cast<std::size_t>(category);
  return index < kWords.size() ? kWords[index] : kWords.back();
}

Category categoryFromWord(std::string_view text) {
  const auto* found = std::find(kWords.begin(), kWords.end(), text);
  return found == kWords.end() ? Category::Other : static_cast<Category>(found - kWords.begin());
}

EventView Trace::event(std::size_t index) const {
  EventView view;
  view.startNs = m_data.startNs[index];
  view.durationNs = m_data.durationNs[index];
  view.name = m_data.names[m_data.name[index]];
  view.category = m_data.category[index];
  view.track = m_data.track[index];
  view.stage = StageId{m_data.stage[index]};
  view.microBatch = MicroBatchId{m_data.microBatch[index]};
  view.correlation = m_data.correlation[index];
  view.categoryWord = m_data.categoryWords[m_data.categoryWord[index]];
  return view;
}

std::pair<std::size_t, std::size_t> Trace::rangeOfTrack(std::size_t track) const {
  if (track + 1 >= m_data.trackBegin.size()) return {0, 0};
  return {m_data.trackBegin[track], m_data.trackBegin[track + 1]};
}

const Transfer* Trace::transferOf(std::size_t event) const {
  const auto found = std::lower_bound(
      m_data.transfers.begin(), m_data.transfers.end(), event,
      [](const Transfer& transfer, std::size_t value) { return transfer.event < value; });
  return found != m_data.transfers.end() && found->event == event ? &*found : nullptr;
}

std::span<const Flow> Trace::flowsFrom(std::size_t event) const {
  const auto first =
      std::lower_bound(m_data.flows.begin(), m_data.flows.end(), event,
                       [](const Flow& flow, std::size_t value) { return flow.from < value; });
  const auto last = std::find_if(first, m_data.flows.end(),
                                 [event](const Flow& flow) { return flow.from != event; });
  return {first, last};
}

std::span<const std::uint32_t> Trace::flowsInto(std::size_t event) const {
  const auto& order = m_data.flowsByTarget;
  const auto first = std::lower_bound(
      order.begin(), order.end(), event,
      [this](std::uint32_t flow, std::size_t value) { return m_data.flows[flow].to < value; });
  const auto last = std::find_if(first, order.end(), [this, event](std::uint32_t flow) {
    return m_data.flows[flow].to != event;
  });
  return {first, last};
}

bool operator==(const Trace& left, const Trace& right) {
  return left.size() == right.size() && left.devices() == right.devices() &&
         left.metadata() == right.metadata() && left.predicted() == right.predicted() &&
         left.droppedEvents() == right.droppedEvents() &&
         sameAll(left.tracks(), right.tracks(), sameTrack) &&
         sameAll(left.steps(), right.steps(), sameStep) &&
         sameAll(left.counters(), right.counters(), sameSeries) &&
         left.data().flows == right.data().flows && sameEvents(left, right);
}

}  // namespace stagelane::trace
