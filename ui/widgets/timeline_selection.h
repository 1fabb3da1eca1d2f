#pragma once

/// The panel "Selection": what is said about an event or a gap, or the figures of an area. Shows
/// what it is given; asks to zoom through a signal.

#include <QStandardItemModel>
#include <QWidget>

#include "profiler/analysis/area_statistics.h"
#include "ui/models/timeline_data.h"

class QLabel;
class QPushButton;
class QTableView;
class QToolButton;

namespace stagelane::ui {

class TimelineSelection final : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineSelection(QWidget* parent = nullptr);

  /// Kind::None says how to select.
  void showTarget(const TimelineData* timeline, const TimelineTarget& target);
  void showCounting();
  /// @units times relative to `startNs`, the step's start
  void showArea(const analysis::AreaStatistics& statistics, TimeNs startNs);
  /// What is shown as plain text, the table tab-separated.
  [[nodiscard]] QString asText() const;

 Q_SIGNALS:
  void zoomWanted();
  /// A row of the area's table was clicked: its name (and kind) as a search.
  void nameWanted(const QString& name);

 private:
  void fillTable();

  QLabel* m_title;
  QLabel* m_text;
  QTableView* m_table;
  QStandardItemModel m_rows;
  QToolButton* m_byKind;
  QPushButton* m_zoom;
  QPushButton* m_copy;
  analysis::AreaStatistics m_statistics;
};

}  // namespace stagelane::ui
