#pragma once

/// The points of a sweep in their order: predicted time a sample as a line, measured means as dots
/// with their standard deviations, the best one ringed.

#include <QWidget>

#include "ui/models/session.h"
#include "ui/widgets/virtual_controls.h"

namespace stagelane::ui {

class SweepCurve final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit SweepCurve(const Session* session, QWidget* parent = nullptr);
  void show(SweepViewPtr sweep);
  [[nodiscard]] QSize sizeHint() const override { return {400, 110}; }
  /// `sweepPoint.N` for each point that is measured.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QPointF at(std::size_t index, double seconds) const;

  const Session* m_session;
  SweepViewPtr m_sweep;
  double m_most = 0.0;
};

}  // namespace stagelane::ui
