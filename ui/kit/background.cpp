#include "ui/kit/background.h"

#include <sys/resource.h>
#include <unistd.h>

namespace stagelane::ui {
namespace {

/// About a tenth of another thread's share, so that background work still finishes during a run.
constexpr int kNiceness = 10;

}  // namespace

void workBehindTheWindow() {
  // On Linux, niceness is per thread.
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness));
}

}  // namespace stagelane::ui
