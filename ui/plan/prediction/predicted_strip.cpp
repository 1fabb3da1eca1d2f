#include "ui/plan/prediction/predicted_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "engine/base/find.h"
#include "engine/trace/trace.h"
#include "profiler/analysis/idle.h"
#include "ui/kit/badge.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/lane_bracket.h"
#include "ui/kit/measured_mark.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/round_ticks.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/plan/prediction/strip_legend.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/peak_range.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {
namespace {

constexpr qreal kHeading = 32;
constexpr qreal kRuler = 20;
constexpr qreal kGhost = 12;
constexpr qreal kActions = 28;
constexpr qreal kCopies = 8;
constexpr qreal kSentence = 18;
constexpr qreal kMemory = 44;       ///< if there is room
constexpr qreal kLeastMemory = 24;  ///< a lower curve is unreadable
constexpr qreal kMemoryGap = 4;
constexpr double kMostMeasured =
    2.0;  ///< in predicted steps; a measured end beyond it is only named
constexpr qreal kPadding = 6;
constexpr qreal kTickWidth = 110;
constexpr qreal kReduces = 20;  ///< a group's row of all-reduces
constexpr qreal kCompactDevice = 2 * kPadding + kGhost + 2 + kActions + 4 + kCopies + kSentence;

/// Right-aligned in the column of the devices' names, which ends at `right`.
void paintRowName(QPainter& painter, const QString& text, qreal right, qreal y, qreal height) {
  painter.drawText(
      QRectF(right - measure::kLaneHeaderWidth + 12, y, measure::kLaneHeaderWidth - 16, height),
      Qt::AlignVCenter | Qt::AlignRight, text);
}

}  // namespace

PredictedStrip::PredictedStrip(PlanModel* model, QWidget* parent)
    : QWidget(parent), m_model(model) {
  setObjectName(u"predictedTimeline"_s);
  setAttribute(Qt::WA_OpaquePaintEvent);  // no background is painted below it
  setAccessibleName(tr("Predicted timeline"));
  connect(&model->dropPreview(), &DropPreview::changed, this, [this] { update(); });
  connect(model, &PlanModel::planChanged, this, &PredictedStrip::refresh);
  connect(model, &PlanModel::predictionChanged, this, [this] { update(); });
  connect(model->session().currentTheme(), &CurrentTheme::changed, this, [this] { update(); });
  connect(&model->figures(), &PlanFigures::measuredChanged, this, &PredictedStrip::refreshMeasured);
  connect(&model->session().results(), &MeasuredResults::traceChanged, this,
          &PredictedStrip::refreshMeasured);
  connect(&model->session().selection(), &VariantSelection::changed, this,
          &PredictedStrip::refreshMeasured);
  refreshMeasured();
}

void PredictedStrip::refreshMeasured() {
  m_measured.clear();
  const Session& session = m_model->session();
  const trace::TracePtr trace = session.results().trace(session.selection().variantId());
  for (const DeviceId& device : trace ? m_model->devices() : std::vector<DeviceId>()) {
    m_measured[device] = measuredActions(*trace, device);
  }
  update();
}

void PredictedStrip::refresh() {
  if (const int needed = minimumSizeHint().height(); needed != m_neededHeight) {
    m_neededHeight = needed;
    updateGeometry();  // skip the layout if the size is unchanged
  }
  update();
}

/// The height of all rows of groups.
qreal PredictedStrip::reduceRows(const PlanModel& model) {
  const auto& groups = model.replicaLanes().brackets();
  return kReduces * static_cast<qreal>(std::count_if(groups.begin(), groups.end(), hasReduceRow));
}

qreal PredictedStrip::memoryHeight() const {
  const auto devices = static_cast<qreal>(std::max<std::size_t>(1, m_model->devices().size()));
  const qreal room = (height() - kHeading - kRuler - 4 - reduceRows(*m_model)) / devices -
                     kCompactDevice - kMemoryGap;
  return room < kLeastMemory ? 0 : std::min(room, kMemory);
}

