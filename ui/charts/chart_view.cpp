#include "ui/charts/chart_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "engine/base/find.h"
#include "ui/kit/look.h"
#include "ui/kit/painted_access.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/legend_filter.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {
namespace {

constexpr double kNotePadding = 6.0;

std::optional<ChartStep> stepOf(int key) {
  switch (key) {
    case Qt::Key_Left: return ChartStep::Left;
    case Qt::Key_Right: return ChartStep::Right;
    case Qt::Key_Up: return ChartStep::Up;
    case Qt::Key_Down: return ChartStep::Down;
    case Qt::Key_Home: return ChartStep::First;
    case Qt::Key_End: return ChartStep::Last;
    default: return {};
  }
}

/// As in the Timeline's legend.
QString legendName(analysis::Cause cause) {
  return u"legend."_s +
         qstring(analysis::isBusy(cause) ? trace::word(categoryOf(cause)) : analysis::word(cause));
}

/// Rounds inward, so that adjacent rectangles share no pixel.
QRect within(const QRectF& rect) {
  const QRect inner(
      QPoint(static_cast<int>(std::ceil(rect.left())), static_cast<int>(std::ceil(rect.top()))),
      QPoint(static_cast<int>(std::floor(rect.right())) - 1,
             static_cast<int>(std::floor(rect.bottom())) - 1));
  return inner.isEmpty() ? rect.toRect() : inner;
}

QFont noteFont(bool isName) {
  return fontOf(TextSize::Caption, isName ? TextWeight::Bold : TextWeight::Regular);
}

}  // namespace

ChartView::ChartView(ChartKind kind, QWidget* parent)
    : QWidget(parent), m_kind(kind), m_theme(&lightTheme()) {
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);
  const QString word = qstring(chartKindWord(kind));
  setNames(this, u"chart."_s + word, chartTitle(kind));
}

void ChartView::show(RunResultPtr run, const ChartOptions& options, const Theme& theme) {
  m_run = std::move(run);
  m_options = options;
  m_theme = &theme;
  if (m_run) {
    setMinimumWidth(static_cast<int>(leastChartWidth(m_kind, *m_run, m_options)));
    setMinimumHeight(static_cast<int>(suggestedChartHeight(m_kind, *m_run)));
  }
  drawAgain();
}

void ChartView::setCurrentVariant(const QString& variantId) {
  if (variantId == m_currentVariant) return;
  m_currentVariant = variantId;
  update();
}

void ChartView::drawAgain() {
  m_stale = true;
  update();
}

void ChartView::draw() {
  m_stale = false;
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
  m_cursor = kept(m_cursor, items());
}

ChartItems ChartView::items() const {
  return {static_cast<int>(m_marks.size()), static_cast<int>(m_legend.size())};
}

const ChartLegendMark* ChartView::legendAt(const QPointF& position) const {
  return findIf(m_legend,
                [&](const ChartLegendMark& mark) { return legendRect(mark).contains(position); });
}

double ChartView::legendHeight() const {
  double bottom = 0.0;
  for (const ChartLegendMark& mark : m_legend) bottom = std::max(bottom, mark.rect.bottom());
  return bottom;
}

/// Follows the visible part of a chart that is taller than the page.
double ChartView::legendTop() const {
  const double most = std::max(0.0, height() - 2.0 * legendHeight());
  return std::clamp<double>(visibleRegion().boundingRect().top(), 0.0, most);
}

QRectF ChartView::legendRect(const ChartLegendMark& mark) const {
  return mark.rect.translated(0.0, legendTop());
}

int ChartView::markUnder(const QPointF& position) const {
  const bool onLegend = position.y() >= legendTop() && position.y() < legendTop() + legendHeight();
  return onLegend ? -1 : markAt(m_marks, position);
}

/// The legend is at the top of the picture; when scrolled, it is painted again over the rows.
void ChartView::paintLegendInSight(QPainter& painter) const {
  if (m_legend.empty() || legendTop() <= 0.0) return;
  const QRectF strip(0.0, legendTop(), width(), legendHeight() + 2.0);
  painter.save();
  painter.setClipRect(strip);
  painter.fillRect(strip, m_theme->control.panel);
  painter.drawPicture(strip.topLeft(), m_picture);
  painter.restore();
}

void ChartView::setHover(int mark) {
  if (mark == m_hover) return;
  m_hover = mark;
  const QString hint = mark < 0 ? QString()
                                : tipLines(m_marks[static_cast<std::size_t>(mark)]).join(u" · "_s) +
                                      tr(" · click to open the median step in the Timeline");
  Q_EMIT hinted(hint);
  update();
}

