#pragma once

/// Remembers what was planned while documents were read (where `optimal` cuts, which stages `auto`
/// has), so that an edit that changes none of what that depends on does not search for it again:
/// the window reads the document at every edit. It can also answer offhand, for a window that does
/// not wait: what is quick or known at once, the rest by what was known before, for the time being.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/goes_on.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::ui {

class PlanningMemory {
 public:
  using Costs = std::shared_ptr<const predict::CostTable>;
  using Planner = std::function<plan::Planning(const predict::CostTable*, const GoesOn&)>;

  /// Plans as engine/predict does, or as `planner` does.
  PlanningMemory();
  explicit PlanningMemory(Planner planner);

  /// What to read a document with; valid until the next call, and as long as this. Searches for
  /// what it does not remember; once `goesOn` says no, what it remembers is worth nothing.
  [[nodiscard]] plan::Planning planningWith(const Costs& costs, GoesOn goesOn = {});
  /// The same without what takes long; where that is wanted, `missing` is true afterwards, and the
  /// answer is where the variant's stages were before, or nothing.
  [[nodiscard]] plan::Planning planningOffhand(const Costs& costs);
  [[nodiscard]] bool missing() const { return m_missing; }
  /// Takes over what a copy of this has found, unless the costs are others by now.
  void learn(const PlanningMemory& copy);
  /// Makes room, where more is remembered than a person's sweeps have.
  void forgetIfFull();

 private:
  using Stages = std::optional<std::vector<plan::Stage>>;
  template <class Answer>
  struct Known {
    std::map<std::string, Answer> exact;
    std::map<std::string, Answer> latest;  ///< of the same variant, whatever else has changed
  };
  struct Question {
    std::string exact;
    std::string latest;
    double work = 0.0;  ///< actions that the search would play
  };

  [[nodiscard]] plan::Planning planning();
  void setCosts(const Costs& costs);
  /// Whether it is to be searched for now.
  [[nodiscard]] bool mayAsk(double work);
  template <class Answer, class Ask>
  Answer answer(Known<Answer>& known, const Question& question, const Ask& ask);

  Planner m_planner;
  Costs m_costs;
  plan::Planning m_planning;
  GoesOn m_goesOn;
  bool m_offhand = false;
  bool m_missing = false;
  double m_workLeft = 0.0;
  Known<Stages> m_stages;
  Known<std::size_t> m_layouts;
};

}  // namespace stagelane::ui
