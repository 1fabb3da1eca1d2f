#include "ui/widgets/predicted_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <map>

#include "ui/models/formatting.h"
#include "ui/widgets/badge.h"

namespace stagelane::ui {
namespace {

constexpr qreal kHeading = 32;
constexpr qreal kRuler = 20;
constexpr qreal kGhost = 12;
constexpr qreal kActions = 28;
constexpr qreal kCopies = 8;
constexpr qreal kSentence = 18;
constexpr qreal kPadding = 6;
constexpr qreal kLabelledAction = 22;

bool isCopy(const schedule::LoweredAction& action, const predict::Played& played) {
  const bool sends =
      action.kind == ActionKind::SendForward || action.kind == ActionKind::SendBackward;
  return sends && played.end > played.start;
}

bool hasCopies(const PlanPrediction& prediction) {
  for (std::size_t row = 0; row < prediction.schedule.actions.size(); ++row) {
    for (std::size_t at = 0; at < prediction.schedule.actions[row].size(); ++at) {
      if (isCopy(prediction.schedule.actions[row][at], prediction.simulation.actions[row][at])) {
        return true;
      }
    }
  }
  return false;
}

double niceTick(double endNs, double count) {
  const double raw = endNs / std::max(1.0, count);
  const double power = std::pow(10.0, std::floor(std::log10(std::max(1.0, raw))));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power) {
      return factor * power;
    }
  }
  return 10.0 * power;
}

}  // namespace

PredictedStrip::PredictedStrip(PlanModel* model, QWidget* parent)
    : QWidget(parent), m_model(model) {
  setObjectName(QStringLiteral("predictedTimeline"));
  setAccessibleName(tr("Predicted timeline"));
  connect(model, &PlanModel::previewChanged, this, [this] { update(); });
  connect(model, &PlanModel::planChanged, this, &PredictedStrip::refresh);
  connect(&model->session(), &Session::predictionChanged, this, [this] { update(); });
  connect(&model->session(), &Session::themeChanged, this, [this] { update(); });
}

void PredictedStrip::refresh() {
  updateGeometry();
  update();
}

qreal PredictedStrip::deviceHeight() const {
  return 2 * kPadding + kGhost + 2 + kActions + 4 + kCopies + kSentence;
}

qreal PredictedStrip::deviceTop(int device) const {
  return kHeading + kRuler + device * deviceHeight();
}

QSize PredictedStrip::sizeHint() const { return {600, minimumSizeHint().height()}; }

QSize PredictedStrip::minimumSizeHint() const {
  const auto devices = static_cast<int>(m_model->devices().size());
  return {300, static_cast<int>(deviceTop(std::max(1, devices))) + 4};
}

PredictedStrip::Scale PredictedStrip::scale() const {
  Scale scale;
  scale.left = measure::kLaneHeaderWidth + 8;
  scale.width = std::max<qreal>(1, width() - scale.left - 48);
  TimeNs end = 1;
  if (const auto shown = m_model->shownPrediction()) {
    end = std::max(end, shown->stepNs);
  }
  const auto now = m_model->session().prediction();
  if (m_model->previewing() && now) {
    end = std::max(end, now->stepNs);
  }
  scale.endNs = static_cast<double>(end);
  return scale;
}

void PredictedStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), m_model->session().theme().control.panel);
  if (!m_model->ready()) {
    return;
  }
  paintHeading(painter);
  if (!m_model->shownPrediction()) {
    return;
  }
  if (m_model->session().predictionStale() || m_model->session().predictionError()) {
    painter.setOpacity(0.5);
  }
  const Scale axis = scale();
  paintRuler(painter, axis);
  for (int lane = 0; lane < static_cast<int>(m_model->devices().size()); ++lane) {
    paintDevice(painter, axis, lane);
  }
}

void PredictedStrip::paintHeading(QPainter& painter) const {
  const Theme& theme = m_model->session().theme();
  painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  painter.setPen(theme.control.text);
  const QString title = QStringLiteral("Predicted timeline");
  painter.drawText(QRectF(12, 0, 160, kHeading), Qt::AlignVCenter, title);
  const int left = 12 + QFontMetrics(painter.font()).horizontalAdvance(title) + 12;
  const QPoint at(left, static_cast<int>((kHeading - measure::kBadgeHeight) / 2));
  int used = left;
  if (m_model->previewing()) {
    used += paintBadge(&painter, theme, at, QStringLiteral("preview of this drop"), Tone::Accent);
  } else if (const PlanPredictionPtr shown = m_model->shownPrediction()) {
    used += paintBadge(&painter, theme, at, wordsOf(shown->basis).brief, toneOf(shown->basis));
  }
  if (m_model->shownPrediction()) {
    paintLegend(painter, used + 16);
  }
}

