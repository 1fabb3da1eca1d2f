#pragma once

/// The table of events below the timeline: of the step, or of an area. Whatever is selected is
/// found in it, and a click on a column's head sorts them all; both beside the window where there
/// are many. Scrolling past an end of the window of rows moves the window on.

#include <QTableView>

#include "ui/kit/latest_job.h"
#include "ui/kit/virtual_controls.h"
#include "ui/timeline/event_table.h"

namespace stagelane::ui {

class TimelineEvents final : public QTableView, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit TimelineEvents(QWidget* parent = nullptr);

  void setTheme(const Theme& theme) { m_model.setTheme(theme); }
  /// The events of what is shown; null without a timeline.
  void setStep(TimelineDataPtr timeline, EventListPtr list);
  /// Those of an area, until something else is selected or a step is set.
  void setArea(const EventListPtr& list);
  /// Selects an event's row, or none.
  void showTarget(const TimelineTarget& target);
  [[nodiscard]] QString note() const;
  /// Whether rows are being put in order.
  [[nodiscard]] bool busy() const { return m_job.running(); }
  [[nodiscard]] const StepEventsModel& events() const { return m_model; }
  /// The heads that sort, and the selected row.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  void noteChanged();
  void chosen(const TimelineTarget& target);
  void zoomWanted(const TimelineTarget& target);

 private:
  /// Shows a list in the order of m_sort, at once where it is short.
  void showList(const EventListPtr& list);
  void putInOrder(const EventRange& range);
  void take(const EventListPtr& list);
  void selectTarget();
  void scrolled(int value);
  /// Another window of the list; what is at the top stays in sight.
  void moveWindow(std::size_t first);

  StepEventsModel m_model;
  TimelineDataPtr m_data;
  EventListPtr m_step;
  EventSort m_sort;
  TimelineTarget m_target;
  bool m_ofArea = false;
  bool m_moving = false;  ///< rows are exchanged: what the scroll bar says is nobody's wish
  LatestJob m_job;
};

}  // namespace stagelane::ui