qreal PredictedStrip::deviceHeight() const {
  const qreal memory = memoryHeight();
  return kCompactDevice + (memory > 0 ? memory + kMemoryGap : 0);
}

qreal PredictedStrip::deviceTop(int device) const {
  const auto& groups = m_model->replicaLanes().brackets();
  const auto above = std::count_if(groups.begin(), groups.end(), [device](const auto& group) {
    return hasReduceRow(group) && group.lastLane < device;
  });
  return kHeading + kRuler + device * deviceHeight() + static_cast<qreal>(above) * kReduces;
}

bool PredictedStrip::hasReduceRow(const ReplicaBracket& group) {
  return group.isReplica && group.lastLane > group.firstLane;
}

const ReplicaBracket* PredictedStrip::reduceGroupOf(int lane) const {
  return findIf(m_model->replicaLanes().brackets(), [lane](const ReplicaBracket& group) {
    return hasReduceRow(group) && group.firstLane <= lane && lane <= group.lastLane;
  });
}

std::vector<int> PredictedStrip::rowsOf(const PlanModel& model, const PlanPrediction& prediction,
                                        const ReplicaBracket& group) {
  std::vector<int> rows;
  for (int lane = group.firstLane; lane <= group.lastLane; ++lane) {
    const PredictedDevice* figures = prediction.device(model.deviceOfLane(lane));
    if (figures != nullptr && figures->row >= 0) rows.push_back(figures->row);
  }
  return rows;
}

QRectF PredictedStrip::reduceTrack(const StripScale& axis, const ReplicaBracket& group) const {
  const qreal bottom = deviceTop(group.lastLane + 1);
  return {axis.left, bottom - kReduces + 3, axis.width, kReduces - 10};
}

QRectF PredictedStrip::copyTrack(const StripScale& axis, int lane) const {
  const qreal actions = deviceTop(lane) + kPadding + kGhost + 2 + kActions;
  return {axis.left, actions + 4, axis.width, kCopies};
}

QRectF PredictedStrip::memoryTrack(const StripScale& axis, int lane) const {
  return {axis.left, copyTrack(axis, lane).bottom() + kMemoryGap, axis.width, memoryHeight()};
}

QList<VirtualControl> PredictedStrip::virtualControls() const {
  QList<VirtualControl> controls;
  const PlanPredictionPtr shown = m_model->dropPreview().shownPrediction();
  if (!m_model->ready() || !shown) return controls;
  const StripScale axis = scale();
  for (int lane = 0; lane < static_cast<int>(m_model->devices().size()); ++lane) {
    const DeviceId& device = m_model->deviceOfLane(lane);
    const PredictedDevice* figures = shown->device(device);
    if (figures == nullptr || figures->row < 0) continue;
    const QString name = qstring(device.value);
    const QString copies = copyLabel(*shown, figures->row, copyRowOf(lane));
    if (!copies.isEmpty()) {
      controls.append({u"predictedCopies."_s + name,
                       u"track"_s,
                       copies,
                       {},
                       copyTrack(axis, lane).toAlignedRect(),
                       true});
    }
    if (memoryHeight() > 0) {
      controls.append(
          {u"predictedMemory."_s + name, u"track"_s,
           tr("peak ") + predictedPeakText(shown->basis, figures->peakBytes),
           figures->budgetBytes ? tr("budget ") + bytesText(*figures->budgetBytes) : QString(),
           memoryTrack(axis, lane).toAlignedRect(), true});
    }
  }
  int number = 0;
  for (const ReplicaBracket& group : m_model->replicaLanes().brackets()) {
    if (hasReduceRow(group)) {
      controls.append({u"predictedReduces.%1"_s.arg(number), u"track"_s, tr("all-reduce"),
                       reduceText(*shown, rowsOf(*m_model, *shown, group)),
                       reduceTrack(axis, group).toAlignedRect(), true});
    }
    ++number;
  }
  return controls;
}

QSize PredictedStrip::sizeHint() const { return {600, minimumSizeHint().height()}; }

