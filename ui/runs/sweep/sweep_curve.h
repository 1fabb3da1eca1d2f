#pragma once

/// The curve of a sweep as a control: values on hover; a click or key on a measured point opens its
/// step in the Timeline.

#include <QWidget>

#include "ui/kit/virtual_controls.h"
#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {

class CurrentTheme;

class SweepCurve final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit SweepCurve(const CurrentTheme* theme, QWidget* parent = nullptr);
  void show(SweepViewPtr sweep);
  [[nodiscard]] QSize sizeHint() const override;
  /// `sweepPoint.N` for each measured point, `sweepPredicted.N` for each point with only a
  /// prediction.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  void pointChosen(const stagelane::ui::SweepPoint& point);
  void hinted(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] int pointAt(const QPointF& at) const;
  [[nodiscard]] const SweepPoint& point(int index) const;
  [[nodiscard]] bool opens(int index) const;
  void setCursorTo(int index);
  void choose(int index);

  const CurrentTheme* m_theme;
  SweepViewPtr m_sweep;
  int m_cursor = -1;  ///< of the keyboard; −1: none
};

}  // namespace stagelane::ui
