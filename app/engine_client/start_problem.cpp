#include "app/engine_client/start_problem.h"

#include "ui/kit/text/formatting.h"

namespace stagelane::app {

QString startProblem(const Error& error) {
  Error told = error;
  if (told.hint.find("STAGELANE_WORKSPACE") != std::string::npos) {
    told.hint = "make " + told.context +
                " writable and see that its disk has room, or keep the runs in another folder";
  }
  return ui::errorText(told);
}

}  // namespace stagelane::app
