#include "engine/run/device/event_trial.h"

#include <c10/util/Exception.h>

#include <cmath>

namespace stagelane::run {

bool eventsWork(const EventMaker& events, const c10::Stream& compute, const c10::Stream& copy) {
  try {
    const auto first = events();
    const auto copied = events();
    const auto last = events();
    first->record(compute);
    first->block(copy);
    copied->record(copy);
    copied->block(compute);
    last->record(compute);
    last->synchronize();
    if (!first->reached() || !copied->reached() || !last->reached()) return false;
    const double until = first->elapsedTimeMs(*copied);
    const double whole = first->elapsedTimeMs(*last);
    // Finite and in this order; the latter also excludes events that have no times.
    return std::isfinite(whole) && until >= 0 && whole >= until;
  } catch (const c10::Error&) {
    return false;
  }
}

}  // namespace stagelane::run
