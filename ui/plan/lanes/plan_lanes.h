#pragma once

/// The center of the Plan page: plan problems, and below them the lanes and the cut curve, scrolled
/// together. Lane headers stay visible, and the current chip is scrolled into view.

#include <QAction>
#include <QList>
#include <QScrollArea>
#include <QWidget>

#include "ui/plan/lanes/device_bar.h"
#include "ui/plan/lanes/lanes_view.h"
#include "ui/plan/lanes/problem_bar.h"
#include "ui/plan/plan_model/plan_model.h"

namespace stagelane::ui {

class PlanLanes final : public QWidget {
  Q_OBJECT

 public:
  /// `cutActions` fill the cut curve's menu.
  PlanLanes(PlanModel* plan, const QList<QAction*>& cutActions, QWidget* parent = nullptr);
  [[nodiscard]] LanesView* view() const { return m_lanes; }
  /// Fixing the plan, adding devices, and settings and removal of each, including devices without
  /// blocks.
  [[nodiscard]] QList<QAction*> actionsForPalette() const;
  /// Height at which no vertical scrolling is needed.
  [[nodiscard]] int wholeHeight() const;

 Q_SIGNALS:
  void wholeHeightChanged();

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void connectScrolling();
  void arrive();
  void showArrival();
  void showFirstBoundary();
  void showCurrentChip();
  void keepHeaders(int scrolled);

  PlanModel* m_plan;
  ProblemBar* m_problems;
  QScrollArea* m_area;
  LanesView* m_lanes;
  DeviceBar* m_devices;
  QString m_shownTab;
  bool m_arriving = false;  ///< no scroll or edit since the tab was shown
};

}  // namespace stagelane::ui
