#pragma once

/// Item models of the timeline's bottom panel: idle causes per device, and the events of the step.
/// data() is O(1): everything is computed when the step is set.

#include <QAbstractTableModel>
#include <vector>

#include "ui/models/timeline_data.h"

namespace stagelane::ui {

/// A row per cause, columns per device: milliseconds and share (the shares of a device add up).
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
  /// The cause of a row; Cause::Compute for the "Busy" and the "Step" row.
  [[nodiscard]] analysis::Cause causeOf(int row) const;

 private:
  struct Row {
    QString name;
    analysis::Cause cause = analysis::Cause::Compute;
    QStringList cells;
  };
  std::vector<Row> m_rows;
  QStringList m_headers;
};

/// The events of the step, sorted by start: action, device, start, duration, to predicted.
class StepEventsModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setTimeline(TimelineDataPtr timeline);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] TimelineTarget targetOf(int row) const;
  [[nodiscard]] int rowOf(const TimelineTarget& target) const;
  [[nodiscard]] trace::Category categoryOf(int row) const;

 private:
  TimelineDataPtr m_timeline;
  std::vector<std::size_t> m_events;
  QString m_unit = QStringLiteral("ms");
};

}  // namespace stagelane::ui
