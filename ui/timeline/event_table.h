#pragma once

/// The events of a step or of an area as a table: however many there are, in the order of any of
/// its columns. The table holds a window of them, because a view keeps something for every row;
/// what is looked for is brought into the window.

#include <QAbstractTableModel>
#include <atomic>
#include <memory>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

/// A stretch of time (absolute) on some tracks.
struct EventRange {
  TimeNs fromNs = 0;
  TimeNs toNs = 0;
  std::vector<std::size_t> tracks{};  ///< empty: all
  friend bool operator==(const EventRange&, const EventRange&) = default;
};
/// All that is shown of a trace.
[[nodiscard]] EventRange shownRange(const TimelineData& data);

/// Events that overlap a range, by start: the first `most` of them. Cost follows `most`, not the
/// events. @thread any
[[nodiscard]] std::vector<std::uint32_t> firstEvents(const TimelineData& data,
                                                     const EventRange& range, std::size_t most);

enum class EventColumn { Action, Device, Start, Duration, ToPredicted };
inline constexpr int kEventColumns = 5;
struct EventSort {
  EventColumn column = EventColumn::Start;
  bool descending = false;
  friend bool operator==(const EventSort&, const EventSort&) = default;
};

/// Events in an order.
struct EventList {
  EventRange range;
  EventSort sort;
  std::vector<std::uint32_t> events;
  bool complete = true;  ///< false: the beginning of them
};
using EventListPtr = std::shared_ptr<const EventList>;

/// So many rows are in the window.
inline constexpr std::size_t kMostTableEvents = 20000;
/// By start, no more of them than the window holds. @thread any
[[nodiscard]] EventListPtr beginningOf(const TimelineData& data, const EventRange& range);
/// All of them; those that are alike in the column by start. Names are compared as people do (F2
/// before F10); what has no prediction comes last. Costs n log n. @thread any
/// @returns null when it was canceled
[[nodiscard]] EventListPtr sortedEvents(const TimelineData& data, const EventRange& range,
                                        const EventSort& sort, const std::atomic<bool>& canceled);

/// A window of a list: action, device, start, duration, prediction. data() is O(1).
class StepEventsModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  /// Shows a list from place `first` on, or as near to it as there are enough.
  void setEvents(TimelineDataPtr timeline, EventListPtr list, std::size_t first = 0);
  /// Null without events.
  [[nodiscard]] const EventListPtr& list() const { return m_list; }
  /// Place in the list of the first row.
  [[nodiscard]] std::size_t first() const { return m_first; }
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  /// Only asks for it: see sortWanted.
  void sort(int column, Qt::SortOrder order) override;
  void setTheme(const Theme& theme);
  [[nodiscard]] TimelineTarget targetOf(int row) const;
  /// Row of an event, -1 where it is not in the window.
  [[nodiscard]] int rowOf(const TimelineTarget& target) const;
  /// Place of an event in the whole list. Costs a look at all.
  [[nodiscard]] std::optional<std::size_t> placeOf(const TimelineTarget& target) const;
  [[nodiscard]] trace::Category categoryOf(int row) const;

 Q_SIGNALS:
  void sortWanted(const EventSort& sort);

 private:
  [[nodiscard]] std::size_t eventOf(int row) const;

  TimelineDataPtr m_timeline;
  EventListPtr m_list;
  std::size_t m_first = 0;
  const Theme* m_theme = &lightTheme();
  QString m_unit = QStringLiteral("ms");
};

/// "9 in this step", "first 20000 in this step", "1200001–1220000 of 10000000 in this step".
[[nodiscard]] QString eventsNoteText(const StepEventsModel& model, const QString& where);

}  // namespace stagelane::ui
