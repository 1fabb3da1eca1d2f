#pragma once

/// The legend of the timeline in the status bar: a button for each kind of action and idle cause;
/// switching one off hides it in the timeline.

#include <QBrush>
#include <QWidget>

#include "ui/kit/theme.h"
#include "ui/tracks/timeline_scene.h"

class QToolButton;

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
  /// What the colours of actions say; by number there are swatches for the numbers.
  void setColorBy(ColorBy colorBy);
  /// How wide it may be: with less than its words need, swatches alone, which have tooltips.
  void setRoom(int widthPx);

 Q_SIGNALS:
  void filterChanged();

 private:
  struct Entry {
    QString name, text;
    QBrush brush;
    bool hidden = false;
  };
  void rebuild();
  void addNumbers();
  void addCategories();
  void addCauses();
  QToolButton* add(const Entry& entry);
  /// One that hides and shows; what it does is also an action of the legend, for the palette.
  QToolButton* addSwitch(const Entry& entry);
  void showState(QToolButton& button, const QBrush& brush);
  void showStates();
  /// Words beside the swatches where all of them have room.
  void updateWords();

  const Theme* m_theme;
  std::vector<trace::Category> m_categories;
  std::vector<analysis::Cause> m_causes;
  LegendFilter m_filter;
  ColorBy m_colorBy = ColorBy::Kind;
  TimelineDataPtr m_timeline;
  int m_room = 0;
  std::vector<std::pair<QToolButton*, QBrush>> m_buttons;  ///< with their swatches
};

}  // namespace stagelane::ui
