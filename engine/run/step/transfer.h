#pragma once

/// Implements a row's transfers: SEND puts a slot's tensors into the exchange, RECV waits there and
/// fills a slot. The devices move the data; the exchange only stores the parcels.

#include <memory>
#include <optional>

#include "engine/run/step/exchange.h"
#include "engine/run/step/moved.h"
#include "engine/run/step/run_control.h"
#include "engine/run/step/slots.h"
#include "engine/run/step/step.h"

namespace stagelane::run {

class Transfer {
 public:
  /// `plan` outlives it.
  Transfer(const StepPlan& plan, int row) : m_plan(plan), m_row(row) {}

  /// Never blocks. May throw. @thread the row's worker
  [[nodiscard]] Moved send(const schedule::LoweredAction& action, Slot& slot,
                           Exchange& exchange) const;
  /// Empty if the run stopped. May throw. @thread the row's worker; blocks until the tensors arrive
  [[nodiscard]] std::optional<Moved> receive(const schedule::LoweredAction& action, Slot& slot,
                                             Exchange& exchange, const RunControl& control) const;

 private:
  [[nodiscard]] Worker& worker(int row) const {
    return *m_plan.workers[static_cast<std::size_t>(row)];
  }

  const StepPlan& m_plan;
  int m_row;
};

}  // namespace stagelane::run
