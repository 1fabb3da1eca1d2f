#include "ui/plan/lanes/lane_header_painter.h"

#include <QFontMetricsF>
#include <algorithm>

#include "ui/kit/error_bar.h"
#include "ui/kit/icons.h"
#include "ui/kit/lane_bracket.h"
#include "ui/kit/measured_mark.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/memory_parts.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/session/document/device_edits.h"
#include "ui/session/prediction/peak_range.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {

LaneHeaderPainter::LaneHeaderPainter(const LanesCanvas& canvas)
    : m_painter(canvas.painter),
      m_model(canvas.model),
      m_geometry(canvas.geometry),
      m_theme(canvas.theme) {}

void LaneHeaderPainter::paint() {
  const QRectF column = m_geometry.headerColumn();
  const qreal opacity = m_painter.opacity();
  m_painter.setOpacity(1.0);  // the header stays opaque while old values are dimmed
  m_painter.fillRect(column, m_theme.control.panel);
  m_painter.setOpacity(opacity);
  const qreal title = m_geometry.titleRect().bottom();
  m_painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_painter.setPen(m_theme.control.text);
  m_painter.drawText(QRectF(column.left() + 12, 0, column.width() - 12, title), Qt::AlignVCenter,
                     QObject::tr("Devices"));
  const auto line = [&](qreal y) {
    m_painter.setPen(m_theme.control.border);
    m_painter.drawLine(QPointF(column.left(), y), QPointF(column.right(), y));
  };
  line(title - 0.5);
  for (const ReplicaBracket& bracket : m_model.replicaLanes().brackets()) {
    paintLaneBracket(m_painter, m_theme,
                     m_geometry.bracketRect(bracket.firstLane, bracket.lastLane), bracket.title,
                     bracket.place);
  }
  for (int lane = 0; lane < m_geometry.lanes.count; ++lane) {
    const QRectF rect = m_geometry.headerRect(lane);
    line(rect.top() - 0.5);
    line(rect.bottom() + 0.5);
    m_painter.drawLine(QPointF(rect.right() - 0.5, rect.top()),
                       QPointF(rect.right() - 0.5, rect.bottom()));
    paintHeader(lane);
  }
}

void LaneHeaderPainter::paintHeader(int lane) {
  const QRectF rect = m_geometry.headerRect(lane).adjusted(12, 5, -8, -5);
  const DeviceId& device = m_model.deviceOfLane(lane);
  paintName(rect, lane);
  paintDevice(QRectF(rect.left(), rect.top() + 17, rect.width(), 15), device);
  paintIcon(m_painter, u"dots"_s, m_theme.control.muted, m_geometry.deviceMenuRect(lane));
  const PlanPredictionPtr shown = m_model.dropPreview().shownPrediction();
  const PlanPredictionPtr now = m_model.dropPreview().known()
                                    ? m_model.session().predictor().prediction()
                                    : PlanPredictionPtr();
  Figures figures{device};
  figures.after = shown ? shown->device(device) : nullptr;
  if (figures.after == nullptr) return;
  figures.basis = shown->basis;
  figures.before = now ? now->device(device) : nullptr;
  figures.measured =
      m_model.figures().measured() ? m_model.figures().measured()->device(device) : nullptr;
  figures.stepNs = shown->stepNs;
  figures.stepBeforeNs = now ? now->stepNs : 0;
  paintGauge(QRectF(rect.left(), rect.top() + 33, rect.width(), 14), memoryGauge(figures));
  paintGauge(QRectF(rect.left(), rect.top() + 47, rect.width(), 14), busyGauge(figures));
}

void LaneHeaderPainter::paintName(const QRectF& rect, int lane) {
  const QRectF box(rect.left() + 0.5, rect.top() + 1.5, 13, 14);
  m_painter.setPen(m_theme.control.border2);
  m_painter.setBrush(Qt::NoBrush);
  m_painter.drawRoundedRect(box, 2, 2);
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.muted);
  const DeviceId& device = m_model.deviceOfLane(lane);
  const auto& listed = m_model.devices();
  const auto number = std::find(listed.begin(), listed.end(), device) - listed.begin();
  m_painter.drawText(box, Qt::AlignCenter, QString::number(number));
  m_painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_painter.setPen(m_theme.control.text);
  const QRectF name(QPointF(rect.left() + 21, rect.top()),
                    QPointF(m_geometry.deviceMenuRect(lane).left() - 4, rect.top() + 17));
  m_painter.drawText(
      name, Qt::AlignVCenter,
      QFontMetricsF(m_painter.font())
          .elidedText(m_model.replicaLanes().nameOf(device), Qt::ElideMiddle, name.width()));
}

