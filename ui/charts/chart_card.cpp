#include "ui/charts/chart_card.h"

#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/kit/boxes.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr int kHeaderHeight = 32;
constexpr int kScrollMargin = 24;
/// Maximum height for charts that do not need more.
constexpr int kMostUnasked = 400;

}  // namespace

ChartCard::ChartCard(ChartKind kind, QWidget* parent)
    : QFrame(parent),
      m_kind(kind),
      m_theme(&lightTheme()),
      m_title(new QLabel(chartTitle(kind), this)),
      m_subtitle(mutedLabel(QString(), this)),
      m_export(new QToolButton(this)),
      m_scroll(new QScrollArea(this)),
      m_view(new ChartView(kind)) {
  const QString word = qstring(chartKindWord(kind));
  setNames(this, u"card."_s + word, chartTitle(kind));
  m_title->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_subtitle->setFont(fontOf(TextSize::Caption));
  m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setNames(m_export, u"export."_s + word, tr("Export the chart \"%1\"").arg(chartTitle(kind)));
  m_export->setToolTip(tr("Export this chart as PNG, SVG, PDF or CSV"));
  setLook(m_export, u"flat"_s);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setWidgetResizable(true);
  m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setWidget(m_view);

  auto* header =
      rowLayout({.margins = {measure::kPanelPadding, 0, 6, 0}, .spacing = measure::kControlGap},
                {m_title, {m_subtitle, 1}, m_export});
  columnLayout(this, {.margins = {1, 4, 1, 6}, .spacing = 2}, {header, {m_scroll, 1}});
  connect(m_export, &QToolButton::clicked, this, [this] { Q_EMIT exportRequested(m_kind); });
  connect(m_view, &ChartView::cursorMoved, this, [this](const QRect& to) {
    m_scroll->ensureVisible(to.center().x(), to.center().y(), kScrollMargin + to.width() / 2, 0);
  });
}

void ChartCard::show(const RunResultPtr& run, const ChartOptions& options, const Theme& theme) {
  m_theme = &theme;
  const bool filled = run && chartHasData(m_kind, *run, options);
  setVisible(filled || !isOfFewRuns(m_kind));
  m_subtitleText = filled ? chartSubtitle(m_kind, *run, options) : QString();
  placeSubtitle();
  m_export->setIcon(icon(u"export"_s, theme.control.muted, theme.control.faint));
  m_export->setEnabled(filled);
  m_view->show(run, options, theme);
  m_run = run;
  m_options = options;
  fitHeight();
  update();
}

void ChartCard::fitHeight() {
  const double height = m_run ? suggestedChartHeight(m_kind, *m_run) : 200.0;
  const bool scrolls = m_run && leastChartWidth(m_kind, *m_run, m_options) > width() - 2;
  setMinimumHeight(static_cast<int>(std::ceil(height)) + kHeaderHeight + 12 +
                   (scrolls ? m_scroll->horizontalScrollBar()->sizeHint().height() : 0));
}

QSize ChartCard::sizeHint() const {
  return {QFrame::sizeHint().width(), std::max(minimumHeight(), kMostUnasked)};
}

void ChartCard::placeSubtitle() {
  m_subtitle->setText(m_subtitle->fontMetrics().elidedText(m_subtitleText, Qt::ElideRight,
                                                           std::max(40, m_subtitle->width())));
  m_subtitle->setToolTip(m_subtitleText);
}

void ChartCard::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  placeSubtitle();
  fitHeight();
}

void ChartCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(m_theme->control.border, 1.0));
  painter.setBrush(m_theme->control.panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), measure::kControlRadius,
                          measure::kControlRadius);
}

}  // namespace stagelane::ui
