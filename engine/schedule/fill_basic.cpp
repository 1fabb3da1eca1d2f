#include <algorithm>

#include "engine/schedule/fill.h"

namespace stagelane::schedule::detail {

void fillSequential(Schedule& schedule) {
  for (int k = 0; k < schedule.microBatches; ++k) {
    for (int s = 0; s < schedule.stages; ++s) add(schedule, ActionKind::Forward, s, k);
    for (int s = schedule.stages - 1; s >= 0; --s) add(schedule, ActionKind::Backward, s, k);
  }
}

void fillForwardsThenBackwards(Schedule& schedule) {
  for (int s = 0; s < schedule.stages; ++s) {
    for (int k = 0; k < schedule.microBatches; ++k) add(schedule, ActionKind::Forward, s, k);
  }
  for (int s = schedule.stages - 1; s >= 0; --s) {
    for (int k = schedule.microBatches - 1; k >= 0; --k) add(schedule, ActionKind::Backward, s, k);
  }
}

void fillOneForwardOneBackward(Schedule& schedule) {
  for (int s = 0; s < schedule.stages; ++s) {
    const int ahead = std::min(schedule.microBatches, schedule.stages - 1 - s);
    for (int k = 0; k < ahead; ++k) add(schedule, ActionKind::Forward, s, k);
    for (int k = 0; k < schedule.microBatches; ++k) {
      if (k + ahead < schedule.microBatches) add(schedule, ActionKind::Forward, s, k + ahead);
      add(schedule, ActionKind::Backward, s, k);
    }
  }
}

}  // namespace stagelane::schedule::detail
