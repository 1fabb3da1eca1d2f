#include "engine/trace/event_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include "engine/trace/trace_builder.h"

namespace stagelane::trace::detail {
namespace {

/// Stable sort of one track's event numbers, which in most files are already ordered.
void sortTrack(const TraceData& columns, std::uint32_t* first, std::uint32_t* last) {
  const auto before = [&columns](std::uint32_t left, std::uint32_t right) {
    return std::tie(columns.startNs[left], columns.durationNs[right]) <
           std::tie(columns.startNs[right], columns.durationNs[left]);
  };
  if (!std::is_sorted(first, last, before)) std::stable_sort(first, last, before);
}

template <class T>
void gather(std::vector<T>& column, const std::vector<std::uint32_t>& order) {
  std::vector<T> sorted(order.size());
  for (std::size_t index = 0; index < order.size(); ++index) sorted[index] = column[order[index]];
  column = std::move(sorted);
}

/// Which ends of flows an event can be. The two directions of transfers and launches are separate.
enum class End : std::uint8_t { None, SendForward, SendBackward, Launch };

End sourceOf(Category category) {
  switch (category) {
    case Category::SendForward: return End::SendForward;
    case Category::SendBackward: return End::SendBackward;
    case Category::Operator:
    case Category::Other: return End::Launch;
    default: return End::None;
  }
}

End targetOf(Category category) {
  switch (category) {
    case Category::RecvForward: return End::SendForward;
    case Category::RecvBackward: return End::SendBackward;
    case Category::Kernel:
    case Category::Copy:
    case Category::Sync: return End::Launch;
    default: return End::None;
  }
}

struct Source {
  std::uint32_t correlation = 0;
  End end = End::None;
  TimeNs startNs = 0;
  std::uint32_t place = 0;
};

bool before(const Source& left, const Source& right) {
  return std::tie(left.correlation, left.end, left.startNs, left.place) <
         std::tie(right.correlation, right.end, right.startNs, right.place);
}

std::vector<Source> sortedSources(const TraceData& columns) {
  std::vector<Source> sources;
  for (std::size_t place = 0; place < columns.startNs.size(); ++place) {
    const End end = sourceOf(columns.category[place]);
    if (end != End::None && columns.correlation[place] != 0) {
      sources.push_back({columns.correlation[place], end, columns.startNs[place],
                         static_cast<std::uint32_t>(place)});
    }
  }
  if (!std::is_sorted(sources.begin(), sources.end(), before)) {
    std::sort(sources.begin(), sources.end(), before);
  }
  return sources;
}

}  // namespace

std::vector<std::uint32_t> sortedOrder(const TraceData& columns, std::size_t tracks,
                                       std::vector<std::uint64_t>& trackBegin) {
  trackBegin.assign(tracks + 1, 0);
  for (const std::uint16_t track : columns.track) ++trackBegin[track + std::size_t{1}];
  std::partial_sum(trackBegin.begin(), trackBegin.end(), trackBegin.begin());
  std::vector<std::uint64_t> next = trackBegin;
  std::vector<std::uint32_t> order(columns.track.size());
  for (std::size_t number = 0; number < order.size(); ++number) {
    order[next[columns.track[number]]++] = static_cast<std::uint32_t>(number);
  }
  for (std::size_t track = 0; track < tracks; ++track) {
    sortTrack(columns, order.data() + trackBegin[track], order.data() + trackBegin[track + 1]);
  }
  return order;
}

void applyOrder(TraceData& columns, const std::vector<std::uint32_t>& order) {
  gather(columns.startNs, order);
  gather(columns.durationNs, order);
  gather(columns.name, order);
  gather(columns.correlation, order);
  gather(columns.microBatch, order);
  gather(columns.track, order);
  gather(columns.stage, order);
  gather(columns.category, order);
  gather(columns.categoryWord, order);
}

void addCorrelated(const TraceData& columns, std::vector<Flow>& flows) {
  const std::vector<Source> sources = sortedSources(columns);
  if (sources.empty()) return;
  for (std::size_t place = 0; place < columns.startNs.size(); ++place) {
    const std::uint32_t correlation = columns.correlation[place];
    const End end = targetOf(columns.category[place]);
    if (end == End::None || correlation == 0) continue;
    // Correlation numbers may repeat (in the next repeat), so take the nearest source: the last one
    // that began before, else the first.
    const Source now{correlation, end, columns.startNs[place], TraceBuilder::kNoEvent};
    const auto next = std::upper_bound(sources.begin(), sources.end(), now, before);
    const auto matches = [&](auto source) {
      return source->correlation == correlation && source->end == end;
    };
    if (next != sources.begin() && matches(next - 1)) {
      flows.push_back({(next - 1)->place, static_cast<std::uint32_t>(place)});
    } else if (next != sources.end() && matches(next)) {
      flows.push_back({next->place, static_cast<std::uint32_t>(place)});
    }
  }
}

void finishFlows(TraceData& columns) {
  std::vector<Flow>& flows = columns.flows;
  flows.erase(std::remove_if(flows.begin(), flows.end(),
                             [](const Flow& flow) { return flow.from == flow.to; }),
              flows.end());
  std::sort(flows.begin(), flows.end());
  flows.erase(std::unique(flows.begin(), flows.end()), flows.end());
  flows.shrink_to_fit();
  columns.flowsByTarget.resize(flows.size());
  std::iota(columns.flowsByTarget.begin(), columns.flowsByTarget.end(), 0U);
  std::sort(columns.flowsByTarget.begin(), columns.flowsByTarget.end(),
            [&flows](std::uint32_t left, std::uint32_t right) {
              return std::tie(flows[left].to, left) < std::tie(flows[right].to, right);
            });
}

}  // namespace stagelane::trace::detail

namespace stagelane::trace {

std::vector<Flow> correlatedFlows(const Trace& trace) {
  std::vector<Flow> flows;
  detail::addCorrelated(trace.data(), flows);
  std::sort(flows.begin(), flows.end());
  return flows;
}

}  // namespace stagelane::trace
