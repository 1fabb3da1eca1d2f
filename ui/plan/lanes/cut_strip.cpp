#include "ui/plan/lanes/cut_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/find.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/measured_mark.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/label_places.h"
#include "ui/kit/text/round_ticks.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/cut_costs.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/prediction/cut_curve.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_marks.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr qreal kTop = 14;
constexpr qreal kBottom = 16;
constexpr qreal kHit = 10;

}  // namespace

CutStrip::CutStrip(PlanModel* model, const LanesView* lanes, QWidget* parent)
    : QWidget(parent), m_model(model), m_lanes(lanes) {
  setObjectName(u"cutStrip"_s);
  setAccessibleName(tr("Step time by cut"));
  setMouseTracking(true);
  setFixedHeight(sizeHint().height());
  connect(&model->cuts(), &CutCosts::changed, this, &CutStrip::refresh);
  connect(&model->dropPreview(), &DropPreview::changed, this, [this] { update(); });
  connect(model, &PlanModel::planChanged, this, &CutStrip::refresh);
  connect(&model->figures(), &PlanFigures::measuredChanged, this, [this] { update(); });
  connect(lanes, &LanesView::geometryChanged, this, [this] { update(); });
  connect(model->session().currentTheme(), &CurrentTheme::changed, this, [this] { update(); });
  refresh();
}

void CutStrip::refresh() {
  m_hovered.reset();
  setVisible(m_model->ready() && (m_model->cuts().curve().size() > 1 || m_model->cuts().stale()));
  update();
}

CutStrip::Axis CutStrip::axis() const {
  const CutCurve& curve = m_model->cuts().curve();
  if (curve.empty()) return {};
  const auto range =
      std::minmax_element(curve.begin(), curve.end(),
                          [](const CutPoint& a, const CutPoint& b) { return a.stepNs < b.stepNs; });
  auto least = static_cast<double>(range.first->stepNs);
  auto most = static_cast<double>(range.second->stepNs);
  if (const auto measured = measuredCut()) {
    const auto step = static_cast<double>(m_model->figures().measured()->stepNs);
    least = std::min(least, step);
    most = std::max(most, step);
  }
  Axis axis;
  // About three lines.
  axis.step = roundStep(std::max({most - least, most * 0.02, 1.0}) / 3.0);
  axis.low = std::floor(least / axis.step) * axis.step;
  axis.high = std::max(most, axis.low + axis.step);
  return axis;
}

std::vector<double> CutStrip::linesOf(const Axis& axis) {
  std::vector<double> lines;
  for (double value = axis.low; value <= axis.high + axis.step * 0.01; value += axis.step) {
    lines.push_back(value);
  }
  return lines;
}

QPointF CutStrip::pointOf(const CutPoint& point, const Axis& axis) const {
  const double share = (static_cast<double>(point.stepNs) - axis.low) / (axis.high - axis.low);
  const qreal height_ = height() - kTop - kBottom;
  return {m_lanes->geometry().cutX(point.block), height() - kBottom - share * height_};
}

std::optional<std::size_t> CutStrip::measuredCut() const {
  if (!m_model->figures().measured()) return std::nullopt;
  const std::vector<std::size_t> cuts = m_model->figures().measured()->cuts();
  for (const CutPoint& point : m_model->cuts().curve()) {
    if (contains(cuts, point.block)) return point.block;
  }
  return std::nullopt;
}

void CutStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const ControlColors& colors = m_model->session().currentTheme()->theme().control;
  painter.fillRect(rect(), colors.panel);
  if (!m_model->ready()) return;
  painter.fillRect(rect(), colors.lane);
  const bool known = !m_model->cuts().curve().empty();
  const Axis scale = axis();
  if (known) {
    paintGrid(painter, scale);
    painter.setOpacity(m_model->cuts().stale() ? kDimmed : 1.0);
    paintCurve(painter, scale);
    paintMarks(painter, scale);
    painter.setOpacity(1.0);
  }
  const qreal left = m_lanes->geometry().headerLeft();
  const qreal right = m_lanes->geometry().headerRight();
  painter.fillRect(QRectF(left, 0, right - left, height()), colors.panel);
  painter.setPen(colors.border);
  painter.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
  painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
  painter.drawLine(QPointF(right - 0.5, 0), QPointF(right - 0.5, height()));
  painter.translate(left, 0);
  paintLabels(painter);
  if (known) paintScale(painter, scale);
}

