#include "ui/plan/prediction/predicted_tracks.h"

#include <QPainter>
#include <algorithm>
#include <map>

#include "ui/kit/text/formatting.h"
#include "ui/session/prediction/all_reduce_figures.h"
#include "ui/session/prediction/cost_facts.h"

namespace stagelane::ui {
namespace {

constexpr qreal kLabeledAction = 22;

bool isCopy(const schedule::LoweredAction& action, const predict::Played& played) {
  const bool sends =
      action.kind == ActionKind::SendForward || action.kind == ActionKind::SendBackward;
  return sends && played.end > played.start;
}

bool isReduce(const schedule::LoweredAction& action, const predict::Played& played) {
  return action.kind == ActionKind::Reduce && played.end > played.start;
}

/// Whether an action of the prediction, of any row, has the property.
template <class Is>
bool anyAction(const PlanPrediction& prediction, Is is) {
  for (std::size_t row = 0; row < prediction.schedule.actions.size(); ++row) {
    for (std::size_t at = 0; at < prediction.schedule.actions[row].size(); ++at) {
      if (is(prediction.schedule.actions[row][at], prediction.simulation.actions[row][at])) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

bool hasReduces(const PlanPrediction& prediction) { return anyAction(prediction, isReduce); }

bool hasCopies(const PlanPrediction& prediction) { return anyAction(prediction, isCopy); }

QString copyLabel(const PlanPrediction& prediction, int row, CopyRow shown) {
  const auto& actions = prediction.schedule.actions[static_cast<std::size_t>(row)];
  const auto& played = prediction.simulation.actions[static_cast<std::size_t>(row)];
  QStringList takers;
  bool reduces = false;
  for (std::size_t at = 0; at < actions.size(); ++at) {
    reduces = reduces || (shown == CopyRow::All && isReduce(actions[at], played[at]));
    if (!isCopy(actions[at], played[at])) continue;
    for (const PredictedDevice& device : prediction.devices) {
      const QString name = qstring(device.id.value);
      if (device.row == actions[at].peer && !takers.contains(name)) takers.append(name);
    }
  }
  if (reduces)
    return takers.isEmpty() ? QObject::tr("all-reduce") : QObject::tr("copies, all-reduce");
  return takers.size() == 1   ? QObject::tr("copy to %1").arg(takers.first())
         : takers.size() == 2 ? QObject::tr("copy to %1, %2").arg(takers[0], takers[1])
         : takers.isEmpty()   ? QString()
                              : QObject::tr("copies");
}

void PredictedTracks::paintActions(int row, const QRectF& track, Ink ink) const {
  const bool ghost = ink == Ink::Ghost;
  const auto& actions = m_prediction.schedule.actions[static_cast<std::size_t>(row)];
  const auto& played = m_prediction.simulation.actions[static_cast<std::size_t>(row)];
  const QBrush hatch = estimateHatch(m_theme, m_pixelRatio);
  const bool hatched = !ghost && m_prediction.basis == predict::Basis::Estimate;
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setBrushOrigin(QPointF(m_scale.left, track.top()));
  for (std::size_t at = 0; at < actions.size(); ++at) {
    if (!isCompute(actions[at].kind)) continue;
    const qreal left = m_scale.x(played[at].start);
    const qreal right = std::max(left + 1, m_scale.x(played[at].end) - 0.5);
    const trace::Category category = trace::categoryOf(actions[at].kind);
    const QColor fill = fillOf(m_theme, category);
    const QRectF box(left, track.top(), right - left, track.height());
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(ghost ? ghostOf(fill) : fill);
    if (box.width() > 4) {
      m_painter.drawRoundedRect(box, measure::kActionRadius, measure::kActionRadius);
    } else {
      m_painter.drawRect(box);
    }
    if (hatched) m_painter.fillRect(box, hatch);
    if (!ghost && box.width() >= kLabeledAction && actions[at].microBatch.valid()) {
      // As on the Timeline: "LOSS0", or nothing if it does not fit.
      const QString name =
          qstring(word(actions[at].kind)) + QString::number(actions[at].microBatch.value);
      if (m_painter.fontMetrics().horizontalAdvance(name) > box.width()) continue;
      m_painter.setPen(textOn(m_theme, category));
      m_painter.drawText(box, Qt::AlignCenter, name);
    }
  }
}

void PredictedTracks::paintIdle(int row, const QRectF& track) const {
  const auto index = static_cast<std::size_t>(row);
  if (index >= m_prediction.breakdown.devices.size()) return;
  const TimeNs origin = m_prediction.breakdown.step.startNs;
  std::map<analysis::Cause, QBrush> brushes;
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrushOrigin(QPointF(m_scale.left, track.top()));
  for (const analysis::Piece& piece : m_prediction.breakdown.devices[index].pieces) {
    if (analysis::isBusy(piece.cause)) continue;
    auto brush = brushes.find(piece.cause);
    if (brush == brushes.end()) {
      brush = brushes.emplace(piece.cause, brushOf(m_theme, piece.cause, m_pixelRatio)).first;
    }
    const qreal left = m_scale.x(piece.startNs - origin);
    m_painter.fillRect(
        QRectF(left, track.top(), m_scale.x(piece.endNs - origin) - left, track.height()),
        brush->second);
  }
}

void PredictedTracks::paintCopies(int row, const QRectF& track) const {
  const auto& actions = m_prediction.schedule.actions[static_cast<std::size_t>(row)];
  const auto& played = m_prediction.simulation.actions[static_cast<std::size_t>(row)];
  const QColor fill = m_theme.action.copy;
  for (std::size_t at = 0; at < actions.size(); ++at) {
    if (isCopy(actions[at], played[at])) {
      const qreal left = m_scale.x(played[at].start);
      m_painter.fillRect(
          QRectF(left, track.top(), std::max<qreal>(2, m_scale.x(played[at].end) - left),
                 track.height()),
          fill);
    }
  }
}

QString reduceText(const PlanPrediction& prediction, const std::vector<int>& rows) {
  TimeNs all = 0;
  TimeNs exposed = 0;
  for (const int row : rows) {
    TimeNs ofRow = 0;
    TimeNs waits = 0;
    for (const AllReducePiece& piece : allReducePieces(prediction, row)) {
      ofRow += piece.endNs - piece.startNs;
      waits += piece.exposed ? piece.endNs - piece.startNs : 0;
    }
    if (waits < exposed || (waits == exposed && ofRow <= all)) continue;
    all = ofRow;
    exposed = waits;
  }
  const QString whole = approximately(prediction.basis) + timeText(all);
  if (all == 0) return {};
  if (exposed == 0) return QObject::tr("%1, all hidden").arg(whole);
  if (exposed == all) return QObject::tr("%1, all exposed").arg(whole);
  return QObject::tr("%1, %2 hidden, %3 exposed")
      .arg(whole, timeText(all - exposed), timeText(exposed));
}

void PredictedTracks::paintReduces(const std::vector<int>& rows, const QRectF& track) const {
  const QBrush exposed = brushOf(m_theme, analysis::Cause::TransferWait, m_pixelRatio);
  m_painter.setBrushOrigin(QPointF(m_scale.left, track.top()));
  qreal first = track.right();
  for (const int row : rows) {
    for (const AllReducePiece& piece : allReducePieces(m_prediction, row)) {
      const qreal left = m_scale.x(piece.startNs);
      const QRectF box(left, track.top(), std::max<qreal>(1, m_scale.x(piece.endNs) - left),
                       track.height());
      first = std::min(first, left);
      if (!piece.exposed) {
        m_painter.fillRect(box, fillOf(m_theme, trace::Category::Reduce));
        continue;
      }
      m_painter.fillRect(box, m_theme.control.panel);  // a hatch lets the ground through
      m_painter.fillRect(box, exposed);
    }
  }
  m_painter.setFont(fontOf(TextSize::Caption));
  const QString text = reduceText(m_prediction, rows);
  const qreal width = m_painter.fontMetrics().horizontalAdvance(text) + 1;
  if (text.isEmpty() || first - width - 6 < track.left()) return;
  m_painter.setPen(m_theme.control.muted);
  m_painter.drawText(QRectF(first - width - 6, track.center().y() - 8, width, 16),
                     Qt::AlignVCenter | Qt::AlignRight, text);
}

void PredictedTracks::paintMemory(const PredictedDevice& device, Bytes whole,
                                  const QRectF& track) const {
  const trace::Trace& trace = *m_prediction.trace;
  m_painter.fillRect(track, m_theme.control.lane);
  const auto y = [&](double bytes) {
    const double share = bytes / static_cast<double>(std::max<Bytes>(1, whole));
    return track.bottom() - std::clamp(share, 0.0, 1.0) * (track.height() - 2);
  };
  QPolygonF curve;
  for (const trace::CounterSeries& series : trace.counters()) {
    if (trace.tracks()[series.track].device != device.row) continue;
    for (std::size_t at = 0; at < series.timesNs.size(); ++at) {
      const QPointF point(m_scale.x(series.timesNs[at]), y(series.values[at]));
      if (!curve.isEmpty()) curve.append(QPointF(point.x(), curve.last().y()));
      curve.append(point);
    }
  }
  if (!curve.isEmpty()) {
    curve.append(QPointF(m_scale.x(m_prediction.stepNs), curve.last().y()));
    QPolygonF area = curve;
    area.append(QPointF(curve.last().x(), track.bottom()));
    area.append(QPointF(curve.first().x(), track.bottom()));
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_theme.control.accentSoft);
    m_painter.drawPolygon(area);
    m_painter.setPen(QPen(device.overBudget() ? m_theme.control.error : m_theme.control.accent, 1));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPolyline(curve);
  }
  if (device.budgetBytes) {
    const qreal line = y(static_cast<double>(*device.budgetBytes));
    m_painter.setPen(QPen(m_theme.control.error, 1, Qt::DashLine));
    m_painter.drawLine(QPointF(track.left(), line), QPointF(track.right(), line));
    m_painter.setFont(fontOf(TextSize::Caption));
    m_painter.setPen(m_theme.control.muted);
    m_painter.drawText(QRectF(track.right() - 160, line + 1, 156, 14),
                       Qt::AlignVCenter | Qt::AlignRight,
                       QObject::tr("budget %1").arg(bytesText(*device.budgetBytes)));
  }
}

void paintMeasuredActions(QPainter& painter, const Theme& theme, const StripScale& scale,
                          const std::vector<MeasuredAction>& actions, const QRectF& track) {
  painter.setPen(Qt::NoPen);
  for (const MeasuredAction& action : actions) {
    const qreal left = scale.x(action.startNs);
    if (left >= track.right()) break;
    const qreal right = std::min(track.right(), std::max(left + 1, scale.x(action.endNs) - 0.5));
    painter.fillRect(QRectF(left, track.top(), right - left, track.height()),
                     ghostOf(fillOf(theme, action.category)));
  }
}

}  // namespace stagelane::ui