void PredictedStrip::paintLegend(QPainter& painter, qreal left) const {
  struct Entry {
    QString text;
    QBrush brush;
    bool framed;
    QColor color;
  };
  using analysis::Cause;
  const Theme& theme = m_model->session().theme();
  const PlanPrediction& shown = *m_model->shownPrediction();
  QList<Entry> entries;
  // What is drawn, and nothing else.
  const auto add = [&](const QString& text, Cause cause) {
    const auto index = static_cast<std::size_t>(cause);
    if (std::any_of(shown.breakdown.devices.begin(), shown.breakdown.devices.end(),
                    [index](const auto& device) { return device.causeNs[index] > 0; })) {
      entries.append({text, brushOf(theme, cause, devicePixelRatioF()), !analysis::isBusy(cause),
                      colorOf(theme, cause)});
    }
  };
  add(QStringLiteral("forward"), Cause::Forward);
  add(QStringLiteral("backward"), Cause::Backward);
  add(QStringLiteral("input half"), Cause::BackwardInput);
  add(QStringLiteral("weight half"), Cause::BackwardWeight);
  add(QStringLiteral("optimizer"), Cause::Optimizer);
  if (hasCopies(shown)) {
    entries.append({QStringLiteral("copy"), theme.action.copy, false, theme.action.copy});
  }
  add(QStringLiteral("warm-up"), Cause::Warmup);
  add(QStringLiteral("starved"), Cause::Starved);
  add(QStringLiteral("transfer"), Cause::TransferWait);
  add(QStringLiteral("drain"), Cause::Drain);
  add(QStringLiteral("host"), Cause::Host);
  add(QStringLiteral("tail"), Cause::Tail);
  const QFont font = fontOf(TextSize::Caption);
  const QFontMetricsF metrics(font);
  // What does not fit goes from the end: the colours of work matter more than those of waiting.
  qsizetype fitting = 0;
  qreal total = 0;
  for (const Entry& candidate : entries) {
    const qreal needed = metrics.horizontalAdvance(candidate.text) + 30;
    if (left + total + needed > width()) {
      break;
    }
    total += needed;
    ++fitting;
  }
  qreal x = width() - 12 - total + 14;
  painter.setFont(font);
  for (qsizetype at = 0; at < fitting; ++at) {
    const Entry& next = entries[at];
    const QRectF box(x + 0.5, kHeading / 2 - 5.5, 11, 11);
    painter.setPen(next.framed ? QPen(next.color, 1) : QPen(Qt::NoPen));
    painter.setBrush(next.brush);
    painter.drawRoundedRect(box, 2, 2);
    const qreal textWidth = metrics.horizontalAdvance(next.text);
    painter.setPen(theme.control.muted);
    painter.drawText(QRectF(x + 16, 0, textWidth + 1, kHeading), Qt::AlignVCenter, next.text);
    x += textWidth + 30;
  }
}

