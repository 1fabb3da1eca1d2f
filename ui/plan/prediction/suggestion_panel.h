#pragma once

/// Suggestions in the inspector: the curve of split sizes and, for split, schedule, placement and
/// all three, the best result with its gain, its reason and an Apply button.

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>

#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/prediction/split_curve.h"

namespace stagelane::ui {

class SuggestionPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit SuggestionPanel(PlanModel* plan, QWidget* parent = nullptr);
  /// Apply actions, one per suggestion; for the list of actions.
  [[nodiscard]] QList<QAction*> actions() const { return m_actions; }
  /// Step time by split size.
  [[nodiscard]] QWidget& curve() const;

 private:
  struct Card {
    SuggestionKind kind = SuggestionKind::Split;
    QWidget* box = nullptr;
    QLabel* title = nullptr;
    QLabel* gain = nullptr;
    QLabel* text = nullptr;
    QPushButton* apply = nullptr;
    QAction* action = nullptr;
  };
  void addCard(SuggestionKind kind, const QString& name, const QString& actionText);
  void refresh();
  void refreshCard(Card& card, const PlanSuggestions* found);
  static void showText(const Card& card, const QString& text);
  void apply(SuggestionKind kind);

  PlanModel* m_plan;
  QVBoxLayout* m_layout;
  QLabel* m_state;
  SplitCurve* m_curve;
  std::vector<Card> m_cards;
  QList<QAction*> m_actions;
};

}  // namespace stagelane::ui
