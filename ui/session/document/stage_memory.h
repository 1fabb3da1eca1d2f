#pragma once

/// Remembers the stages that were searched for, so that an edit that changes none of what they
/// depend on does not search again: the window resolves the document at every edit. It can also
/// answer offhand, for a window that does not wait: what is quick or known at once, the rest by
/// what was known before, for the time being.

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

  /// As `search::resolveStages`, which is asked for what is not remembered. Once `goesOn` says no,
  /// what it answers is worth nothing.
  void resolve(plan::Experiment& experiment, const Costs& costs, const GoesOn& goesOn = {});
  /// The same without what takes long; where that is wanted, `missing` is true afterwards, and the
  /// variant is still open, with the stages that it had before, or cut by time alone.
  void resolveOffhand(plan::Experiment& experiment, const Costs& costs);
  [[nodiscard]] bool missing() const { return m_missing; }
  /// Variants that were searched for.
  [[nodiscard]] int searches() const { return m_searches; }
  /// Takes over what a copy of this has found, unless the costs are others by now.
  void learn(const StageMemory& copy);
  /// Makes room, where more is remembered than a person's sweeps have.
  void forgetIfFull();

 private:
  using Known = std::map<std::string, std::vector<plan::Stage>>;
  enum class Way { Search, Offhand };
  void resolve(plan::Experiment& experiment, const Costs& costs, const GoesOn& goesOn, Way way);

  Costs m_costs;
  Known m_exact;
  Known m_latest;  ///< of the same variant, whatever else has changed
  bool m_missing = false;
  int m_searches = 0;
};

}  // namespace stagelane::ui
