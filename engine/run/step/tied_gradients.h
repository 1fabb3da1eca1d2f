#pragma once

/// REDUCE: each stage that shares a parameter has a copy, and each copy gets the sum of all their
/// gradients in stage order, so that the copies stay bit-equal. One object per row; gradients of
/// other rows arrive through the exchange.

#include <ATen/core/Tensor.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/step/exchange.h"
#include "engine/run/step/stage_work.h"
#include "engine/run/step/transfer.h"

namespace stagelane::run {

class TiedGradients {
 public:
  /// `plan` outlives it.
  TiedGradients(const StepPlan& plan, int row);

  void stepBegins();
  /// Records a weight gradient of a stage. After the last one of a tied stage, sends its gradients
  /// to the rows that share its parameters. May throw. @thread the row's worker
  void weightGradientDone(int stage, const StageWork& work, Exchange& exchange);
  /// REDUCE of a stage of this row; empty if the run stopped. May throw.
  /// @thread the row's worker; blocks until the other rows' gradients arrive
  [[nodiscard]] std::optional<Moved> reduce(int stage, const StageWork& work, Exchange& exchange,
                                            const RunControl& control);

 private:
  using Gradients = std::map<std::string, at::Tensor>;
  [[nodiscard]] std::vector<std::string> sharedBy(int stage) const;
  [[nodiscard]] Worker& worker(int row) const {
    return *m_plan.workers[static_cast<std::size_t>(row)];
  }
  /// Completes m_of[stage]. @returns false if the run stopped
  [[nodiscard]] bool fetch(int stage, Exchange& exchange, const RunControl& control, Moved& moved);

  const StepPlan& m_plan;
  int m_row;
  plan::SharedParameters m_shared;
  std::map<int, int> m_left;      ///< tied stage of this row → missing weight gradients
  std::map<int, Gradients> m_of;  ///< by stage: its own sums, from all rows
};

}  // namespace stagelane::run
