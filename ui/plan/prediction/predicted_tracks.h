#pragma once

/// The rows of a device in the predicted timeline: actions, idle causes, copies, memory.
/// PredictedStrip draws everything around them.

#include <QPainter>
#include <QRectF>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/run/measured_marks.h"

namespace stagelane::ui {

/// Nanoseconds since the step's start to pixels.
struct StripScale {
  qreal left = 0;
  qreal width = 1;
  double endNs = 1;
  [[nodiscard]] qreal x(TimeNs ns) const { return left + width * static_cast<double>(ns) / endNs; }
};

[[nodiscard]] bool hasCopies(const PlanPrediction& prediction);
/// Whether gradients are summed across devices, which takes time.
[[nodiscard]] bool hasReduces(const PlanPrediction& prediction);
/// Which transfers the row of copies shows.
enum class CopyRow {
  All,         ///< with the all-reduces of the device
  CopiesOnly,  ///< the all-reduces are in a row of their group
};
/// "copy to cuda:1", "all-reduce"; empty if the row sends nothing.
[[nodiscard]] QString copyLabel(const PlanPrediction& prediction, int row, CopyRow shown);
/// "274 ms, 194 ms hidden, 80 ms exposed"; empty without all-reduces. Of the row that waits
/// longest.
[[nodiscard]] QString reduceText(const PlanPrediction& prediction, const std::vector<int>& rows);

/// Paints rows of one prediction, numbered like its devices. @thread the window's
class PredictedTracks {
 public:
  enum class Ink { Full, Ghost };

  PredictedTracks(QPainter& painter, const Theme& theme, const StripScale& scale,
                  const PlanPrediction& prediction)
      : m_painter(painter),
        m_theme(theme),
        m_scale(scale),
        m_prediction(prediction),
        m_pixelRatio(painter.device()->devicePixelRatioF()) {}

  /// Ghosts have neither labels nor the hatching of estimates.
  void paintActions(int row, const QRectF& track, Ink ink) const;
  void paintIdle(int row, const QRectF& track) const;
  void paintCopies(int row, const QRectF& track) const;
  /// The all-reduces of the rows; what no computation hides is hatched as a transfer. With their
  /// times to the left of the first, if there is room.
  void paintReduces(const std::vector<int>& rows, const QRectF& track) const;
  /// The device's bytes over time, scaled to `whole`; the dashed line is its budget.
  void paintMemory(const PredictedDevice& device, Bytes whole, const QRectF& track) const;

 private:
  QPainter& m_painter;
  const Theme& m_theme;
  const StripScale& m_scale;
  const PlanPrediction& m_prediction;
  qreal m_pixelRatio;
};

/// The actions of a device in the last measured step, as a ghost that is clipped to the track.
void paintMeasuredActions(QPainter& painter, const Theme& theme, const StripScale& scale,
                          const std::vector<MeasuredAction>& actions, const QRectF& track);

}  // namespace stagelane::ui