/// Device type and number of blocks.
void LaneHeaderPainter::paintDevice(const QRectF& line, const DeviceId& device) {
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.muted);
  const PlanShape& shape = m_model.dropPreview().shownShape();
  const auto blocks = std::count(shape.deviceOfBlock.begin(), shape.deviceOfBlock.end(),
                                 firstReplicaOf(shape, device));
  const QString count = blocks == 0
                            ? QObject::tr("unused")
                            : countedText(blocks, QObject::tr("block"), QObject::tr("blocks"));
  m_painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, count);
  const auto spec = m_model.deviceEdits().spec(device);
  const QFontMetricsF metrics(m_painter.font());
  const qreal room = line.width() - metrics.horizontalAdvance(count) - 6;
  m_painter.setPen(spec && spec->like ? m_theme.control.warning : m_theme.control.muted);
  m_painter.drawText(
      line, Qt::AlignVCenter,
      metrics.elidedText(spec ? deviceText(*spec) : deviceKindText(device), Qt::ElideRight, room));
}

LaneHeaderPainter::Gauge LaneHeaderPainter::memoryGauge(const Figures& figures) const {
  const PredictedDevice& after = *figures.after;
  // Without a budget, the gauge ends at the largest peak, including its error bar.
  const Bytes whole =
      after.budgetBytes ? std::max<Bytes>(1, *after.budgetBytes) : m_model.figures().largestPeak();
  const auto ofWhole = [whole](Bytes bytes) {
    return static_cast<double>(bytes) / static_cast<double>(whole);
  };
  Gauge gauge;
  gauge.label = QObject::tr("mem");
  gauge.text = after.budgetBytes
                   ? predictedPeakText(figures.basis, after.peakBytes, *after.budgetBytes, u" / "_s)
                   : predictedPeakText(figures.basis, after.peakBytes);
  const auto bytes = m_model.figures().memoryOf(after).all();
  const auto colors = memoryColors(m_theme);
  const double share = ofWhole(after.peakBytes);
  const auto peak = static_cast<double>(std::max<Bytes>(1, after.peakBytes));
  for (std::size_t part = 0; part < bytes.size(); ++part) {
    gauge.parts.push_back({share * static_cast<double>(bytes[part]) / peak, colors[part]});
  }
  if (figures.before != nullptr) gauge.tick = ofWhole(figures.before->peakBytes);
  if (const PeakRange range = m_model.figures().peakRange(figures.device); range.known()) {
    gauge.range = std::pair(ofWhole(range.low), ofWhole(range.high));
  }
  if (figures.measured != nullptr && figures.measured->peakBytes > 0) {
    gauge.measured = ofWhole(figures.measured->peakBytes);
  }
  gauge.over = after.overBudget();
  return gauge;
}

LaneHeaderPainter::Gauge LaneHeaderPainter::busyGauge(const Figures& figures) const {
  const auto busyShare = [](const PredictedDevice& device, TimeNs step) {
    return step > 0 ? static_cast<double>(device.busyNs) / static_cast<double>(step) : 0.0;
  };
  const double busy = busyShare(*figures.after, figures.stepNs);
  Gauge gauge;
  gauge.label = QObject::tr("busy");
  gauge.text = percentText(busy);
  gauge.parts = {{busy, m_theme.control.accent}};
  if (figures.before != nullptr) gauge.tick = busyShare(*figures.before, figures.stepBeforeNs);
  if (figures.measured != nullptr) gauge.measured = figures.measured->busyShare;
  return gauge;
}

void LaneHeaderPainter::paintGauge(const QRectF& row, const Gauge& gauge) {
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.muted);
  m_painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, gauge.label);
  const qreal textWidth = QFontMetricsF(m_painter.font()).horizontalAdvance(gauge.text);
  const qreal room = row.width() - 34 - textWidth - 6;
  const QRectF bar(row.left() + 34, row.center().y() - 3, std::clamp<qreal>(room, 16, 62), 6);
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(m_theme.control.grid);
  m_painter.drawRoundedRect(bar, 2, 2);
  m_painter.save();
  m_painter.setClipRect(bar);
  double filled = 0.0;
  for (const GaugePart& part : gauge.parts) {
    m_painter.fillRect(QRectF(bar.left() + bar.width() * filled, bar.top(),
                              bar.width() * std::max(0.0, part.share), bar.height()),
                       gauge.over ? m_theme.control.error : part.color);
    filled += part.share;
  }
  m_painter.restore();
  if (gauge.range) paintErrorBar(m_painter, m_theme, bar, *gauge.range);
  if (gauge.tick) {
    const qreal x = bar.left() + bar.width() * std::clamp(*gauge.tick, 0.0, 1.0);
    m_painter.fillRect(QRectF(x - 0.75, bar.top() - 2, 1.5, bar.height() + 4),
                       m_theme.control.text);
  }
  if (gauge.measured) {
    const qreal x = bar.left() + bar.width() * std::clamp(*gauge.measured, 0.0, 1.0);
    paintMeasuredMark(m_painter, m_theme, QPointF(x, bar.center().y()),
                      !m_model.figures().measured()->ofThisPlan);
  }
  m_painter.setPen(gauge.over ? m_theme.control.error : m_theme.control.text);
  m_painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, gauge.text);
}

}  // namespace stagelane::ui