QSize PredictedStrip::minimumSizeHint() const {
  const auto devices = static_cast<int>(m_model->devices().size());
  return {300, static_cast<int>(kHeading + kRuler + std::max(1, devices) * kCompactDevice +
                                reduceRows(*m_model)) +
                   4};
}

qreal PredictedStrip::headerRight() const {
  return m_model->replicaLanes().columnWidth() + measure::kLaneHeaderWidth;
}

StripScale PredictedStrip::scale() const {
  StripScale scale;
  scale.left = headerRight() + 8;
  scale.width = std::max<qreal>(1, width() - scale.left - 48);
  TimeNs end = 1;
  if (const auto shown = m_model->dropPreview().shownPrediction()) {
    end = std::max(end, shown->stepNs);
  }
  const auto now = m_model->session().predictor().prediction();
  if (m_model->dropPreview().known() && now) end = std::max(end, now->stepNs);
  if (const auto& measured = m_model->figures().measured();
      measured &&
      static_cast<double>(measured->stepNs) < kMostMeasured * static_cast<double>(end)) {
    end = std::max(end, measured->stepNs);
  }
  scale.endNs = static_cast<double>(end);
  return scale;
}

void PredictedStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), m_model->session().currentTheme()->theme().control.panel);
  if (!m_model->ready()) return;
  paintHeading(painter);
  if (!m_model->dropPreview().shownPrediction()) {
    painter.setPen(m_model->session().currentTheme()->theme().control.muted);
    painter.drawText(QRectF(12, kHeading, width() - 24, kActions), Qt::AlignVCenter,
                     !m_model->dropPreview().problem().isEmpty()
                         ? tr("This drop is impossible, so no step is shown")
                     : m_model->session().predictor().error()
                         ? tr("The plan is impossible, so no step is shown")
                         : tr("Predicting the plan…"));
    return;
  }
  if (m_model->session().predictor().stale() || m_model->session().predictor().error() ||
      (m_model->dropPreview().active() && !m_model->dropPreview().known())) {
    painter.setOpacity(0.5);
  }
  const StripScale axis = scale();
  paintRuler(painter, axis);
  for (int lane = 0; lane < static_cast<int>(m_model->devices().size()); ++lane) {
    paintDevice(painter, axis, lane);
  }
  paintGroups(painter, axis);
  paintMeasuredEnd(painter, axis);
}

/// The brackets of the groups, and their rows of all-reduces.
void PredictedStrip::paintGroups(QPainter& painter, const StripScale& axis) const {
  const Theme& theme = m_model->session().currentTheme()->theme();
  const auto shown = m_model->dropPreview().shownPrediction();
  for (const ReplicaBracket& group : m_model->replicaLanes().brackets()) {
    const QRectF place(
        QPointF(0, deviceTop(group.firstLane)),
        QPointF(m_model->replicaLanes().columnWidth(), deviceTop(group.lastLane + 1)));
    paintLaneBracket(painter, theme, place, group.title, group.place);
    if (!hasReduceRow(group)) continue;
    const std::vector<int> rows = rowsOf(*m_model, *shown, group);
    const QRectF track = reduceTrack(axis, group);
    PredictedTracks(painter, theme, axis, *shown).paintReduces(rows, track);
    painter.setFont(fontOf(TextSize::Caption));
    painter.setPen(theme.control.muted);
    paintRowName(painter, tr("all-reduce"), headerRight(), track.top() - 3, track.height() + 6);
  }
}

CopyRow PredictedStrip::copyRowOf(int lane) const {
  return reduceGroupOf(lane) != nullptr ? CopyRow::CopiesOnly : CopyRow::All;
}

