#pragma once

/// Predicted step time over split size, small: the optimum ringed and named, the plan's own marked.
/// A click on a point requests that split size.

#include <QWidget>
#include <optional>

#include "ui/kit/virtual_controls.h"
#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

class CurrentTheme;

class SplitCurve final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit SplitCurve(const CurrentTheme* theme, QWidget* parent = nullptr);
  /// Null or without splits: empty.
  void show(PlanSuggestionsPtr suggestions, std::int64_t ownSplit);
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;
  [[nodiscard]] QSize sizeHint() const override;

 Q_SIGNALS:
  void splitChosen(std::int64_t splitSize);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] QPointF pointOf(const SplitPoint& point) const;
  [[nodiscard]] std::optional<std::size_t> pointAt(const QPointF& at) const;

  const CurrentTheme* m_theme;
  PlanSuggestionsPtr m_suggestions;
  std::int64_t m_ownSplit = 0;
};

}  // namespace stagelane::ui
