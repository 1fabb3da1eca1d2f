#include "app/window/closing.h"

#include "ui/kit/question.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

/// Ending a run on a host takes longer than a window may wait, so that is not offered here.
ClosingAnswer askLeaving(QWidget* window, const QString& host) {
  const std::size_t answer = ui::ask(
      window, {u"closeDialog"_s,
               QObject::tr("Run in progress on %1").arg(host),
               QObject::tr("Close the window while the run continues on %1?").arg(host),
               QObject::tr("Take the run up at the next start. To end it, stay and cancel it."),
               {{u"closeAndLeave"_s, QObject::tr("Close")}, {u"stayHere"_s, QObject::tr("Stay")}},
               true});
  return answer == 0 ? ClosingAnswer::Leave : ClosingAnswer::Stay;
}

}  // namespace

ClosingAnswer askClosing(QWidget* window, const Measuring& measuring) {
  const bool sweeps = measuring.isSweep;
  if (!sweeps && !measuring.host.isEmpty()) return askLeaving(window, measuring.host);
  const std::size_t answer = ui::ask(
      window,
      {u"closeDialog"_s,
       sweeps ? QObject::tr("Sweep in progress") : QObject::tr("Run in progress"),
       sweeps ? QObject::tr("Close the window and pause the sweep?")
              : QObject::tr("Close the window and cancel the run?"),
       sweeps ? QObject::tr("Measurements are kept. Resume the sweep later on the Runs page.")
              : QObject::tr("Measurements are kept. Resume the run later on the Runs page."),
       {{u"closeAndCancel"_s, sweeps ? QObject::tr("Close and pause the sweep")
                                     : QObject::tr("Close and cancel the run")},
        {u"stayHere"_s, QObject::tr("Stay")}},
       true});
  return answer == 0 ? ClosingAnswer::End : ClosingAnswer::Stay;
}

}  // namespace stagelane::app
