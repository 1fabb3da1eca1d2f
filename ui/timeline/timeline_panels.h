#pragma once

/// Panels below the timeline: selection, idle causes and events, side by side in a wide page, else
/// as tabs.

#include <QWidget>

#include "ui/kit/latest_job.h"
#include "ui/timeline/event_table.h"
#include "ui/timeline/timeline_area.h"
#include "ui/timeline/timeline_tables.h"

class QLabel;
class QSplitter;
class QTabWidget;

namespace stagelane::ui {

class Badge;
class IdleCauseTable;
class TimelineEvents;
class TimelineSelection;

class TimelinePanels final : public QWidget {
  Q_OBJECT

 public:
  explicit TimelinePanels(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Null without a timeline.
  void setStep(TimelineDataPtr timeline, const EventListPtr& events);
  void showTarget(const TimelineTarget& target);
  /// Computes an area's statistics in another thread.
  void showArea(const TimelineArea& area, const LegendFilter& filter);
  void clearCause();
  /// Side by side in a page of this width, else as tabs.
  void placeFor(int pageWidth);
  /// Shows the numbers of listed events and of lost records.
  void showNote();
  [[nodiscard]] bool busy() const;

  [[nodiscard]] TimelineSelection& selection() { return *m_selection; }
  [[nodiscard]] TimelineEvents& events() { return *m_events; }

 Q_SIGNALS:
  void causeClicked(stagelane::analysis::Cause cause);

 private:
  void buildCauses();
  void buildEvents();
  void place(bool wide);
  void takeApart();
  void fitCauses();

  TimelineDataPtr m_data;
  IdleCauseModel m_causeModel;
  LatestJob m_areaJob;
  const Theme* m_theme;
  TimelineSelection* m_selection;
  IdleCauseTable* m_causes;
  TimelineEvents* m_events;
  QLabel* m_causesNote = nullptr;
  QWidget* m_eventsTop = nullptr;
  QLabel* m_eventsNote = nullptr;
  Badge* m_lost = nullptr;
  QSplitter* m_columns = nullptr;
  QTabWidget* m_tabs = nullptr;
  int m_pageWidth = 0;
};

}  // namespace stagelane::ui
