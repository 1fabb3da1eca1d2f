#pragma once

/// Remembers what was planned while documents were read (where `optimal` cuts, which stages `auto`
/// has), so that an edit that changes none of what that depends on does not search for it again:
/// the window reads the document at every edit.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::ui {

class PlanningMemory {
 public:
  using Costs = std::shared_ptr<const predict::CostTable>;
  using Planner = std::function<plan::Planning(const predict::CostTable*)>;

  /// Plans as engine/predict does, or as `planner` does.
  PlanningMemory();
  explicit PlanningMemory(Planner planner);

  /// What to read a document with; valid until the next call, and as long as this.
  [[nodiscard]] plan::Planning planningWith(const Costs& costs);

 private:
  template <class Answer>
  using Known = std::map<std::string, Answer>;

  Planner m_planner;
  Costs m_costs;
  plan::Planning m_planning;
  Known<std::optional<std::vector<plan::Stage>>> m_stages;
  Known<std::size_t> m_layouts;
};

}  // namespace stagelane::ui