void PredictedStrip::paintHeading(QPainter& painter) const {
  const Theme& theme = m_model->session().currentTheme()->theme();
  painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  painter.setPen(theme.control.text);
  const QString title = tr("Predicted timeline");
  painter.drawText(QRectF(12, 0, 160, kHeading), Qt::AlignVCenter, title);
  const int left = 12 + QFontMetrics(painter.font()).horizontalAdvance(title) + 12;
  const QPoint at(left, static_cast<int>((kHeading - measure::kBadgeHeight) / 2));
  int used = left;
  if (m_model->dropPreview().active()) {
    const bool known = m_model->dropPreview().known();
    const bool impossible = !m_model->dropPreview().problem().isEmpty();
    used += paintBadge(&painter, theme, at,
                       known        ? tr("preview of this drop")
                       : impossible ? tr("this drop is impossible")
                                    : tr("predicting this drop"),
                       impossible ? Tone::Error : Tone::Accent);
  } else if (const PlanPredictionPtr shown = m_model->dropPreview().shownPrediction()) {
    const BasisWords words = wordsOf(shown->basis, m_model->session().costs().facts());
    used += paintBadge(&painter, theme, at, words.brief,
                       words.doubtful ? Tone::Warning : toneOf(shown->basis));
  }
  if (const PlanPredictionPtr shown = m_model->dropPreview().shownPrediction()) {
    paintStripLegend(painter, theme, *shown, QRectF(used + 16, 0, width() - used - 16, kHeading));
  }
}

void PredictedStrip::paintRuler(QPainter& painter, const StripScale& axis) const {
  const ControlColors& colors = m_model->session().currentTheme()->theme().control;
  painter.setPen(colors.border);
  painter.drawLine(QPointF(0, kHeading - 0.5), QPointF(width(), kHeading - 0.5));
  painter.drawLine(QPointF(0, kHeading + kRuler - 0.5), QPointF(width(), kHeading + kRuler - 0.5));
  painter.setFont(fontOf(TextSize::Caption));
  const qreal bottom = deviceTop(static_cast<int>(m_model->devices().size()));
  const double tick = roundStep(std::max(1.0, axis.endNs / std::max(1.0, axis.width / kTickWidth)));
  const auto shown = m_model->dropPreview().shownPrediction();
  const qreal end = axis.x(shown->stepNs);
  for (double ns = 0; ns <= axis.endNs; ns += tick) {
    const qreal x = axis.x(static_cast<TimeNs>(ns));
    painter.setPen(colors.grid);
    painter.drawLine(QPointF(x, kHeading + kRuler), QPointF(x, bottom));
    const bool nearEnd = x > end - 116 && x < end + 4;
    if (!nearEnd) {
      painter.setPen(colors.muted);
      painter.drawText(QRectF(x + 3, kHeading, 90, kRuler), Qt::AlignVCenter,
                       ns > 0 ? timeText(static_cast<TimeNs>(ns)) : u"0"_s);
    }
  }
  const auto now = m_model->session().predictor().prediction();
  if (m_model->dropPreview().known() && now) {
    painter.setPen(QPen(colors.muted, 1, Qt::DashLine));
    painter.drawLine(QPointF(axis.x(now->stepNs), kHeading), QPointF(axis.x(now->stepNs), bottom));
  }
  painter.setPen(QPen(colors.accent, 2));
  painter.drawLine(QPointF(end, kHeading), QPointF(end, bottom));
  painter.setFont(fontOf(TextSize::Caption, TextWeight::Bold));
  painter.drawText(QRectF(end - 104, kHeading, 100, kRuler), Qt::AlignVCenter | Qt::AlignRight,
                   approximately(shown->basis) + timeText(shown->stepNs));
}

