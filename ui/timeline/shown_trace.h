#pragma once

/// Selects the trace that the Timeline shows: one opened from a file, the current variant's
/// measurement, or else its prediction.

#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

class Session;

struct ShownTrace {
  trace::TracePtr trace;   ///< null: there is none
  trace::TracePtr beside;  ///< the prediction, shown with the variant's measurement
  QString subject;         ///< a file's path or a variant's id
  TimelineNotes notes;
  bool foreign = false;  ///< opened from a file
  bool growing = false;  ///< its run is in progress
};

[[nodiscard]] ShownTrace shownTraceOf(const Session& session);
/// Whether the current variant's measurement is being read.
[[nodiscard]] bool isMeasurementComing(const Session& session);

}  // namespace stagelane::ui
