#pragma once

/// The table of events of the step or of an area, below the timeline. It shows the selected event's
/// row, and a click on a column heading sorts all events; large lists are handled in another
/// thread. Scrolling past an end of the window of rows moves the window.

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
  /// The events of the shown step; null without a timeline.
  void setStep(TimelineDataPtr timeline, EventListPtr list);
  /// Shows an area's events until something else is selected or a step is set.
  void setArea(const EventListPtr& list);
  /// Selects an event's row, or none.
  void showTarget(const TimelineTarget& target);
  [[nodiscard]] QString note() const;
  /// Whether rows are being sorted.
  [[nodiscard]] bool busy() const { return m_job.running(); }
  [[nodiscard]] const StepEventsModel& events() const { return m_model; }
  /// The headings that sort, and the selected row.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  void noteChanged();
  void chosen(const TimelineTarget& target);
  void zoomWanted(const TimelineTarget& target);

 private:
  /// Shows a list in the order of m_sort, at once if it is short.
  void showList(const EventListPtr& list);
  void putInOrder(const EventRange& range);
  void take(const EventListPtr& list);
  void selectTarget();
  void scrolled(int value);
  /// Moves the window of rows and keeps the top row in place.
  void moveWindow(std::size_t first);

  StepEventsModel m_model;
  TimelineDataPtr m_data;
  EventListPtr m_step;
  EventSort m_sort;
  TimelineTarget m_target;
  bool m_ofArea = false;
  bool m_moving = false;  ///< rows are being replaced: ignore the scroll bar
  LatestJob m_job;
};

}  // namespace stagelane::ui
