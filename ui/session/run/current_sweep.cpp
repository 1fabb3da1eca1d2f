#include "ui/session/run/current_sweep.h"

#include <utility>

namespace stagelane::ui {

void CurrentSweep::setView(SweepViewPtr view) {
  m_view = std::move(view);
  Q_EMIT changed();
}

}  // namespace stagelane::ui
