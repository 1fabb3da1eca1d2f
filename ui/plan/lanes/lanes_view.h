#pragma once

/// The device lanes with their chips: passes mouse and keyboard input to the model; LanesPainter
/// draws. A drag uses plain mouse events, which work on every platform and in test tools.

#include <QWidget>
#include <optional>

#include "ui/kit/virtual_controls.h"
#include "ui/plan/lanes/lanes_geometry.h"
#include "ui/plan/lanes/lanes_painter.h"
#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

class LanesView final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit LanesView(PlanModel* model, QWidget* parent = nullptr);

  [[nodiscard]] const LanesGeometry& geometry() const { return m_geometry; }
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  void openCurrentGroup();
  /// Rectangle of the chip with the keyboard focus; empty for none.
  [[nodiscard]] QRect currentChip() const;
  /// Whether the mouse holds a chip.
  [[nodiscard]] bool holding() const { return m_held.has_value(); }
  /// Selects the chip before (−1) or after (+1), or extends the selection to it.
  void step(int step, bool extend);
  /// Width scrolled out on the left, so that the headers stay in place.
  void setScrolled(int scrolled);
  /// Updates a drag after the view scrolled or figures changed under a resting mouse.
  void refreshDrag();

 Q_SIGNALS:
  void geometryChanged();
  /// On a chip, or on empty ground.
  void chipMenuRequested(bool onChip, const QPoint& globalAt);
  void dragMoved(const QPoint& globalAt);
  void dragEnded();
  void deviceMenuRequested(const DeviceId& device, const QPoint& globalAt);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  /// The held chip by its blocks, because resizing the view moves chips.
  struct HeldChip {
    std::size_t first = 0;
    std::size_t last = 0;
    PlanIdentity plan;
  };

  void showPlan();
  void relayout();
  void beginOrMoveDrag(const QPointF& at, Qt::KeyboardModifiers modifiers);
  /// Applies Shift or Alt to the drag at once, before the mouse moves.
  void takeModifiers(const QKeyEvent& event);
  void endDrag();
  void announceCurrent();
  void addChips(QList<VirtualControl>& controls) const;
  [[nodiscard]] std::optional<std::size_t> chipAt(const QPointF& at) const;
  [[nodiscard]] std::optional<std::size_t> deviceMenuAt(const QPointF& at) const;
  [[nodiscard]] QString tooltipOf(std::size_t chip) const;
  [[nodiscard]] QString tooltipOfHeader(const QPointF& at) const;

  PlanModel* m_model;
  QSize m_needed;  ///< last reported to the layout
  LanesGeometry m_geometry;
  LanesState m_state;
  std::optional<HeldChip> m_held;
  QPointF m_pressedAt;
  QPoint m_draggedTo;  ///< on the screen
  Qt::KeyboardModifiers m_dragModifiers;
  bool m_doubleClicked = false;
};

}  // namespace stagelane::ui
