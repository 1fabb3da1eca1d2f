#pragma once

/// One chart of the Charts page in its card: title, subtitle, export button, the chart itself (it
/// scrolls sideways when its bars would become too narrow). What is drawn comes from ui/plots.

#include <QFrame>

#include "ui/charts/chart_view.h"

class QLabel;
class QScrollArea;
class QToolButton;

namespace stagelane::ui {

class ChartCard final : public QFrame {
  Q_OBJECT

 public:
  explicit ChartCard(ChartKind kind, QWidget* parent = nullptr);
  [[nodiscard]] ChartKind kind() const { return m_kind; }
  [[nodiscard]] ChartView* view() const { return m_view; }
  /// The maximum height beside a taller card.
  [[nodiscard]] QSize sizeHint() const override;
  void show(const RunResultPtr& run, const ChartOptions& options, const Theme& theme);

 Q_SIGNALS:
  void exportRequested(stagelane::ui::ChartKind kind);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void placeSubtitle();
  void fitHeight();

  ChartKind m_kind;
  const Theme* m_theme;
  RunResultPtr m_run;
  ChartOptions m_options;
  QLabel* m_title;
  QLabel* m_subtitle;
  QString m_subtitleText;
  QToolButton* m_export;
  QScrollArea* m_scroll;
  ChartView* m_view;
};

}  // namespace stagelane::ui
