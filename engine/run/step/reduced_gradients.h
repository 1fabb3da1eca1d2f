#pragma once

/// REDUCE: the copies of a stage's weights get the sum of all their gradients, so that they stay
/// bit-equal. A stage has copies if it has replicas, or if it shares a parameter with another
/// stage. One object per row; gradients of other rows arrive through the exchange.
///
/// A shared parameter's gradients go to all copies, and each adds them: first the replicas of a
/// stage, then the stages, in order. The gradients of a parameter that only replicas have are added
/// by one of them, in the order of the replicas, and come back as a sum: each of n replicas moves
/// 2(n−1)/n of the bytes. @source Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms for
/// clusters of workstations, JPDC 2009 (reduce-scatter and all-gather; here without a ring)

#include <ATen/core/Tensor.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/step/exchange.h"
#include "engine/run/step/stage_work.h"
#include "engine/run/step/transfer.h"

namespace stagelane::run {

class ReducedGradients {
 public:
  /// `plan` outlives it.
  ReducedGradients(const StepPlan& plan, int row);

  void stepBegins();
  /// Records a weight gradient of a stage. After the last one of this copy, sends its gradients to
  /// the rows that add them. May throw. @thread the row's worker
  void weightGradientDone(int stage, const StageWork& work, Exchange& exchange);
  /// REDUCE of a stage of this row; empty if the run stopped. May throw.
  /// @thread the row's worker; blocks until the other rows' gradients arrive
  [[nodiscard]] std::optional<Moved> reduce(int stage, const StageWork& work, Exchange& exchange,
                                            const RunControl& control);

 private:
  using Gradients = std::map<std::string, at::Tensor>;
  /// A replica of a stage.
  struct Copy {
    int stage = 0;
    int replica = 0;
    friend auto operator<=>(const Copy&, const Copy&) = default;
  };
  /// What a REDUCE works with.
  struct Waiting {
    Exchange& exchange;
    const RunControl& control;
    Moved& moved;
  };

  [[nodiscard]] const schedule::StageRows& rows() const { return m_plan.lowered->source.rows; }
  [[nodiscard]] int rowOf(const Copy& copy) const { return rows().row(copy.stage, copy.replica); }
  [[nodiscard]] Worker& worker(int row) const {
    return *m_plan.workers[static_cast<std::size_t>(row)];
  }
  /// This row's replica of a stage that it holds.
  [[nodiscard]] Copy own(int stage) const { return {stage, rows().replicaOn(stage, m_row)}; }
  [[nodiscard]] ParcelKey keyOf(Direction direction, const Copy& from, int to) const;

  /// The parameters of a stage that others share and that a row has.
  [[nodiscard]] std::vector<std::string> sharedOn(int row, int stage) const;
  /// The copies of a shared parameter, in the order in which their gradients are added.
  [[nodiscard]] std::vector<Copy> copiesOf(const std::string& parameter) const;
  /// Of each replica of a stage the parameters whose gradients it adds, which no other stage has.
  [[nodiscard]] std::vector<std::vector<std::string>> added(const StageWork& work,
                                                            int replicas) const;

  void send(const ParcelKey& key, const std::vector<std::string>& names, const Gradients& gradients,
            Exchange& exchange) const;
  [[nodiscard]] bool fetch(const ParcelKey& key, const std::vector<std::string>& names,
                           Gradients& into, const Waiting& waiting) const;
  /// Both return false if the run stopped.
  [[nodiscard]] bool addShared(int stage, const Waiting& waiting);
  [[nodiscard]] bool addReplicas(int stage, const StageWork& work, const Waiting& waiting);

  const StepPlan& m_plan;
  int m_row;
  plan::SharedParameters m_shared;
  std::map<int, int> m_left;        ///< stage of this row with copies → missing weight gradients
  std::map<Copy, Gradients> m_of;   ///< gradients of the copies, as far as this row adds them
  std::map<int, Gradients> m_sums;  ///< of each stage of this row, complete after its REDUCE
};

}  // namespace stagelane::run
