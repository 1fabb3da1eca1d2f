#pragma once

/// Which trace the Timeline shows: one that was opened by itself, what was measured of the current
/// variant, or else its prediction.

#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

class Session;

struct ShownTrace {
  trace::TracePtr trace;   ///< null: there is none
  trace::TracePtr beside;  ///< the prediction, beside what was measured of the variant
  QString subject;         ///< whose trace: a file's path or a variant's id
  TimelineNotes notes;
  bool foreign = false;  ///< opened by itself
  bool growing = false;  ///< its run goes on
};

[[nodiscard]] ShownTrace shownTraceOf(const Session& session);
/// What was measured of the current variant is being read.
[[nodiscard]] bool isMeasurementComing(const Session& session);

}  // namespace stagelane::ui
