#pragma once

/// The middle of the Plan page: what breaks the plan, and below it the lanes with the curve of
/// cuts, scrolled together. The lanes' headers stay in sight, and the chip that the keyboard is on
/// comes into it.

#include <QAction>
#include <QList>
#include <QScrollArea>
#include <QWidget>

#include "ui/plan/lanes/device_bar.h"
#include "ui/plan/lanes/lanes_view.h"
#include "ui/plan/plan_model.h"
#include "ui/plan/problem_bar.h"

namespace stagelane::ui {

class PlanLanes final : public QWidget {
  Q_OBJECT

 public:
  /// `cutActions` are the menu of the curve of cuts.
  PlanLanes(PlanModel* plan, const QList<QAction*>& cutActions, QWidget* parent = nullptr);
  [[nodiscard]] LanesView* view() const { return m_lanes; }
  /// Mending the plan, adding devices, and settings and removal of each, also of an empty lane's.
  [[nodiscard]] QList<QAction*> actionsForPalette() const;
  /// The height in which nothing has to be scrolled down to.
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
  bool m_arriving = false;  ///< nobody has scrolled or edited since the tab came
};

}  // namespace stagelane::ui
