#pragma once

/// REDUCE: stages that share a parameter each have a copy of it, and each copy gets the sum of all
/// their gradients, added in the order of the stages, so that the copies stay equal bit for bit.
/// One object a row; gradients of other rows come through the exchange.

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
  /// A micro-batch's weight gradient of a stage is there. After the last one of a tied stage its
  /// gradients go to the rows that share its parameters. May throw. @thread the row's worker
  void weightGradientDone(int stage, const StageWork& work, Exchange& exchange);
  /// REDUCE of a stage of this row. Nothing when the run stopped meanwhile. May throw.
  /// @thread the row's worker; blocks until the other rows' gradients are there
  [[nodiscard]] std::optional<Moved> reduce(int stage, const StageWork& work, Exchange& exchange,
                                            const RunControl& control);

 private:
  using Gradients = std::map<std::string, at::Tensor>;
  [[nodiscard]] std::vector<std::string> sharedBy(int stage) const;
  [[nodiscard]] Worker& worker(int row) const {
    return *m_plan.workers[static_cast<std::size_t>(row)];
  }
  /// Makes m_of[stage] complete. @returns false when the run stopped meanwhile
  [[nodiscard]] bool fetch(int stage, Exchange& exchange, const RunControl& control, Moved& moved);

  const StepPlan& m_plan;
  int m_row;
  plan::SharedParameters m_shared;
  std::map<int, int> m_left;      ///< tied stage of this row → weight gradients to come
  std::map<int, Gradients> m_of;  ///< by stage: its own sums, from all rows
};

}  // namespace stagelane::run
