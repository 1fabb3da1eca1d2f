#pragma once

/// The table of idle causes in the timeline's bottom panel. data() is O(1): everything is computed
/// when the step is set. The table of events is in timeline_events.h.

#include <QAbstractTableModel>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {

/// A row per cause, columns per device: milliseconds, share (a device's shares add up to 100 %),
/// and the predicted share if there is a prediction.
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
  /// Colors and hatches beside the names.
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

}  // namespace stagelane::ui