void PredictedStrip::paintRuler(QPainter& painter, const Scale& axis) const {
  const ControlColors& colors = m_model->session().theme().control;
  painter.setPen(colors.border);
  painter.drawLine(QPointF(0, kHeading - 0.5), QPointF(width(), kHeading - 0.5));
  painter.drawLine(QPointF(0, kHeading + kRuler - 0.5), QPointF(width(), kHeading + kRuler - 0.5));
  painter.setFont(fontOf(TextSize::Caption));
  const qreal bottom = deviceTop(static_cast<int>(m_model->devices().size()));
  const double tick = niceTick(axis.endNs, axis.width / 110.0);
  const auto shown = m_model->shownPrediction();
  const qreal end = axis.x(shown->stepNs);
  for (double ns = 0; ns <= axis.endNs; ns += tick) {
    const qreal x = axis.x(static_cast<TimeNs>(ns));
    painter.setPen(colors.grid);
    painter.drawLine(QPointF(x, kHeading + kRuler), QPointF(x, bottom));
    const bool nearEnd = x > end - 116 && x < end + 4;
    if (!nearEnd) {
      painter.setPen(colors.muted);
      painter.drawText(QRectF(x + 3, kHeading, 90, kRuler), Qt::AlignVCenter,
                       ns > 0 ? timeText(static_cast<TimeNs>(ns)) : QStringLiteral("0"));
    }
  }
  const auto now = m_model->session().prediction();
  if (m_model->previewing() && now) {
    painter.setPen(QPen(colors.muted, 1, Qt::DashLine));
    painter.drawLine(QPointF(axis.x(now->stepNs), kHeading), QPointF(axis.x(now->stepNs), bottom));
  }
  painter.setPen(QPen(colors.accent, 2));
  painter.drawLine(QPointF(end, kHeading), QPointF(end, bottom));
  painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
  painter.drawText(QRectF(end - 104, kHeading, 100, kRuler), Qt::AlignVCenter | Qt::AlignRight,
                   approximately(shown->basis) + timeText(shown->stepNs));
}

void PredictedStrip::paintDevice(QPainter& painter, const Scale& axis, int lane) const {
  const Theme& theme = m_model->session().theme();
  const DeviceId& device = m_model->devices()[static_cast<std::size_t>(lane)];
  const qreal top = deviceTop(lane) + kPadding;
  const auto shown = m_model->shownPrediction();
  const auto now = m_model->session().prediction();
  const PredictedDevice* figures = shown->device(device);
  const QRectF labels(12, top, measure::kLaneHeaderWidth - 12, 16);
  painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  painter.setPen(theme.control.text);
  painter.drawText(labels, Qt::AlignVCenter, qstring(device.value));
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(theme.control.muted);
  const QRectF actions(axis.left, top + kGhost + 2, axis.width, kActions);
  const auto label = [&](const QString& text, qreal y, qreal height) {
    painter.drawText(QRectF(12, y, measure::kLaneHeaderWidth - 16, height),
                     Qt::AlignVCenter | Qt::AlignRight, text);
  };
  const PredictedDevice* before = m_model->previewing() && now ? now->device(device) : nullptr;
  if (before != nullptr) {
    label(QStringLiteral("now"), top, kGhost);
    if (before->row >= 0) {
      paintActions(painter, axis, *now, before->row, QRectF(axis.left, top, axis.width, kGhost),
                   true);
    }
    painter.setPen(theme.control.accent);
    label(QStringLiteral("after the drop"), actions.top(), kActions);
    painter.setPen(theme.control.muted);
  }
  painter.setPen(theme.control.border);
  painter.drawLine(QPointF(0, deviceTop(lane + 1) - 0.5),
                   QPointF(width(), deviceTop(lane + 1) - 0.5));
  painter.setPen(theme.control.muted);
  if (figures == nullptr || figures->row < 0) {
    painter.drawText(actions, Qt::AlignVCenter, QStringLiteral("not used by this plan"));
    return;
  }
  paintIdle(painter, axis, *shown, figures->row, actions);
  paintActions(painter, axis, *shown, figures->row, actions, false);
  paintCopies(painter, axis, *shown, figures->row,
              QRectF(axis.left, actions.bottom() + 4, axis.width, kCopies));
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(theme.control.muted);
  const auto row = static_cast<std::size_t>(figures->row);
  if (row < shown->breakdown.devices.size()) {
    painter.drawText(QRectF(axis.left, actions.bottom() + 4 + kCopies, axis.width, kSentence),
                     Qt::AlignVCenter,
                     qstring(analysis::idleSentence(*shown->trace, shown->breakdown, row)));
  }
}

