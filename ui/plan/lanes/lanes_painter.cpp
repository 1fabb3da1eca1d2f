#include "ui/plan/lanes/lanes_painter.h"

#include <QFontMetricsF>
#include <algorithm>

#include "ui/kit/current_theme.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/label_places.h"
#include "ui/kit/theme.h"
#include "ui/plan/lanes/boundary_painter.h"
#include "ui/plan/lanes/chip_painter.h"
#include "ui/plan/lanes/lane_header_painter.h"
#include "ui/plan/plan_model/chip_groups.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_selection.h"
#include "ui/session/session.h"

namespace stagelane::ui {

LanesPainter::LanesPainter(QPainter& painter, const PlanModel& model, const LanesGeometry& geometry,
                           const LanesState& state)
    : m_canvas{painter, model, geometry, state, model.session().currentTheme()->theme()},
      m_painter(painter),
      m_model(model),
      m_geometry(geometry),
      m_state(state),
      m_theme(m_canvas.theme) {}

void LanesPainter::paint() {
  m_painter.setRenderHint(QPainter::Antialiasing);
  paintTitle();
  for (std::size_t group = 0; group < m_geometry.chain.groups.size(); ++group) {
    paintBracket(m_geometry.chain.groups[group], m_geometry.groupRect(group));
  }
  for (int lane = 0; lane < m_geometry.lanes.count; ++lane) paintLane(lane);
  ChipPainter chips(m_canvas);
  for (std::size_t chip = 0; chip < m_geometry.chain.chips.size(); ++chip) {
    if (m_canvas.isDragged(m_geometry.chain.chips[chip])) paintOrigin(chip);
    paintReplicas(chips, chip);
  }
  m_labels = BoundaryPainter(m_canvas).paint();
  LaneHeaderPainter(m_canvas).paint();
  if (!m_state.dragged.empty()) paintTooltip();
}

/// The first replica is solid; the others show that they follow it.
void LanesPainter::paintReplicas(ChipPainter& chips, std::size_t chip) {
  constexpr qreal kFollower = 0.5;
  const qreal opacity = m_painter.opacity();
  for (const int lane :
       m_canvas.lanesOf(m_geometry.chain.chips[chip], m_model.dropPreview().shownShape())) {
    chips.paint(chip, lane);
    m_painter.setOpacity(opacity * kFollower);
  }
  m_painter.setOpacity(opacity);
}

/// Whether a drop on the target lane is also a drop on this one.
bool LanesPainter::isTarget(int lane) const {
  if (!m_state.targetLane) return false;
  const PlanShape& shape = m_model.shape();
  return lane == *m_state.targetLane ||
         firstReplicaOf(shape, m_model.deviceOfLane(lane)) ==
             firstReplicaOf(shape, m_model.deviceOfLane(*m_state.targetLane));
}

void LanesPainter::paintTitle() {
  const QRectF rect = m_geometry.titleRect();
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.muted);
  const QString samples =
      countedText(m_model.table()->microBatch, QObject::tr("sample"), QObject::tr("samples"));
  QString note;
  switch (m_model.chips().width()) {
    case ChipWidth::Time:
      note = QObject::tr("width = forward + backward time of %1").arg(samples);
      break;
    case ChipWidth::Memory: note = QObject::tr("width = memory of %1").arg(samples); break;
    case ChipWidth::Parameters: note = QObject::tr("width = parameters"); break;
  }
  const QRectF content =
      rect.adjusted(m_geometry.headerLeft() + m_geometry.contentLeft(), 0, -12, 0);
  const QString replicas = m_model.replicaLanes().areReplicas()
                               ? QObject::tr("  ·  replicas share one set of chips")
                               : QString();
  const QString order = QObject::tr("chain order →   ") + note + replicas;
  m_painter.drawText(content, Qt::AlignVCenter | Qt::AlignLeft, order);
  if (m_geometry.chain.clamped > 0) {
    const QString clamped =
        countedText(m_geometry.chain.clamped, QObject::tr("chip"), QObject::tr("chips")) +
        QObject::tr(" drawn at the 18 px minimum");
    const QFontMetricsF metrics(m_painter.font());
    if (metrics.horizontalAdvance(order) + metrics.horizontalAdvance(clamped) + 24 <
        content.width()) {
      m_painter.drawText(content, Qt::AlignVCenter | Qt::AlignRight, clamped);
    }
  }
  m_painter.setPen(m_theme.control.border);
  m_painter.drawLine(QPointF(0, rect.bottom() - 0.5), QPointF(rect.right(), rect.bottom() - 0.5));
}

