#pragma once

/// The legend of the timeline in the status bar: a button per kind of action and idle cause, which
/// shows or hides it in the timeline.

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
  /// Shows what occurs in the step; null clears it.
  void setData(const TimelineDataPtr& timeline);
  [[nodiscard]] const LegendFilter& filter() const { return m_filter; }
  void setFilter(const LegendFilter& filter);
  /// Sets the meaning of action colors; numbers get swatches of their own.
  void setColorBy(ColorBy colorBy);
  /// Maximum width; too narrow for all texts, only swatches with tooltips are shown.
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
  /// A button that shows or hides, with the same action for the palette.
  QToolButton* addSwitch(const Entry& entry);
  void showState(QToolButton& button, const QBrush& brush);
  void showStates();
  /// Shows texts beside the swatches if all of them fit.
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