void CutStrip::paintLabels(QPainter& painter) const {
  const ControlColors& colors = m_model->session().currentTheme()->theme().control;
  painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
  painter.setPen(colors.text);
  painter.drawText(QRectF(12, 8, 120, 16), Qt::AlignVCenter, tr("Step time by cut"));
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(colors.muted);
  painter.drawText(QRectF(12, 24, 112, 32), Qt::AlignTop | Qt::TextWordWrap,
                   tr("one point per possible cut"));
  if (!m_model->cuts().curve().empty() && axis().low > 0.0) {
    painter.drawText(QRectF(12, 55, 112, 16), Qt::AlignVCenter,
                     tr("axis from %1").arg(timeText(static_cast<TimeNs>(axis().low))));
  }
  painter.setPen(colors.accent);
  painter.drawText(QRectF(12, height() - 30, 112, 16), Qt::AlignVCenter, tr("Click a dot to cut"));
}

void CutStrip::paintGrid(QPainter& painter, const Axis& scale) const {
  painter.setPen(m_model->session().currentTheme()->theme().control.grid);
  for (const double value : linesOf(scale)) {
    const qreal y = pointOf({1, static_cast<TimeNs>(value), false}, scale).y();
    painter.drawLine(QPointF(0, y), QPointF(width(), y));
  }
}

void CutStrip::paintScale(QPainter& painter, const Axis& scale) const {
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(m_model->session().currentTheme()->theme().control.muted);
  for (const double value : linesOf(scale)) {
    const qreal y = pointOf({1, static_cast<TimeNs>(value), false}, scale).y();
    painter.drawText(QRectF(measure::kLaneHeaderWidth - 76, y - 8, 70, 16),
                     Qt::AlignVCenter | Qt::AlignRight, timeText(static_cast<TimeNs>(value)));
  }
}

void CutStrip::paintCurve(QPainter& painter, const Axis& scale) const {
  const ControlColors& colors = m_model->session().currentTheme()->theme().control;
  QPolygonF line;
  for (const CutPoint& point : m_model->cuts().curve()) line.append(pointOf(point, scale));
  painter.setPen(QPen(colors.border2, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line);
  painter.setPen(Qt::NoPen);
  for (std::size_t at = 0; at < m_model->cuts().curve().size(); ++at) {
    const CutPoint& point = m_model->cuts().curve()[at];
    const bool own = m_model->dropPreview().shownShape().stageBegins[point.block];
    painter.setBrush(point.overBudget         ? colors.error
                     : own || m_hovered == at ? colors.accent
                                              : colors.muted);
    painter.drawEllipse(line[static_cast<qsizetype>(at)], m_hovered == at ? 4 : 2.6,
                        m_hovered == at ? 4 : 2.6);
  }
}

/// Places the label where it covers the least of other points and labels.
void CutStrip::paintLabel(QPainter& painter, std::vector<Obstacle>& taken,
                          const MarkLabel& label) const {
  const QFont font = fontOf(TextSize::Caption, TextWeight::Bold);
  const QSizeF size(QFontMetricsF(font).horizontalAdvance(label.text) + 4, 16);
  const qreal right = std::min(label.at.x() + 6, width() - 6 - size.width());
  const qreal left =
      std::max<qreal>(m_lanes->geometry().headerRight() + 4, label.at.x() - 6 - size.width());
  const auto y = [&](qreal top) { return std::clamp<qreal>(top, 2, height() - 17); };
  const qreal near = y(label.below ? label.at.y() + 5 : label.at.y() - 21);
  const qreal far = y(label.below ? label.at.y() - 21 : label.at.y() + 5);
  const QRectF place =
      calmestPlace({QRectF(QPointF(right, near), size), QRectF(QPointF(right, far), size),
                    QRectF(QPointF(left, near), size), QRectF(QPointF(left, far), size)},
                   taken);
  taken.push_back({place, 1.0});
  painter.setFont(font);
  painter.setPen(label.color);
  painter.drawText(place, Qt::AlignVCenter, label.text);
}

/// Rings the current cut and labels it.
CutStrip::MarkLabel CutStrip::paintShownCut(QPainter& painter, const CutPoint& point,
                                            const QPointF& at, bool best) const {
  const ControlColors& colors = m_model->session().currentTheme()->theme().control;
  painter.setPen(QPen(colors.accent, 2));
  painter.setBrush(colors.lane);
  painter.drawEllipse(at, 5, 5);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors.accent);
  painter.drawEllipse(at, 2.2, 2.2);
  QString text = approximateText(point.stepNs);
  if (best) {
    text += tr(", best of %1")
                .arg(countedText(static_cast<std::int64_t>(m_model->cuts().curve().size()),
                                 tr("cut"), tr("cuts")));
  }
  return {at, text, colors.accent, true};
}