void LanesPainter::paintBracket(const GroupPlace& group, const QRectF& rect) {
  const QFont font = fontOf(TextSize::Caption);
  const QString name =
      QFontMetricsF(font).elidedText(group.group.name, Qt::ElideRight, rect.width() - 24);
  const qreal textWidth = QFontMetricsF(font).horizontalAdvance(name);
  const qreal middle = rect.center().x();
  const qreal left = middle - (textWidth + 16) / 2;
  const qreal y = rect.center().y() + 0.5;
  m_painter.setPen(QPen(m_theme.control.border2, 1));
  m_painter.drawLine(QPointF(rect.left() + 0.5, y), QPointF(left - 4, y));
  m_painter.drawLine(QPointF(left + textWidth + 20, y), QPointF(rect.right() - 0.5, y));
  m_painter.drawLine(QPointF(rect.left() + 0.5, y), QPointF(rect.left() + 0.5, y + 5));
  m_painter.drawLine(QPointF(rect.right() - 0.5, y), QPointF(rect.right() - 0.5, y + 5));
  const QRectF box(left + 0.5, y - 5, 10, 10);
  m_painter.setPen(QPen(m_theme.control.muted, 1));
  m_painter.setBrush(Qt::NoBrush);
  m_painter.drawRoundedRect(box, 2, 2);
  m_painter.drawLine(box.center() - QPointF(2.5, 0), box.center() + QPointF(2.5, 0));
  if (!group.open) {
    m_painter.drawLine(box.center() - QPointF(0, 2.5), box.center() + QPointF(0, 2.5));
  }
  m_painter.setFont(font);
  m_painter.setPen(group.open ? m_theme.control.text : m_theme.control.muted);
  m_painter.drawText(QRectF(left + 16, rect.top(), textWidth + 2, rect.height()), Qt::AlignVCenter,
                     name);
}

void LanesPainter::paintLane(int lane) {
  const QRectF rect = m_geometry.laneRect(lane);
  const QRectF content = m_geometry.contentRect(lane);
  const bool target = isTarget(lane) && !m_state.refusal;
  const bool refused = isTarget(lane) && m_state.refusal;
  m_painter.fillRect(content, target    ? m_theme.control.accentSoft
                              : refused ? m_theme.control.errorGround
                                        : m_theme.control.lane);
  m_painter.setPen(m_theme.control.border);
  m_painter.drawLine(QPointF(0, rect.top() - 0.5), QPointF(rect.right(), rect.top() - 0.5));
  m_painter.drawLine(QPointF(0, rect.bottom() + 0.5), QPointF(rect.right(), rect.bottom() + 0.5));
  if (target || refused) {
    m_painter.setPen(QPen(target ? m_theme.control.accent : m_theme.control.error, 2));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(content.adjusted(1, 1, -1, -1));
  }
}

void LanesPainter::paintOrigin(std::size_t chip) {
  const int from = m_canvas.laneOf(m_geometry.chain.chips[chip], m_model.shape());
  const int to = m_canvas.laneOf(m_geometry.chain.chips[chip], m_model.dropPreview().shownShape());
  if (from < 0 || from == to) return;
  m_painter.setPen(QPen(m_theme.control.border2, 1, Qt::DashLine));
  m_painter.setBrush(Qt::NoBrush);
  m_painter.drawRoundedRect(m_geometry.chipRect(chip, from).adjusted(0.5, 0.5, -0.5, -0.5),
                            measure::kChipRadius, measure::kChipRadius);
}

/// Beside the cursor, without covering chips of the target lane.
QRectF LanesPainter::tooltipPlace(const QSizeF& size) const {
  std::vector<Obstacle> obstacles;
  for (const QRectF& label : m_labels) obstacles.push_back({label, 4.0});
  for (std::size_t chip = 0; chip < m_geometry.chain.chips.size(); ++chip) {
    const int lane =
        m_canvas.laneOf(m_geometry.chain.chips[chip], m_model.dropPreview().shownShape());
    if (lane >= 0) {
      const bool target = m_state.targetLane == lane;
      obstacles.push_back({m_geometry.chipRect(chip, lane), target ? 8.0 : 1.0});
    }
  }
  const QPointF cursor = m_state.cursor;
  const qreal least = m_geometry.headerLeft() + 2;
  std::vector<QRectF> candidates;
  for (const qreal y : {cursor.y() - size.height() - 14, cursor.y() + 24,
                        cursor.y() - m_geometry.lanes.laneHeight - size.height() / 2,
                        cursor.y() + m_geometry.lanes.laneHeight - size.height() / 2}) {
    for (const qreal x : {cursor.x() + 20, cursor.x() - 20 - size.width()}) {
      const qreal left =
          std::clamp<qreal>(x, least, std::max(least, m_geometry.width - 8 - size.width()));
      const qreal top =
          std::clamp<qreal>(y, 2, std::max<qreal>(2, m_geometry.height() - 2 - size.height()));
      candidates.emplace_back(QPointF(left, top), size);
    }
  }
  return calmestPlace(candidates, obstacles);
}

void LanesPainter::paintTooltip() {
  const QString text = m_state.refusal ? *m_state.refusal : m_model.dropPreview().text();
  const QString shown = !text.isEmpty()      ? text
                        : m_state.targetLane ? u"predicting…"_s
                                             : QObject::tr("Drop on a lane, Esc cancels");
  const QFont font = fontOf(TextSize::Body, TextWeight::Bold);
  const qreal limit = std::min<qreal>(360, m_geometry.width - 32);
  const QRectF measured =
      QFontMetricsF(font).boundingRect(QRectF(0, 0, limit, 400), Qt::TextWordWrap, shown);
  const QRectF box = tooltipPlace(measured.size() + QSizeF(24, 14));
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(m_theme.control.text);
  m_painter.drawRoundedRect(box, 4, 4);
  m_painter.setFont(font);
  m_painter.setPen(m_theme.control.panel);
  m_painter.drawText(box.adjusted(12, 7, -12, -7), Qt::TextWordWrap | Qt::AlignVCenter, shown);
}

}  // namespace stagelane::ui
