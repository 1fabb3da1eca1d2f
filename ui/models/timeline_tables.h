#pragma once

/// Item models of the timeline's bottom panel: idle causes per device, and the events of the step.
/// data() is O(1): everything is computed when the step is set.

#include <QAbstractTableModel>
#include <vector>

#include "ui/models/theme.h"
#include "ui/models/timeline_data.h"

namespace stagelane::ui {

/// A row per cause, columns per device: milliseconds, share (the shares of a device add up), and
/// the predicted share where there is a prediction.
class IdleCauseModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setTimeline(TimelineDataPtr timeline);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  /// Colours and hatches beside the names.
  void setTheme(const Theme& theme);
  /// The cause of a row; Cause::Compute for the "Busy" and the "Step" row.
  [[nodiscard]] analysis::Cause causeOf(int row) const;

 private:
  struct Row {
    QString name;
    analysis::Cause cause = analysis::Cause::Compute;
    QStringList cells;
  };
  std::vector<Row> m_rows;
  const Theme* m_theme = &lightTheme();
  QStringList m_headers;
};

/// Events of the step that overlap [fromNs, toNs) (absolute) on some tracks, by start: the first
/// `most` of them. Cost follows `most`, not the events. @thread any
struct EventRange {
  TimeNs fromNs = 0;
  TimeNs toNs = 0;
  std::vector<std::size_t> tracks{};  ///< empty: all
};
[[nodiscard]] std::vector<std::size_t> firstEvents(const TimelineData& data,
                                                   const EventRange& range, std::size_t most);
/// Beyond this a table would only be scrolled past; the timeline itself shows them all.
inline constexpr std::size_t kMostTableEvents = 20000;

/// Events, sorted by start: action, device, start, duration, to predicted.
class StepEventsModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  /// Shows the step's events.
  void setTimeline(TimelineDataPtr timeline);
  /// Shows these, which are sorted by start.
  void setEvents(TimelineDataPtr timeline, std::vector<std::size_t> events);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  void setTheme(const Theme& theme);
  [[nodiscard]] TimelineTarget targetOf(int row) const;
  [[nodiscard]] int rowOf(const TimelineTarget& target) const;
  [[nodiscard]] trace::Category categoryOf(int row) const;

 private:
  TimelineDataPtr m_timeline;
  std::vector<std::size_t> m_events;
  const Theme* m_theme = &lightTheme();
  QString m_unit = QStringLiteral("ms");
};

}  // namespace stagelane::ui
