#pragma once

/// One chart of the Charts page in its card: title, subtitle, export button, the chart itself (it
/// scrolls sideways when its bars would become too narrow). What is drawn comes from ui/plots.

#include <QFrame>
#include <QPicture>
#include <vector>

#include "ui/models/session.h"
#include "ui/plots/chart.h"
#include "ui/widgets/virtual_controls.h"

class QLabel;
class QScrollArea;
class QToolButton;

namespace stagelane::ui {

/// The drawing, with hover and clicks on its marks.
class ChartView final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit ChartView(ChartKind kind, QWidget* parent = nullptr);
  void show(RunResultPtr run, const ChartOptions& options, const Theme& theme);
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;

 Q_SIGNALS:
  void variantClicked(const QString& variantId);
  /// An entry of the legend.
  void causeClicked(stagelane::analysis::Cause cause);
  void hinted(const QString& text);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void redraw();
  [[nodiscard]] int markAt(const QPointF& position) const;
  [[nodiscard]] const ChartLegendMark* legendAt(const QPointF& position) const;
  void setHover(int mark);

  ChartKind m_kind;
  RunResultPtr m_run;
  ChartOptions m_options;
  const Theme* m_theme;
  QPicture m_picture;
  std::vector<ChartMark> m_marks;
  std::vector<ChartLegendMark> m_legend;
  int m_hover = -1;
};

class ChartCard final : public QFrame {
  Q_OBJECT

 public:
  explicit ChartCard(ChartKind kind, QWidget* parent = nullptr);
  [[nodiscard]] ChartKind kind() const { return m_kind; }
  [[nodiscard]] ChartView* view() const { return m_view; }
  void show(const RunResultPtr& run, const ChartOptions& options, const Theme& theme);

 Q_SIGNALS:
  void exportRequested(stagelane::ui::ChartKind kind);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void placeSubtitle();

  ChartKind m_kind;
  const Theme* m_theme;
  QLabel* m_title;
  QLabel* m_subtitle;
  QString m_subtitleText;
  QToolButton* m_export;
  QScrollArea* m_scroll;
  ChartView* m_view;
};

}  // namespace stagelane::ui
