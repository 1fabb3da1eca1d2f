#include "ui/session/run/median_text.h"

#include <QObject>

#include "engine/trace/middle_steps.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

QString shownForMedianText(const trace::Trace& trace) {
  TimeNs medianNs = trace::statedMedianNs(trace);
  if (medianNs == 0 && trace::middleSteps(trace.steps()).size() == 2) {
    medianNs = trace::medianDurationNs(trace.steps());
  }
  return medianNs == 0 ? QString()
                       : QObject::tr("the faster of the two middle steps; their median is %1")
                             .arg(timeText(medianNs));
}

}  // namespace stagelane::ui
