#include "app/engine_client/start_problem.h"

#include "ui/kit/text/formatting.h"

namespace stagelane::app {

QString startProblem(const Error& error) {
  Error told = error;
  if (told.failure.kind == FailureKind::Workspace) {
    told.hint = "make " + told.context +
                " writable and free space on its disk, or keep the runs in another folder";
  }
  return ui::errorText(told);
}

}  // namespace stagelane::app
