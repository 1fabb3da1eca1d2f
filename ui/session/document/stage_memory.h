#pragma once

/// Caches searched stages so that an edit that does not affect them does not search again: the
/// window resolves the document at every edit. For callers that cannot wait it can also answer from
/// the cache, with earlier stages in place of missing ones.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::ui {

class StageMemory {
 public:
  using Costs = std::shared_ptr<const predict::CostTable>;

  /// Like `search::resolveStages`, which is called for stages that are not cached. The answer is
  /// invalid once `goesOn` returns false.
  void resolve(plan::Experiment& experiment, const Costs& costs, const GoesOn& goesOn = {});
  /// The same without slow searches. If one is needed, sets `missing` and leaves the variant open,
  /// with its previous stages or stages cut by time alone.
  void resolveOffhand(plan::Experiment& experiment, const Costs& costs);
  [[nodiscard]] bool missing() const { return m_missing; }
  /// Variants that were searched for.
  [[nodiscard]] int searches() const { return m_searches; }
  /// Takes over the results of a copy of this, unless the costs have changed.
  void learn(const StageMemory& copy);
  /// Evicts old entries when the cache exceeds what sweeps need.
  void forgetIfFull();

 private:
  using Known = std::map<std::string, std::vector<plan::Stage>>;
  enum class Way { Search, Offhand };
  void resolve(plan::Experiment& experiment, const Costs& costs, const GoesOn& goesOn, Way way);

  Costs m_costs;
  Known m_exact;
  Known m_latest;  ///< by variant, whatever else has changed
  bool m_missing = false;
  int m_searches = 0;
};

}  // namespace stagelane::ui
