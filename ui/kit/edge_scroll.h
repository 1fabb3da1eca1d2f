#pragma once

/// How far a view scrolls at a time while something is dragged near one of its edges. Pure.

namespace stagelane::ui {

/// From here to the edge a drag scrolls.
inline constexpr int kEdgeZone = 28;
/// How often it does.
inline constexpr int kEdgeScrollMs = 16;

/// Pixels of one scroll: negative near the beginning, positive near the end, 0 between. Grows up to
/// the edge and as far again beyond it.
/// @param position of the cursor along the view, 0 at its beginning
[[nodiscard]] int edgeStep(int position, int length);

}  // namespace stagelane::ui
