#pragma once

/// The legend of the timeline in the status bar: a button for each kind of action and idle cause;
/// switching one off hides it in the timeline.

#include <QWidget>

#include "ui/models/theme.h"
#include "ui/models/timeline_scene.h"

namespace stagelane::ui {

class TimelineLegend final : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineLegend(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// Shows what occurs in the step; null clears.
  void setData(const TimelineDataPtr& timeline);
  [[nodiscard]] const LegendFilter& filter() const { return m_filter; }
  void setFilter(const LegendFilter& filter);
  /// Swatches alone; their words are in the tooltips.
  void setCompact(bool compact);

 Q_SIGNALS:
  void filterChanged();

 private:
  void rebuild();

  const Theme* m_theme;
  std::vector<trace::Category> m_categories;
  std::vector<analysis::Cause> m_causes;
  LegendFilter m_filter;
  bool m_compact = false;
};

}  // namespace stagelane::ui
