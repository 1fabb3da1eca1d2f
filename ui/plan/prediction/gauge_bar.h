#pragma once

/// A share as a bar in the inspector, such as a speed-up or a device's memory.

#include <QColor>
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

namespace stagelane::ui {

class CurrentTheme;

/// A share as a bar, with a tick for the plan before.
class GaugeBar final : public QWidget {
  Q_OBJECT

 public:
  explicit GaugeBar(const CurrentTheme* theme, QWidget* parent = nullptr);
  /// Segments as shares of the filled part; empty: one color.
  void setParts(std::vector<std::pair<double, QColor>> parts);
  /// Shares of the bar's width; a negative `tick` or `mark` is not drawn.
  void show(double share, double tick, double mark, bool over);
  /// Measured share, drawn as a diamond; `stale`: measured with an older plan.
  void setMeasured(std::optional<double> share, bool stale = false);
  /// An error bar from share to share; nothing for none.
  void setRange(std::optional<std::pair<double, double>> range);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const CurrentTheme* m_theme;
  std::vector<std::pair<double, QColor>> m_parts;
  double m_share = 0.0;
  double m_tick = -1.0;
  double m_mark = -1.0;
  bool m_over = false;
  std::optional<std::pair<double, double>> m_range;
  std::optional<double> m_measured;
  bool m_measuredStale = false;
};

}  // namespace stagelane::ui
