#include "ui/widgets/chart_card.h"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/models/formatting.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/look.h"

namespace stagelane::ui {
namespace {

constexpr int kHeaderHeight = 32;
constexpr double kTouchMargin = 3.0;

}  // namespace

ChartView::ChartView(ChartKind kind, QWidget* parent)
    : QWidget(parent), m_kind(kind), m_theme(&lightTheme()) {
  setMouseTracking(true);
  const QString word = qstring(chartKindWord(kind));
  setNames(this, QStringLiteral("chart.") + word, chartTitle(kind));
}

void ChartView::show(RunResultPtr run, const ChartOptions& options, const Theme& theme) {
  m_run = std::move(run);
  m_options = options;
  m_theme = &theme;
  if (m_run) {
    setMinimumWidth(static_cast<int>(leastChartWidth(m_kind, *m_run)));
    setMinimumHeight(static_cast<int>(suggestedChartHeight(m_kind, *m_run)));
  }
  redraw();
}

void ChartView::redraw() {
  m_hover = -1;
  m_marks.clear();
  m_legend.clear();
  m_picture = QPicture();
  if (m_run && chartHasData(m_kind, *m_run, m_options)) {
    ChartDrawing drawing =
        drawChart(m_kind, *m_run, m_options, QSizeF(size()), *m_theme, PaintMode::Screen);
    m_picture = drawing.picture;
    m_marks = std::move(drawing.marks);
    m_legend = std::move(drawing.legend);
  }
  update();
}

int ChartView::markAt(const QPointF& position) const {
  for (std::size_t i = 0; i < m_marks.size(); ++i) {
    const QRectF touch =
        m_marks[i].rect.adjusted(-kTouchMargin, -kTouchMargin, kTouchMargin, kTouchMargin);
    if (touch.contains(position)) return static_cast<int>(i);
  }
  return -1;
}

const ChartLegendMark* ChartView::legendAt(const QPointF& position) const {
  const auto found =
      std::find_if(m_legend.begin(), m_legend.end(),
                   [&](const ChartLegendMark& mark) { return mark.rect.contains(position); });
  return found == m_legend.end() ? nullptr : &*found;
}

void ChartView::setHover(int mark) {
  if (mark == m_hover) return;
  m_hover = mark;
  setCursor(mark >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  Q_EMIT hinted(mark >= 0 ? m_marks[static_cast<std::size_t>(mark)].text +
                                QStringLiteral(" · click to open its median step in the Timeline")
                          : QString());
  update();
}

bool ChartView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int mark = markAt(help->pos());
  if (const ChartLegendMark* entry = legendAt(help->pos())) {
    QToolTip::showText(help->globalPos(),
                       QStringLiteral("Click to hide or show here and in the Timeline: %1")
                           .arg(causeText(entry->cause)),
                       this, entry->rect.toRect());
  } else if (mark < 0) {
    QToolTip::hideText();
  } else {
    const ChartMark& found = m_marks[static_cast<std::size_t>(mark)];
    // Names come from experiment files; a tooltip would read "<b>" as markup.
    QToolTip::showText(help->globalPos(),
                       QStringLiteral("<p>%1</p>").arg(found.text.toHtmlEscaped()), this,
                       found.rect.toRect());
  }
  return true;
}

void ChartView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme->control.panel);
  if (m_marks.empty() && m_picture.isNull()) {
    painter.setPen(m_theme->control.muted);
    painter.setFont(fontOf(TextSize::Body));
    painter.drawText(rect(), Qt::AlignCenter, emptyChartText(m_kind));
    return;
  }
  painter.drawPicture(0, 0, m_picture);
  if (m_hover >= 0) {
    painter.setPen(QPen(m_theme->control.text, 1.5));
    painter.drawRect(m_marks[static_cast<std::size_t>(m_hover)].rect);
  }
}