void PredictedStrip::paintDevice(QPainter& painter, const StripScale& axis, int lane) const {
  const Theme& theme = m_model->session().currentTheme()->theme();
  const DeviceId& device = m_model->deviceOfLane(lane);
  const qreal top = deviceTop(lane) + kPadding;
  painter.setFont(fontOf(TextSize::Body, TextWeight::Bold));
  painter.setPen(theme.control.text);
  const qreal left = m_model->replicaLanes().columnWidth() + 12;
  const qreal room = headerRight() - left - 4;
  painter.drawText(QRectF(left, top, room, 16), Qt::AlignVCenter,
                   QFontMetricsF(painter.font())
                       .elidedText(m_model->replicaLanes().nameOf(device), Qt::ElideMiddle, room));
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(theme.control.muted);
  paintGhost(painter, axis, lane);
  painter.setPen(theme.control.border);
  const ReplicaBracket* group = reduceGroupOf(lane);
  const bool last = group == nullptr || group->lastLane == lane;
  const qreal from = last ? 0 : m_model->replicaLanes().columnWidth();
  painter.drawLine(QPointF(from, deviceTop(lane + 1) - 0.5),
                   QPointF(width(), deviceTop(lane + 1) - 0.5));
  painter.setPen(theme.control.muted);
  const PredictedDevice* figures = m_model->dropPreview().shownPrediction()->device(device);
  if (figures == nullptr || figures->row < 0) {
    painter.drawText(actionTrack(axis, lane), Qt::AlignVCenter, tr("not used by this plan"));
    return;
  }
  paintTracks(painter, axis, lane, *figures);
}

/// Above the actions: the current plan's during a drag, else the measured ones.
void PredictedStrip::paintGhost(QPainter& painter, const StripScale& axis, int lane) const {
  const Theme& theme = m_model->session().currentTheme()->theme();
  const DeviceId& device = m_model->deviceOfLane(lane);
  const QRectF ghost(axis.left, deviceTop(lane) + kPadding, axis.width, kGhost);
  const auto now = m_model->session().predictor().prediction();
  const PredictedDevice* before =
      m_model->dropPreview().known() && now ? now->device(device) : nullptr;
  if (before != nullptr) {
    paintRowName(painter, tr("now"), headerRight(), ghost.top(), kGhost);
    if (before->row >= 0) {
      PredictedTracks(painter, theme, axis, *now)
          .paintActions(before->row, ghost, PredictedTracks::Ink::Ghost);
    }
    painter.setPen(theme.control.accent);
    paintRowName(painter, tr("after the drop"), headerRight(), actionTrack(axis, lane).top(),
                 kActions);
  } else if (const auto found = m_measured.find(device);
             found != m_measured.end() && !found->second.empty()) {
    paintRowName(painter, tr("measured"), headerRight(), ghost.top(), kGhost);
    paintMeasuredActions(painter, theme, axis, found->second, ghost);
  }
}

/// Actions with the gaps between them, copies, memory, and idle causes.
void PredictedStrip::paintTracks(QPainter& painter, const StripScale& axis, int lane,
                                 const PredictedDevice& figures) const {
  const Theme& theme = m_model->session().currentTheme()->theme();
  const auto shown = m_model->dropPreview().shownPrediction();
  const QRectF actions = actionTrack(axis, lane);
  const PredictedTracks tracks(painter, theme, axis, *shown);
  tracks.paintIdle(figures.row, actions);
  tracks.paintActions(figures.row, actions, PredictedTracks::Ink::Full);
  const QRectF copies = copyTrack(axis, lane);
  tracks.paintCopies(figures.row, copies);
  if (copyRowOf(lane) == CopyRow::All) tracks.paintReduces({figures.row}, copies);
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(theme.control.muted);
  paintRowName(painter, copyLabel(*shown, figures.row, copyRowOf(lane)), headerRight(),
               copies.top() - 3, copies.height() + 6);
  qreal below = copies.bottom();
  if (memoryHeight() > 0) {
    const QRectF track = memoryTrack(axis, lane);
    tracks.paintMemory(figures,
                       figures.budgetBytes ? std::max(*figures.budgetBytes, figures.peakBytes)
                                           : m_model->figures().largestPeak(),
                       track);
    painter.setPen(theme.control.muted);
    paintRowName(painter, tr("memory"), headerRight(), track.top() + 2, 14);
    paintRowName(painter, tr("peak %1").arg(predictedPeakText(shown->basis, figures.peakBytes)),
                 headerRight(), track.top() + 16, 14);
    below = track.bottom();
  }
  const auto row = static_cast<std::size_t>(figures.row);
  if (row < shown->breakdown.devices.size()) {
    painter.drawText(QRectF(axis.left, below, axis.width, kSentence), Qt::AlignVCenter,
                     idleText(*shown->trace, shown->breakdown, row));
  }
}