void PredictedStrip::paintActions(QPainter& painter, const Scale& axis,
                                  const PlanPrediction& prediction, int row, const QRectF& track,
                                  bool ghost) const {
  const Theme& theme = m_model->session().theme();
  const auto& actions = prediction.schedule.actions[static_cast<std::size_t>(row)];
  const auto& played = prediction.simulation.actions[static_cast<std::size_t>(row)];
  const QBrush hatch = estimateHatch(theme, devicePixelRatioF());
  const bool hatched = !ghost && prediction.basis == predict::Basis::Estimate;
  painter.setFont(fontOf(TextSize::Caption));
  painter.setBrushOrigin(QPointF(axis.left, track.top()));
  for (std::size_t at = 0; at < actions.size(); ++at) {
    if (!isCompute(actions[at].kind)) {
      continue;
    }
    const qreal left = axis.x(played[at].start);
    const qreal right = std::max(left + 1, axis.x(played[at].end) - 0.5);
    const trace::Category category = trace::categoryOf(actions[at].kind);
    const QColor fill = fillOf(theme, category);
    const QRectF box(left, track.top(), right - left, track.height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(ghost ? ghostOf(fill) : fill);
    if (box.width() > 4) {
      painter.drawRoundedRect(box, measure::kActionRadius, measure::kActionRadius);
    } else {
      painter.drawRect(box);
    }
    if (hatched) {
      painter.fillRect(box, hatch);
    }
    if (!ghost && box.width() >= kLabelledAction && actions[at].microBatch.valid()) {
      painter.setPen(textOn(theme, category));
      painter.drawText(
          box, Qt::AlignCenter,
          qstring(word(actions[at].kind)).left(1) + QString::number(actions[at].microBatch.value));
    }
  }
}

void PredictedStrip::paintIdle(QPainter& painter, const Scale& axis,
                               const PlanPrediction& prediction, int row,
                               const QRectF& track) const {
  const auto index = static_cast<std::size_t>(row);
  if (index >= prediction.breakdown.devices.size()) {
    return;
  }
  const Theme& theme = m_model->session().theme();
  const TimeNs origin = prediction.breakdown.step.startNs;
  std::map<analysis::Cause, QBrush> brushes;
  painter.setPen(Qt::NoPen);
  painter.setBrushOrigin(QPointF(axis.left, track.top()));
  for (const analysis::Piece& piece : prediction.breakdown.devices[index].pieces) {
    if (analysis::isBusy(piece.cause)) {
      continue;
    }
    auto brush = brushes.find(piece.cause);
    if (brush == brushes.end()) {
      brush = brushes.emplace(piece.cause, brushOf(theme, piece.cause, devicePixelRatioF())).first;
    }
    const qreal left = axis.x(piece.startNs - origin);
    painter.fillRect(QRectF(left, track.top(), axis.x(piece.endNs - origin) - left, track.height()),
                     brush->second);
  }
}

void PredictedStrip::paintCopies(QPainter& painter, const Scale& axis,
                                 const PlanPrediction& prediction, int row,
                                 const QRectF& track) const {
  const auto& actions = prediction.schedule.actions[static_cast<std::size_t>(row)];
  const auto& played = prediction.simulation.actions[static_cast<std::size_t>(row)];
  const QColor fill = m_model->session().theme().action.copy;
  for (std::size_t at = 0; at < actions.size(); ++at) {
    if (isCopy(actions[at], played[at])) {
      const qreal left = axis.x(played[at].start);
      painter.fillRect(QRectF(left, track.top(), std::max<qreal>(2, axis.x(played[at].end) - left),
                              track.height()),
                       fill);
    }
  }
}

bool PredictedStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) {
    return QWidget::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto shown = m_model->shownPrediction();
  QString text;
  for (int lane = 0; shown && lane < static_cast<int>(m_model->devices().size()); ++lane) {
    const PredictedDevice* figures =
        shown->device(m_model->devices()[static_cast<std::size_t>(lane)]);
    const bool inside = help->pos().y() >= deviceTop(lane) && help->pos().y() < deviceTop(lane + 1);
    if (!inside || figures == nullptr || figures->row < 0) {
      continue;
    }
    const auto row = static_cast<std::size_t>(figures->row);
    const Scale axis = scale();
    for (std::size_t at = 0; at < shown->schedule.actions[row].size(); ++at) {
      const auto& action = shown->schedule.actions[row][at];
      const auto& played = shown->simulation.actions[row][at];
      const qreal x = help->pos().x();
      if (isCompute(action.kind) && x >= axis.x(played.start) && x < axis.x(played.end)) {
        text = QStringLiteral("%1, stage %2%3, predicted %4")
                   .arg(qstring(word(action.kind)))
                   .arg(action.stage.value)
                   .arg(action.microBatch.valid()
                            ? QStringLiteral(", micro-batch %1").arg(action.microBatch.value)
                            : QString(),
                        approximately(shown->basis) + timeText(played.end - played.start));
      }
    }
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace stagelane::ui
