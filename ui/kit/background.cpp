#include "ui/kit/background.h"

#include <sys/resource.h>
#include <unistd.h>

namespace stagelane::ui {
namespace {

/// About a tenth of what another thread gets, so that the work still ends beside a run.
constexpr int kNiceness = 10;

}  // namespace

void workBehindTheWindow() {
  // On Linux niceness is the thread's own.
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness));
}

}  // namespace stagelane::ui