bool ChartView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int mark = markUnder(help->pos());
  if (const ChartLegendMark* entry = legendAt(help->pos())) {
    QToolTip::showText(
        help->globalPos(),
        tr("Click to show or hide %1 here and in the Timeline").arg(causeText(entry->cause)), this,
        legendRect(*entry).toRect());
  } else if (mark < 0) {
    QToolTip::hideText();
  } else {
    const ChartMark& found = m_marks[static_cast<std::size_t>(mark)];
    QToolTip::showText(help->globalPos(), tipLines(found).join(QChar(u'\n')), this,
                       found.target.toRect());
  }
  return true;
}

void ChartView::paintEvent(QPaintEvent*) {
  if (m_stale) draw();
  QPainter painter(this);
  painter.fillRect(rect(), m_theme->control.panel);
  if (m_marks.empty() && m_picture.isNull()) {
    painter.setPen(m_theme->control.muted);
    painter.setFont(fontOf(TextSize::Body));
    painter.drawText(rect(), Qt::AlignCenter, emptyChartText(m_kind, m_run.get()));
  } else {
    painter.drawPicture(0, 0, m_picture);
  }
  paintCurrent(painter);
  painter.setBrush(Qt::NoBrush);
  if (m_hover >= 0) {
    painter.setPen(QPen(m_theme->control.text, 1.5));
    painter.drawRect(m_marks[static_cast<std::size_t>(m_hover)].rect);
  }
  paintLegendInSight(painter);
  if (!hasFocus()) return;
  painter.setPen(QPen(m_theme->control.accent, 2.0));
  painter.drawRect(QRectF(visibleRegion().boundingRect()).adjusted(1.0, 1.0, -1.0, -1.0));
  if (m_cursor.place == ChartPlace::Nowhere) return;
  painter.setPen(QPen(m_theme->control.text, 2.0));
  painter.drawRect(rectOfCursor());
  if (const ChartMark* mark = markOfCursor()) paintNote(painter, *mark);
}

/// Highlights the current variant with a translucent overlay and an edge line, which leave the
/// colors of the bars unchanged.
void ChartView::paintCurrent(QPainter& painter) const {
  constexpr float kVeil = 0.10F;
  constexpr qreal kLine = 2.0;
  QColor veil = m_theme->control.accent;
  veil.setAlphaF(kVeil);
  for (const ChartMark& mark : m_marks) {
    if (mark.variantId != m_currentVariant) continue;
    QPainterPath around;
    around.addRect(mark.target);
    QPainterPath bar;
    bar.addRect(mark.rect);
    painter.fillPath(around.subtracted(bar), veil);
    QRectF line = mark.target;
    if (m_kind == ChartKind::Idle) {
      line.setWidth(kLine);
    } else {
      line.setTop(line.bottom() - kLine);
    }
    painter.fillRect(line, m_theme->control.accent);
  }
}

const ChartMark* ChartView::markOfCursor() const {
  return m_cursor.place == ChartPlace::Bar ? &m_marks[static_cast<std::size_t>(m_cursor.index)]
                                           : nullptr;
}

QRectF ChartView::rectOfCursor() const {
  if (const ChartMark* mark = markOfCursor()) return mark->rect;
  return m_cursor.place == ChartPlace::Legend
             ? legendRect(m_legend[static_cast<std::size_t>(m_cursor.index)])
             : QRectF();
}

QRectF ChartView::noteRect(const ChartMark& mark) const {
  const QStringList lines = tipLines(mark);
  double width = 0.0;
  for (const QString& line : lines) {
    width = std::max(width, QFontMetricsF(noteFont(true)).horizontalAdvance(line));
  }
  const double height =
      QFontMetricsF(noteFont(false)).lineSpacing() * static_cast<double>(lines.size());
  return notePlace(mark.rect, {width + 2.0 * kNotePadding, height + 2.0 * kNotePadding},
                   QRectF(visibleRegion().boundingRect()).adjusted(4, 4, -4, -4));
}

void ChartView::paintNote(QPainter& painter, const ChartMark& mark) const {
  const QRectF note = noteRect(mark);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(m_theme->control.text);
  painter.drawRoundedRect(note, measure::kControlRadius, measure::kControlRadius);
  painter.setPen(m_theme->control.panel);
  const double line = QFontMetricsF(noteFont(false)).lineSpacing();
  double y = note.top() + kNotePadding;
  for (const QString& text : tipLines(mark)) {
    painter.setFont(noteFont(y < note.top() + kNotePadding + 1.0));
    painter.drawText(QRectF(note.left() + kNotePadding, y, note.width(), line),
                     Qt::AlignLeft | Qt::AlignVCenter, text);
    y += line;
  }
}

