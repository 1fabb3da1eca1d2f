#include "ui/session/run/loading_text.h"

#include <QObject>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

/// Below these limits the pace is a guess.
constexpr double kPaceAfterS = 0.5;
constexpr double kPaceAfterShare = 0.02;

}  // namespace

QString loadingText(const TraceLoading& loading, double elapsedS) {
  QString text = QObject::tr("Reading %1").arg(loading.name);
  if (loading.totalBytes == 0) return text;
  text += QObject::tr(": %1 of %2")
              .arg(bytesText(static_cast<Bytes>(loading.doneBytes)),
                   bytesText(static_cast<Bytes>(loading.totalBytes)));
  const double share =
      static_cast<double>(loading.doneBytes) / static_cast<double>(loading.totalBytes);
  if (loading.doneBytes >= loading.totalBytes) return text + QObject::tr(", preparing the view");
  if (elapsedS < kPaceAfterS || share < kPaceAfterShare) return text;
  const double leftS = elapsedS / share * (1.0 - share);
  return text + QObject::tr(", about %1 left").arg(durationText(leftS));
}

}  // namespace stagelane::ui