QRectF PredictedStrip::actionTrack(const StripScale& axis, int lane) const {
  return {axis.left, deviceTop(lane) + kPadding + kGhost + 2, axis.width, kActions};
}

/// End of the measured step, on the predicted one's axis.
void PredictedStrip::paintMeasuredEnd(QPainter& painter, const StripScale& axis) const {
  const auto& measured = m_model->figures().measured();
  if (!measured || m_model->dropPreview().known()) return;
  const Theme& theme = m_model->session().currentTheme()->theme();
  const bool beyond = static_cast<double>(measured->stepNs) > axis.endNs;
  const qreal x = beyond ? axis.left + axis.width : axis.x(measured->stepNs);
  const QColor color = measuredColor(theme, !measured->ofThisPlan);
  const qreal bottom = deviceTop(static_cast<int>(m_model->devices().size()));
  if (!beyond) {
    painter.setPen(QPen(color, 1.5, Qt::DashDotLine));
    painter.drawLine(QPointF(x, kHeading + kRuler), QPointF(x, bottom));
  }
  paintMeasuredMark(painter, theme, QPointF(x, kHeading + kRuler), !measured->ofThisPlan);
  const QString text = timeText(measured->stepNs) + (beyond ? u" →"_s : QString());
  painter.setFont(fontOf(TextSize::Caption));
  painter.setPen(color);
  const qreal textWidth = QFontMetricsF(painter.font()).horizontalAdvance(text);
  const qreal left = std::min(x + 5, width() - textWidth - 3);
  const QRectF place(left, kHeading + kRuler + 3, textWidth + 1, 13);
  painter.fillRect(place, theme.control.panel);  // hides the line of the predicted end
  painter.drawText(place, Qt::AlignVCenter, text);
}

bool PredictedStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto shown = m_model->dropPreview().shownPrediction();
  QToolTip::showText(help->globalPos(), shown ? tipAt(*shown, help->pos()) : QString(), this);
  return true;
}

QString PredictedStrip::tipAt(const PlanPrediction& shown, const QPoint& at) const {
  const StripScale axis = scale();
  for (const ReplicaBracket& group : m_model->replicaLanes().brackets()) {
    const qreal bottom = deviceTop(group.lastLane + 1);
    if (hasReduceRow(group) && at.y() >= bottom - kReduces && at.y() < bottom) {
      return tr("All-reduce of %1: %2")
          .arg(group.title, reduceText(shown, rowsOf(*m_model, shown, group)));
    }
  }
  for (int lane = 0; lane < static_cast<int>(m_model->devices().size()); ++lane) {
    const PredictedDevice* figures = shown.device(m_model->deviceOfLane(lane));
    const bool inside = at.y() >= deviceTop(lane) && at.y() < deviceTop(lane + 1);
    if (!inside || figures == nullptr || figures->row < 0) continue;
    const auto row = static_cast<std::size_t>(figures->row);
    for (std::size_t index = 0; index < shown.schedule.actions[row].size(); ++index) {
      const auto& action = shown.schedule.actions[row][index];
      const auto& played = shown.simulation.actions[row][index];
      const bool drawn = isCompute(action.kind) || action.kind == ActionKind::Reduce;
      if (!drawn || at.x() < axis.x(played.start) || at.x() >= axis.x(played.end)) continue;
      return tr("%1, stage %2%3, predicted %4")
          .arg(qstring(word(action.kind)))
          .arg(action.stage.value)
          .arg(action.microBatch.valid() ? tr(", micro-batch %1").arg(action.microBatch.value)
                                         : QString(),
               approximately(shown.basis) + timeText(played.end - played.start));
    }
  }
  return {};
}

}  // namespace stagelane::ui