void ChartView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  drawAgain();
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
  const bool overLegend = legendAt(event->position()) != nullptr;
  setHover(overLegend ? -1 : markUnder(event->position()));
  setCursor(overLegend || m_hover >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ChartView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const ChartLegendMark* entry = legendAt(event->position())) {
    Q_EMIT causeClicked(entry->cause);
    return;
  }
  if (const int mark = markUnder(event->position()); mark >= 0) {
    Q_EMIT variantClicked(m_marks[static_cast<std::size_t>(mark)].variantId);
  }
}

void ChartView::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  setHover(-1);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  if (const auto step = stepOf(event->key())) {
    setCursorTo(moved(m_cursor, *step, items()));
    return;
  }
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: activateCursor(); return;
    case Qt::Key_Escape: setCursorTo({}); return;
    default: QWidget::keyPressEvent(event);
  }
}

void ChartView::setCursorTo(ChartCursor cursor) {
  m_cursor = cursor;
  const ChartMark* mark = markOfCursor();
  // For screen readers; the note shows the same on the screen.
  setAccessibleDescription(mark == nullptr ? QString() : tipLines(*mark).join(u", "_s));
  if (mark != nullptr) {
    Q_EMIT hinted(tr("Enter opens the median step of %1 in the Timeline").arg(mark->name));
  } else if (m_cursor.place == ChartPlace::Legend) {
    const analysis::Cause cause = m_legend[static_cast<std::size_t>(m_cursor.index)].cause;
    Q_EMIT hinted(tr("Space shows or hides %1 here and in the Timeline").arg(causeText(cause)));
  } else {
    Q_EMIT hinted(QString());
  }
  if (m_cursor.place != ChartPlace::Nowhere) Q_EMIT cursorMoved(rectOfCursor().toAlignedRect());
  tellPaintedFocus(this);
  update();
}

void ChartView::activateCursor() {
  if (const ChartMark* mark = markOfCursor()) {
    Q_EMIT variantClicked(QString(mark->variantId));
  } else if (m_cursor.place == ChartPlace::Legend) {
    Q_EMIT causeClicked(m_legend[static_cast<std::size_t>(m_cursor.index)].cause);
  }
}

void ChartView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  if (m_marks.empty()) return;
  Q_EMIT hinted((m_legend.empty() ? tr("%1: arrow keys select bars and show their values")
                                  : tr("%1: arrow keys select bars and legend entries"))
                    .arg(chartTitle(m_kind)));
}

void ChartView::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  setCursorTo({});
}

QList<VirtualControl> ChartView::virtualControls() const {
  const QRect shown = visibleRegion().boundingRect();
  QList<VirtualControl> controls;
  const auto add = [&](VirtualControl control) {
    control.rect &= shown;
    if (!control.rect.isEmpty()) controls.append(std::move(control));
  };
  for (const ChartLegendMark& entry : m_legend) {
    const bool hidden =
        std::count(m_options.hiddenCauses.begin(), m_options.hiddenCauses.end(), entry.cause) != 0;
    add({legendName(entry.cause), u"button"_s, causeText(entry.cause),
         hidden ? u"false"_s : u"true"_s, legendRect(entry).toAlignedRect(), true, false,
         m_cursor.place == ChartPlace::Legend &&
             &entry == &m_legend[static_cast<std::size_t>(m_cursor.index)]});
  }
  // Marks below the floating legend cannot be clicked.
  const QRect below = rect().adjusted(
      0, m_legend.empty() ? 0 : static_cast<int>(std::ceil(legendTop() + legendHeight())), 0, 0);
  const QString word = qstring(chartKindWord(m_kind));
  for (const ChartMark& mark : m_marks) {
    QString name = u"bar.%1.%2"_s.arg(word, mark.variantId);
    if (!mark.deviceId.isEmpty()) name += QChar(u'.') + mark.deviceId;
    add({name, u"bar"_s, mark.name, mark.facts.join(u", "_s), within(mark.target) & below, true,
         mark.variantId == m_currentVariant, &mark == markOfCursor()});
  }
  if (const ChartMark* mark = hasFocus() ? markOfCursor() : nullptr) {
    add({u"chartNote."_s + word, u"label"_s, mark->name, mark->facts.join(u", "_s),
         noteRect(*mark).toAlignedRect(), true});
  }
  return controls;
}

}  // namespace stagelane::ui
