#include "ui/tracks/timeline_export.h"

#include <algorithm>
#include <cmath>

#include "profiler/formats/perfetto.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr double kPictureWidth = 1100.0;
constexpr double kPictureMm = 240.0;
/// Larger tables get a note instead of a preview.
constexpr std::size_t kPreviewedEvents = 5'000;

/// All events as a table, in the caller's thread. @returns false if canceled
Result<bool> saveEvents(const trace::Trace& trace, const QString& path, ExportProgress& progress) {
  return formats::writeCsv(trace, utf8(path), [&progress](std::size_t written, std::size_t all) {
    progress.fraction = static_cast<double>(written) / static_cast<double>(all);
    return !progress.cancel;
  });
}

}  // namespace

Exportable exportableTimeline(TimelineDataPtr timeline, const TimelineLook& look) {
  const auto pictureOf = [timeline, look] {
    return TimelinePicture{.data = *timeline,
                           .axis = look.axis,
                           .rows = look.rows,
                           .filter = look.filter,
                           .colorBy = look.colorBy,
                           .predictedShiftNs = look.predictedShiftNs,
                           .selection = look.selection};
  };
  const double height =
      paintTimelinePicture(nullptr, pictureOf(), kPictureWidth, lightTheme(), PaintMode::Screen);
  Exportable what;
  what.suggestedMm = QSizeF(kPictureMm, std::ceil(kPictureMm * height / kPictureWidth));
  what.layOut = [pictureOf, height](QSizeF size, PaintMode mode, const Theme& theme) {
    return [=, colors = &theme](QPainter& painter) {
      const double scale = std::min(size.width() / kPictureWidth, size.height() / height);
      painter.fillRect(QRectF(QPointF(0, 0), size), colors->control.panel);
      painter.scale(scale, scale);
      paintTimelinePicture(&painter, pictureOf(), size.width() / scale, *colors, mode);
    };
  };
  what.csv = [timeline] { return qstring(formats::toCsv(timeline->trace())); };
  if (timeline->trace().size() > kPreviewedEvents) {
    what.csvPreview = QObject::tr("All %1 events of the trace").arg(timeline->trace().size());
    what.saveCsv = [timeline](const QString& path, ExportProgress& progress) -> Result<bool> {
      return saveEvents(timeline->trace(), path, progress);
    };
  }
  return what;
}

}  // namespace stagelane::ui
