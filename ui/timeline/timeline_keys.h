#pragma once

/// What the keys of the timeline mean, wherever on the page they are pressed.

class QKeyEvent;

namespace stagelane::ui {

class TimelineView;

/// Does what the key means. @returns whether it means anything
bool takeTimelineKey(TimelineView& view, const QKeyEvent& event);

}  // namespace stagelane::ui
