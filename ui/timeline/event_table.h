#pragma once

/// The events of a step or of an area as a table, any number of them, sorted by any column. A view
/// stores data per row, so the table holds only a window of the list, which follows the selection.

#include <QAbstractTableModel>
#include <atomic>
#include <memory>
#include <vector>

#include "ui/kit/text/formatting.h"
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
/// The range of everything that is shown of a trace.
[[nodiscard]] EventRange shownRange(const TimelineData& data);

/// The first `most` events, by start, that overlap a range. The cost depends on `most`, not on the
/// number of events. @thread any
[[nodiscard]] std::vector<std::uint32_t> firstEvents(const TimelineData& data,
                                                     const EventRange& range, std::size_t most);

enum class EventColumn { Action, Device, Start, Duration, ToPredicted };
inline constexpr int kEventColumns = 5;
struct EventSort {
  EventColumn column = EventColumn::Start;
  bool descending = false;
  friend bool operator==(const EventSort&, const EventSort&) = default;
};

/// Sorted events.
struct EventList {
  EventRange range;
  EventSort sort;
  std::vector<std::uint32_t> events;
  bool complete = true;  ///< false: only the first ones
};
using EventListPtr = std::shared_ptr<const EventList>;

/// Rows in the window.
inline constexpr std::size_t kMostTableEvents = 20000;
/// By start, at most as many as the window holds. @thread any
[[nodiscard]] EventListPtr beginningOf(const TimelineData& data, const EventRange& range);
/// All of them; events that are equal in the column are sorted by start. Names sort naturally (F2
/// before F10); events without a prediction come last. Costs n log n. @thread any
/// @returns null when it was canceled
[[nodiscard]] EventListPtr sortedEvents(const TimelineData& data, const EventRange& range,
                                        const EventSort& sort, const std::atomic<bool>& canceled);

/// A window of a list: action, device, start, duration, prediction. data() is O(1).
class StepEventsModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  /// Shows a list from place `first` on, or from the last possible place.
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
  /// Only emits sortWanted.
  void sort(int column, Qt::SortOrder order) override;
  void setTheme(const Theme& theme);
  [[nodiscard]] TimelineTarget targetOf(int row) const;
  /// Row of an event, -1 if it is not in the window.
  [[nodiscard]] int rowOf(const TimelineTarget& target) const;
  /// Place of an event in the whole list, by linear search.
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
  QString m_unit = u"ms"_s;
};

/// "9 in this step", "first 20000 in this step", "1200001–1220000 of 10000000 in this step".
[[nodiscard]] QString eventsNoteText(const StepEventsModel& model, const QString& where);

}  // namespace stagelane::ui
