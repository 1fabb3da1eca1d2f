#pragma once

/// How far a view scrolls per step while something is dragged near one of its edges. Pure.

namespace stagelane::ui {

/// Distance from the edge at which scrolling starts.
inline constexpr int kEdgeZone = 28;
/// Interval between scroll steps.
inline constexpr int kEdgeScrollMs = 16;

/// Pixels per scroll step: negative near the beginning, positive near the end, 0 between. Grows up
/// to the edge and for the same distance beyond it.
/// @param position of the cursor along the view, 0 at its beginning
[[nodiscard]] int edgeStep(int position, int length);

}  // namespace stagelane::ui
