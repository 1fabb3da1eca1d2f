#include "app/engine_client/start_problem.h"

#include <QObject>

#include "ui/kit/text/formatting.h"

namespace stagelane::app {

QString startProblem(const Error& error) {
  Error told = error;
  if (told.failure.kind == FailureKind::Workspace) {
    told.hint = ui::utf8(QObject::tr("make %1 writable and free space on its disk, or keep the "
                                     "runs in another folder")
                             .arg(ui::qstring(told.context)));
  }
  return ui::errorText(told);
}

}  // namespace stagelane::app