/// "≈ 12 ms" if the costs are estimates, else "12 ms".
QString CutStrip::approximateText(TimeNs stepNs) const {
  const PlanPredictionPtr prediction = m_model->session().predictor().prediction();
  return (prediction ? approximately(prediction->basis) : QString()) + timeText(stepNs);
}

void CutStrip::paintMarks(QPainter& painter, const Axis& scale) const {
  const ControlColors& colors = m_model->session().currentTheme()->theme().control;
  const CutCurve& curve = m_model->cuts().curve();
  const auto now = cutOf(curve, m_model->shape());
  const auto shown = m_model->dropPreview().problem().isEmpty()
                         ? cutOf(curve, m_model->dropPreview().shownShape())
                         : std::nullopt;
  const auto best = bestCut(curve);
  std::vector<Obstacle> taken;
  const auto label = [&](const MarkLabel& told) { paintLabel(painter, taken, told); };
  const auto dot = [&](std::size_t point) {
    taken.push_back({QRectF(pointOf(curve[point], scale) - QPointF(6, 6), QSizeF(12, 12)), 0.5});
  };
  painter.setBrush(colors.lane);
  for (const auto& marked : {now, shown, best}) {
    if (marked) dot(*marked);
  }
  if (now && m_model->dropPreview().active()) {
    painter.setPen(QPen(colors.text, 1.5));
    painter.drawEllipse(pointOf(curve[*now], scale), 4, 4);
    label({pointOf(curve[*now], scale), tr("now ") + timeText(curve[*now].stepNs), colors.muted,
           false});
  }
  if (shown) {
    label(paintShownCut(painter, curve[*shown], pointOf(curve[*shown], scale), shown == best));
  }
  if (const auto cut = measuredCut(); cut && !m_hovered) {
    const MeasuredMarks& measured = *m_model->figures().measured();
    const QPointF at = pointOf({*cut, measured.stepNs, false}, scale);
    paintMeasuredMark(painter, m_model->session().currentTheme()->theme(), at,
                      !measured.ofThisPlan);
    label({at, measured.when() + QChar(u' ') + timeText(measured.stepNs),
           measuredColor(m_model->session().currentTheme()->theme(), !measured.ofThisPlan), false});
  }
  if (m_hovered && m_hovered != shown) {
    const CutPoint& hovered = curve[*m_hovered];
    label({pointOf(hovered, scale),
           tr("before %1: %2")
               .arg(m_model->table()->blocks[hovered.block].name, approximateText(hovered.stepNs)),
           colors.text, false});
  } else if (best && shown && shown != best && !m_model->dropPreview().active() &&
             timeText(curve[*best].stepNs) != timeText(curve[*shown].stepNs)) {
    label({pointOf(curve[*best], scale), tr("best ") + approximateText(curve[*best].stepNs),
           colors.success, true});
  }
}

std::optional<std::size_t> CutStrip::pointAt(const QPointF& at) const {
  if (!m_model->ready() || at.x() < m_lanes->geometry().headerRight()) return std::nullopt;
  std::optional<std::size_t> found;
  qreal nearest = kHit;
  for (std::size_t index = 0; index < m_model->cuts().curve().size(); ++index) {
    const qreal distance =
        std::abs(m_lanes->geometry().cutX(m_model->cuts().curve()[index].block) - at.x());
    if (distance < nearest) {
      nearest = distance;
      found = index;
    }
  }
  return found;
}

void CutStrip::mouseMoveEvent(QMouseEvent* event) {
  const auto hovered = pointAt(event->position());
  if (hovered != m_hovered) {
    m_hovered = hovered;
    setCursor(hovered ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
  }
}

void CutStrip::mousePressEvent(QMouseEvent* event) {
  const auto point = pointAt(event->position());
  if (event->button() == Qt::LeftButton && point) {
    m_model->moves().cutAt(m_model->cuts().curve()[*point].block);
  }
}

void CutStrip::leaveEvent(QEvent*) {
  m_hovered.reset();
  update();
}

QList<VirtualControl> CutStrip::virtualControls() const {
  QList<VirtualControl> controls;
  const Axis scale = axis();
  for (const CutPoint& point : m_model->cuts().curve()) {
    const QPointF at = pointOf(point, scale);
    const QString& name = m_model->table()->blocks[point.block].name;
    controls.append(
        {u"cut."_s + name, u"cut"_s, name, timeText(point.stepNs),
         m_lanes->geometry().uncovered(QRectF(at - QPointF(4, 4), QSizeF(8, 8))).toAlignedRect(),
         true});
  }
  return controls;
}

}  // namespace stagelane::ui
