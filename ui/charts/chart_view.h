#pragma once

/// A chart as a control: the drawing, with hover, clicks and keys on its marks and its legend.
/// ui/plots provides the drawing and the key navigation.

#include <QPicture>
#include <QWidget>
#include <vector>

#include "ui/kit/virtual_controls.h"
#include "ui/plots/chart.h"
#include "ui/plots/chart_cursor.h"
#include "ui/session/run/earlier_results.h"

namespace stagelane::ui {

class ChartView final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit ChartView(ChartKind kind, QWidget* parent = nullptr);
  /// Drawn when painted, so that a hidden chart costs nothing.
  void show(RunResultPtr run, const ChartOptions& options, const Theme& theme);
  /// The variant that all pages show: highlighted here, not in exports.
  void setCurrentVariant(const QString& variantId);
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  void variantClicked(const QString& variantId);
  /// A legend entry was clicked.
  void causeClicked(stagelane::analysis::Cause cause);
  void hinted(const QString& text);
  /// A key moved the cursor to this rectangle.
  void cursorMoved(const QRect& to);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void drawAgain();
  void draw();
  [[nodiscard]] ChartItems items() const;
  [[nodiscard]] const ChartLegendMark* legendAt(const QPointF& position) const;
  [[nodiscard]] double legendHeight() const;
  [[nodiscard]] double legendTop() const;
  [[nodiscard]] QRectF legendRect(const ChartLegendMark& mark) const;
  void paintLegendInSight(QPainter& painter) const;
  /// The mark under the pointer; −1 for none and over the legend.
  [[nodiscard]] int markUnder(const QPointF& position) const;
  void setHover(int mark);
  void setCursorTo(ChartCursor cursor);
  void activateCursor();
  /// The bar at the keyboard cursor; null for none.
  [[nodiscard]] const ChartMark* markOfCursor() const;
  [[nodiscard]] QRectF rectOfCursor() const;
  /// Rectangle of that bar's value.
  [[nodiscard]] QRectF noteRect(const ChartMark& mark) const;
  void paintNote(QPainter& painter, const ChartMark& mark) const;
  void paintCurrent(QPainter& painter) const;

  ChartKind m_kind;
  RunResultPtr m_run;
  ChartOptions m_options;
  const Theme* m_theme;
  bool m_stale = false;  ///< the members below were drawn for an earlier run or size
  QPicture m_picture;
  std::vector<ChartMark> m_marks;
  std::vector<ChartLegendMark> m_legend;
  QString m_currentVariant;
  int m_hover = -1;
  ChartCursor m_cursor;
};

}  // namespace stagelane::ui
