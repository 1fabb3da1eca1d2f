#pragma once

/// Converts the end points of arrows (slices, or times on tracks) to pairs of slices. Internal to
/// profiler/formats.

#include <cstdint>
#include <utility>
#include <vector>

#include "profiler/formats/raw_records.h"

namespace stagelane::formats::detail {

class FlowResolver {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  ///< from slice, to slice

  /// Moves the points out of `raw`.
  explicit FlowResolver(RawRecords& raw);
  [[nodiscard]] bool empty() const { return m_pairs.empty(); }
  [[nodiscard]] const std::vector<Pair>& pairs() const { return m_pairs; }

 private:
  void placeOnSlices(RawRecords& raw);
  void join(std::vector<RawFlowPoint>& points);

  std::vector<Pair> m_pairs;
};

}  // namespace stagelane::formats::detail
