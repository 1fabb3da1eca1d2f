#pragma once

/// Button of the Plan toolbar with a menu for the variant's placement mode, recompute and chunks.
/// The palette has the same actions; ui/session/document/variant_choices has the rules.

#include <QAction>
#include <QToolButton>
#include <vector>

#include "ui/plan/plan_model/plan_model.h"
#include "ui/session/document/variant_choices.h"

namespace stagelane::ui {

class VariantSettings final : public QToolButton {
  Q_OBJECT

 public:
  explicit VariantSettings(PlanModel* plan, QWidget* parent = nullptr);
  [[nodiscard]] QList<QAction*> choices() const;
  /// With the current placement beside the icon, or the icon only.
  void setWide(bool wide);
  void refresh();

 private:
  struct Item {
    VariantChoice choice;
    QAction* action = nullptr;
  };
  void build();
  void markRefusals();
  void refreshIcon();
  void choose(const VariantChoice& choice);
  [[nodiscard]] Json changedBy(const VariantChoice& choice, std::size_t index) const;

  PlanModel* m_plan;
  std::vector<Item> m_items;
};

}  // namespace stagelane::ui
