#pragma once

/// The panel "Selection": an event, a gap with its causes, or the figures of an area. Requests
/// zooming and navigation through signals.

#include <QStandardItemModel>
#include <QWidget>

#include "profiler/analysis/area_statistics.h"
#include "ui/kit/theme.h"
#include "ui/tracks/timeline_data.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QTableView;
class QToolButton;

namespace stagelane::ui {

class TimelineSelection final : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineSelection(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  /// Kind::None shows how to select.
  void showTarget(const TimelineData* timeline, const TimelineTarget& target);
  void showCounting();
  /// @units times relative to `startNs`, the step's start
  void showArea(const analysis::AreaStatistics& statistics, TimeNs startNs);
  /// The shown text, the table tab-separated.
  [[nodiscard]] QString asText() const;

 Q_SIGNALS:
  void zoomWanted();
  /// Go to the event that the gap waited for.
  void culpritWanted(const stagelane::ui::TimelineTarget& culprit);
  /// A row of the area's table was clicked: its name (and kind) as a search.
  void nameWanted(const QString& name);

 private:
  void build();
  void fillTable();
  void showFacts(const TargetText& text);
  void showParts();
  void addPart(QGridLayout& grid, int row);

  const Theme* m_theme;
  QLabel* m_title;
  QLabel* m_text;
  QScrollArea* m_scroll;
  QWidget* m_parts = nullptr;  ///< causes of a gap, one per row
  QTableView* m_table;
  QStandardItemModel m_rows;
  QToolButton* m_byKind;
  QPushButton* m_goTo;
  QPushButton* m_zoom;
  QPushButton* m_copy;
  analysis::AreaStatistics m_statistics;
  TargetText m_said;
};

}  // namespace stagelane::ui
