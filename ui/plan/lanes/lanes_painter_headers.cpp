/// The part of LanesPainter that draws the headers of the lanes with their gauges.

#include <QFontMetricsF>
#include <algorithm>

#include "ui/kit/error_bar.h"
#include "ui/kit/icons.h"
#include "ui/kit/measured_mark.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/blocks/memory_parts.h"
#include "ui/plan/drop_preview.h"
#include "ui/plan/lanes/lanes_painter.h"
#include "ui/plan/plan_figures.h"
#include "ui/session/document/device_edits.h"
#include "ui/session/prediction/peak_range.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_marks.h"
#include "ui/session/session.h"

namespace stagelane::ui {

void LanesPainter::paintHeaders() {
  const QRectF column = m_geometry.headerColumn();
  const qreal opacity = m_painter.opacity();
  m_painter.setOpacity(1.0);  // what is under it must not show through old values
  m_painter.fillRect(column, m_theme.control.panel);
  m_painter.setOpacity(opacity);
  const qreal title = m_geometry.titleRect().bottom();
  m_painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_painter.setPen(m_theme.control.text);
  m_painter.drawText(QRectF(column.left() + 12, 0, column.width() - 12, title), Qt::AlignVCenter,
                     QStringLiteral("Devices"));
  const auto line = [&](qreal y) {
    m_painter.setPen(m_theme.control.border);
    m_painter.drawLine(QPointF(column.left(), y), QPointF(column.right(), y));
  };
  line(title - 0.5);
  for (int lane = 0; lane < m_geometry.lanes.count; ++lane) {
    const QRectF rect = m_geometry.headerRect(lane);
    line(rect.top() - 0.5);
    line(rect.bottom() + 0.5);
    m_painter.drawLine(QPointF(rect.right() - 0.5, rect.top()),
                       QPointF(rect.right() - 0.5, rect.bottom()));
    paintHeader(lane);
  }
}

void LanesPainter::paintHeader(int lane) {
  const QRectF rect = m_geometry.headerRect(lane).adjusted(12, 5, -8, -5);
  const DeviceId& device = m_model.devices()[static_cast<std::size_t>(lane)];
  const QRectF box(rect.left() + 0.5, rect.top() + 1.5, 13, 14);
  m_painter.setPen(m_theme.control.border2);
  m_painter.setBrush(Qt::NoBrush);
  m_painter.drawRoundedRect(box, 2, 2);
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.muted);
  m_painter.drawText(box, Qt::AlignCenter, QString::number(lane));
  m_painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_painter.setPen(m_theme.control.text);
  m_painter.drawText(QRectF(rect.left() + 21, rect.top(), 70, 17), Qt::AlignVCenter,
                     qstring(device.value));
  m_painter.setFont(fontOf(TextSize::Caption));
  m_painter.setPen(m_theme.control.muted);
  const PlanShape& shape = m_model.dropPreview().shownShape();
  const auto blocks = std::count(shape.deviceOfBlock.begin(), shape.deviceOfBlock.end(), device);
  const QString count =
      blocks == 0 ? QStringLiteral("unused")
                  : countedText(blocks, QStringLiteral("block"), QStringLiteral("blocks"));
  const QRectF second(rect.left(), rect.top() + 17, rect.width(), 15);
  m_painter.drawText(second, Qt::AlignVCenter | Qt::AlignRight, count);
  const auto spec = m_model.deviceEdits().spec(device);
  const qreal room = second.width() - QFontMetricsF(m_painter.font()).horizontalAdvance(count) - 6;
  m_painter.setPen(spec && spec->like ? m_theme.control.warning : m_theme.control.muted);
  m_painter.drawText(
      second, Qt::AlignVCenter,
      QFontMetricsF(m_painter.font())
          .elidedText(spec ? deviceText(*spec) : deviceKindText(device), Qt::ElideRight, room));
  paintIcon(m_painter, QStringLiteral("dots"), m_theme.control.muted,
            m_geometry.deviceMenuRect(lane));
  const PlanPredictionPtr shown = m_model.dropPreview().shownPrediction();
  const PlanPredictionPtr now = m_model.session().predictor().prediction();
  const PredictedDevice* after = shown ? shown->device(device) : nullptr;
  const PredictedDevice* before =
      m_model.dropPreview().known() && now ? now->device(device) : nullptr;
  if (after == nullptr) {
    return;
  }
  // Without a budget the fullest device is the measure, up to the end of its error bar.
  const Bytes whole = after->budgetBytes ? std::max<Bytes>(1, *after->budgetBytes)
                                         : m_model.figures().largestPeak();
  const auto memoryShare = [whole](const PredictedDevice& figures) {
    return static_cast<double>(figures.peakBytes) / static_cast<double>(whole);
  };
  const auto busyShare = [](const PredictedDevice& figures, TimeNs step) {
    return step > 0 ? static_cast<double>(figures.busyNs) / static_cast<double>(step) : 0.0;
  };
  const QString memory =
      after->budgetBytes ? bytesOfText(after->peakBytes, *after->budgetBytes, QStringLiteral(" / "))
                         : bytesText(after->peakBytes);
  const auto tickOf = [before](auto share) {
    return before != nullptr ? std::optional<double>(share(*before)) : std::nullopt;
  };
  std::vector<GaugePart> parts;
  const auto bytes = m_model.figures().memoryOf(*after).all();
  const auto colors = memoryColors(m_theme);
  const double share = memoryShare(*after);
  for (std::size_t part = 0; part < bytes.size(); ++part) {
    const auto peak = static_cast<double>(std::max<Bytes>(1, after->peakBytes));
    parts.push_back({share * static_cast<double>(bytes[part]) / peak, colors[part]});
  }
  const PeakRange range = m_model.figures().peakRange(device);
  const MeasuredDevice* measured =
      m_model.figures().measured() ? m_model.figures().measured()->device(device) : nullptr;
  const auto ofWhole = [whole](Bytes end) {
    return static_cast<double>(end) / static_cast<double>(whole);
  };
  paintGauge(
      QRectF(rect.left(), rect.top() + 33, rect.width(), 14),
      {QStringLiteral("mem"), memory, std::move(parts), tickOf(memoryShare),
       range.known() ? std::optional(std::pair(ofWhole(range.low), ofWhole(range.high)))
                     : std::nullopt,
       measured != nullptr && measured->peakBytes > 0 ? std::optional(ofWhole(measured->peakBytes))
                                                      : std::nullopt,
       after->overBudget()});
  const double busy = busyShare(*after, shown->stepNs);
  paintGauge(
      QRectF(rect.left(), rect.top() + 47, rect.width(), 14),
      {QStringLiteral("busy"),
       percentText(busy),
       {{busy, m_theme.control.accent}},
       tickOf([&](const PredictedDevice& figures) { return busyShare(figures, now->stepNs); }),
       std::nullopt,
       measured != nullptr ? std::optional(measured->busyShare) : std::nullopt,
       false});
}

void LanesPainter::paintGauge(const QRectF& row, const Gauge& gauge) {
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
  if (gauge.range) {
    paintErrorBar(m_painter, m_theme, bar, *gauge.range);
  }
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
