#pragma once

/// The median steps of several runs below each other on one time axis that starts with the step: a
/// lane per device, busy time in the colors of its actions, idle time hatched by cause.

#include <QWidget>
#include <vector>

#include "ui/runs/compare/runs_side_by_side.h"

namespace stagelane::ui {

class CurrentTheme;

class StepsStrip final : public QWidget {
  Q_OBJECT

 public:
  explicit StepsStrip(const CurrentTheme* theme, QWidget* parent = nullptr);
  void show(const std::vector<LoadedRun>& runs);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Lane {
    QString title;
    QString idle;
    StepLane step;
    TimeNs endNs = 0;
    bool firstOfRun = false;
  };
  [[nodiscard]] double yOf(std::size_t lane) const;
  [[nodiscard]] double xOf(TimeNs ns) const;

  const CurrentTheme* m_theme;
  std::vector<Lane> m_lanes;
  TimeNs m_longestNs = 0;
};

}  // namespace stagelane::ui