void ChartView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  redraw();
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
  setHover(markAt(event->position()));
  if (legendAt(event->position()) != nullptr) setCursor(Qt::PointingHandCursor);
  if (m_hover < 0 && legendAt(event->position()) == nullptr) setCursor(Qt::ArrowCursor);
}

void ChartView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const ChartLegendMark* entry = legendAt(event->position())) {
    Q_EMIT causeClicked(entry->cause);
    return;
  }
  if (const int mark = markAt(event->position()); mark >= 0) {
    Q_EMIT variantClicked(m_marks[static_cast<std::size_t>(mark)].variantId);
  }
}

void ChartView::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  setHover(-1);
}

QList<VirtualControl> ChartView::virtualControls() const {
  const QRect shown = visibleRegion().boundingRect();
  QList<VirtualControl> controls;
  for (const ChartLegendMark& entry : m_legend) {
    const bool hidden =
        std::count(m_options.hiddenCauses.begin(), m_options.hiddenCauses.end(), entry.cause) != 0;
    const QRect rect = entry.rect.toAlignedRect() & shown;
    if (rect.isEmpty()) continue;
    controls.append({QStringLiteral("legend.") + qstring(analysis::word(entry.cause)),
                     QStringLiteral("button"),
                     hidden ? QStringLiteral("false") : QStringLiteral("true"),
                     causeText(entry.cause), rect, true});
  }
  for (const ChartMark& mark : m_marks) {
    const QRect rect = mark.rect.toAlignedRect() & shown;
    if (rect.isEmpty()) continue;
    controls.append(
        {QStringLiteral("bar.%1.%2").arg(qstring(chartKindWord(m_kind)), mark.variantId),
         QStringLiteral("bar"), mark.variantId, mark.text, rect, true});
  }
  return controls;
}

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
  setObjectName(QStringLiteral("card.") + word);
  m_title->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_subtitle->setFont(fontOf(TextSize::Caption));
  m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setNames(m_export, QStringLiteral("export.") + word,
           QStringLiteral("Export the chart \"%1\"").arg(chartTitle(kind)));
  m_export->setToolTip(QStringLiteral("Export this chart as PNG, SVG, PDF or CSV"));
  setLook(m_export, QStringLiteral("flat"));
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setWidgetResizable(true);
  m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setWidget(m_view);

  auto* header = new QHBoxLayout;
  header->setContentsMargins(measure::kPanelPadding, 0, 6, 0);
  header->setSpacing(measure::kControlGap);
  header->addWidget(m_title);
  header->addWidget(m_subtitle, 1);
  header->addWidget(m_export);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(1, 4, 1, 6);
  layout->setSpacing(2);
  layout->addLayout(header);
  layout->addWidget(m_scroll, 1);
  connect(m_export, &QToolButton::clicked, this, [this] { Q_EMIT exportRequested(m_kind); });
}

void ChartCard::show(const RunResultPtr& run, const ChartOptions& options, const Theme& theme) {
  m_theme = &theme;
  const bool filled = run && chartHasData(m_kind, *run, options);
  m_subtitleText = filled ? chartSubtitle(m_kind, *run) : QString();
  placeSubtitle();
  m_export->setIcon(icon(QStringLiteral("export"), theme.control.muted, theme.control.faint));
  m_export->setEnabled(filled);
  m_view->show(run, options, theme);
  const double height = run ? suggestedChartHeight(m_kind, *run) : 200.0;
  const bool scrolls = run && leastChartWidth(m_kind, *run) > width() - 2;
  setMinimumHeight(static_cast<int>(std::ceil(height)) + kHeaderHeight + 12 +
                   (scrolls ? m_scroll->horizontalScrollBar()->sizeHint().height() : 0));
  update();
}

void ChartCard::placeSubtitle() {
  m_subtitle->setText(m_subtitle->fontMetrics().elidedText(m_subtitleText, Qt::ElideRight,
                                                           std::max(40, m_subtitle->width())));
  m_subtitle->setToolTip(m_subtitleText.toHtmlEscaped());
}

void ChartCard::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  placeSubtitle();
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
