#pragma once

/// A chart as a control: the drawing, with hover, clicks and keys on its marks and its legend. What
/// is drawn, and where a key leads, comes from ui/plots.

#include <QPicture>
#include <QWidget>
#include <optional>
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
  /// Drawn when it is painted, so a chart that is out of sight costs nothing.
  void show(RunResultPtr run, const ChartOptions& options, const Theme& theme);
  /// The variant that all pages show: marked here, in no export.
  void setCurrentVariant(const QString& variantId);
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  void variantClicked(const QString& variantId);
  /// An entry of the legend.
  void causeClicked(stagelane::analysis::Cause cause);
  void hinted(const QString& text);
  /// By a key, to something at this rectangle.
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
  /// The mark that a pointer means; −1 for none, also over the legend.
  [[nodiscard]] int markUnder(const QPointF& position) const;
  void setHover(int mark);
  void setCursorTo(ChartCursor cursor);
  void activateCursor();
  /// The bar that is under the cursor of the keys; null for none.
  [[nodiscard]] const ChartMark* markOfCursor() const;
  [[nodiscard]] QRectF rectOfCursor() const;
  /// Where the value of that bar is written.
  [[nodiscard]] QRectF noteRect(const ChartMark& mark) const;
  void paintNote(QPainter& painter, const ChartMark& mark) const;
  void paintCurrent(QPainter& painter) const;

  ChartKind m_kind;
  RunResultPtr m_run;
  ChartOptions m_options;
  const Theme* m_theme;
  bool m_stale = false;  ///< what follows was drawn of an earlier run or size
  QPicture m_picture;
  std::vector<ChartMark> m_marks;
  std::vector<ChartLegendMark> m_legend;
  QString m_currentVariant;
  int m_hover = -1;
  ChartCursor m_cursor;
};

}  // namespace stagelane::ui
