#pragma once

/// What is said about the timeline, below it: the selection, the idle causes and the events. Side
/// by side where the page is wide, else as tabs.

#include <QWidget>
#include <optional>

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
  /// Counts in another thread what lies in the area.
  void showArea(const TimelineArea& area, const LegendFilter& filter);
  void clearCause();
  /// Side by side in a page of this width, else as tabs.
  void placeFor(int pageWidth);
  /// How many events are listed, and how many records were lost.
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
