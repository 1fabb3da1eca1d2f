#include "profiler/formats/flow_resolver.h"

#include <algorithm>
#include <tuple>

namespace stagelane::formats::detail {
namespace {

/// How many slices that start before a time to check for one that contains it.
constexpr int kMostLookedAt = 64;

/// The slices of one track by their start.
struct TrackSlices {
  struct Item {
    TimeNs startNs = 0;
    TimeNs endNs = 0;
    std::uint32_t slice = 0;
  };
  std::vector<Item> items;

  void sort() {
    std::stable_sort(items.begin(), items.end(), [](const Item& left, const Item& right) {
      return std::tie(left.startNs, right.endNs) < std::tie(right.startNs, left.endNs);
    });
  }

  /// The innermost slice at this time.
  [[nodiscard]] std::uint32_t at(TimeNs timeNs) const {
    auto after =
        std::upper_bound(items.begin(), items.end(), timeNs,
                         [](TimeNs wanted, const Item& item) { return wanted < item.startNs; });
    for (int looked = 0; looked < kMostLookedAt && after != items.begin(); ++looked) {
      --after;
      if (after->endNs >= timeNs) return after->slice;
    }
    return kNoSlice;
  }

  /// The first slice that starts at this time or later.
  [[nodiscard]] std::uint32_t from(TimeNs timeNs) const {
    const auto found =
        std::lower_bound(items.begin(), items.end(), timeNs,
                         [](const Item& item, TimeNs wanted) { return item.startNs < wanted; });
    return found == items.end() ? kNoSlice : found->slice;
  }
};

}  // namespace

FlowResolver::FlowResolver(RawRecords& raw) {
  placeOnSlices(raw);
  join(raw.flows);
  raw.flows = {};
  raw.placedFlows = {};
}

void FlowResolver::placeOnSlices(RawRecords& raw) {
  if (raw.placedFlows.empty()) return;
  std::unordered_map<std::uint32_t, TrackSlices> tracks;
  for (const RawRecords::PlacedFlow& placed : raw.placedFlows) tracks.try_emplace(placed.track);
  for (std::uint32_t number = 0; number < raw.slices.size(); ++number) {
    const RawRecords::Slice& slice = raw.slices[number];
    const auto track = tracks.find(raw.kinds[slice.kind].track);
    if (track != tracks.end() && slice.endNs != RawRecords::kOpen) {
      track->second.items.push_back({slice.startNs, slice.endNs, number});
    }
  }
  for (auto& [track, slices] : tracks) slices.sort();
  for (const RawRecords::PlacedFlow& placed : raw.placedFlows) {
    const TrackSlices& slices = tracks.at(placed.track);
    RawFlowPoint point = placed.point;
    point.slice = placed.next ? slices.from(point.timeNs) : slices.at(point.timeNs);
    if (point.slice == kNoSlice) {
      raw.lose(1, "a flow at " + std::to_string(point.timeNs) + " ns touches no slice");
    } else {
      raw.flows.push_back(point);
    }
  }
}

/// Joins consecutive points of one id. A single start and a single end are joined at any times.
void FlowResolver::join(std::vector<RawFlowPoint>& points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const RawFlowPoint& left, const RawFlowPoint& right) {
                     return std::tie(left.id, left.timeNs, left.ends) <
                            std::tie(right.id, right.timeNs, right.ends);
                   });
  for (std::size_t first = 0; first < points.size();) {
    std::size_t last = first + 1;
    while (last < points.size() && points[last].id == points[first].id) ++last;
    if (last - first == 2 && points[first].ends && !points[first + 1].ends) {
      m_pairs.emplace_back(points[first + 1].slice, points[first].slice);
    } else {
      for (std::size_t next = first + 1; next < last; ++next) {
        if (!points[next - 1].ends) {
          m_pairs.emplace_back(points[next - 1].slice, points[next].slice);
        }
      }
    }
    first = last;
  }
}

}  // namespace stagelane::formats::detail
