#pragma once

/// The keys of the timeline, wherever on the page they are pressed.

class QKeyEvent;

namespace stagelane::ui {

class TimelineView;

/// Performs the action of a key. @returns whether the key has one
bool takeTimelineKey(TimelineView& view, const QKeyEvent& event);

}  // namespace stagelane::ui
