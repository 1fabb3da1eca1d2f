#include "ui/plan/lanes/lanes_view.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <utility>

#include "ui/kit/current_theme.h"
#include "ui/kit/painted_access.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/chip_groups.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/plan/plan_model/plan_selection.h"
#include "ui/plan/plan_model/shown_problems.h"
#include "ui/session/document/device_edits.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/peak_range.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_marks.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr qreal kDragThreshold = 8;

/// "cpu:0, cpu:1": the devices of all replicas.
QString groupText(const plan::DeviceGroup& group) {
  QStringList names;
  for (const DeviceId& device : group) names.append(qstring(device.value));
  return names.join(u", "_s);
}

DragExtent extentOf(Qt::KeyboardModifiers modifiers) {
  if (modifiers.testFlag(Qt::AltModifier)) return DragExtent::Group;
  return modifiers.testFlag(Qt::ShiftModifier) ? DragExtent::RestOfStage : DragExtent::Selection;
}

}  // namespace

LanesView::LanesView(PlanModel* model, QWidget* parent) : QWidget(parent), m_model(model) {
  setObjectName(u"lanes"_s);
  setAccessibleName(tr("Device lanes"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);  // no background is painted below it
  connect(model, &PlanModel::planChanged, this, &LanesView::showPlan);
  connect(&model->chips(), &ChipGroups::changed, this, &LanesView::relayout);
  connect(&model->dropPreview(), &DropPreview::changed, this, [this] { update(); });
  connect(model, &PlanModel::selectionChanged, this, [this] {
    announceCurrent();
    update();
  });
  connect(model, &PlanModel::predictionChanged, this, [this] { update(); });
  connect(&model->session().costs(), &Costs::peakHistoryChanged, this, [this] { update(); });
  connect(&model->shownProblems(), &ShownProblems::changed, this, [this] { update(); });
  connect(&model->figures(), &PlanFigures::measuredChanged, this, [this] { update(); });
  connect(model->session().currentTheme(), &CurrentTheme::changed, this, [this] { update(); });
  relayout();
}

/// A drag ends if its plan is replaced, but not if only figures change.
void LanesView::showPlan() {
  if (m_held && m_held->plan != m_model->identity()) endDrag();
  relayout();
  refreshDrag();
}

QSize LanesView::sizeHint() const { return {700, static_cast<int>(m_geometry.height())}; }

/// Minimum width of the chips; a narrower view scrolls.
QSize LanesView::minimumSizeHint() const {
  return {
      std::max(static_cast<int>(m_geometry.headerWidth()) + 240,
               LanesGeometry::leastWidth(m_geometry.chain.chips.size(), m_geometry.bracketColumn)),
      static_cast<int>(m_geometry.height())};
}

void LanesView::relayout() {
  const int lanes = static_cast<int>(m_model->lanes().size());
  const int brackets = m_model->replicaLanes().columnWidth();
  const qreal scrolled = m_geometry.scrolled;
  if (m_model->ready()) {
    m_geometry = LanesGeometry::make(
        m_model->chips().chainRequest(LanesGeometry::chainWidth(width(), brackets)), lanes, width(),
        brackets);
  } else {
    m_geometry = {};
  }
  m_geometry.scrolled = scrolled;
  m_state.hoveredChip.reset();
  if (const QSize needed = minimumSizeHint(); needed != m_needed) {
    m_needed = needed;
    updateGeometry();  // skip the layout if the size is unchanged
  }
  update();
  Q_EMIT geometryChanged();
}

void LanesView::setScrolled(int scrolled) {
  m_geometry.scrolled = scrolled;
  update();
  Q_EMIT geometryChanged();
}

std::optional<std::size_t> LanesView::chipAt(const QPointF& at) const {
  return m_geometry.chipAt(at, [this](const ChipPlace& chip) {
    return lanesOfBlock(*m_model, m_model->shape(), chip.first);
  });
}

void LanesView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_model->session().currentTheme()->theme().control.panel);
  if (m_model->ready()) {
    if (m_model->session().predictor().stale()) painter.setOpacity(0.6);
    LanesPainter(painter, *m_model, m_geometry, m_state).paint();
  }
}

void LanesView::resizeEvent(QResizeEvent*) { relayout(); }

void LanesView::mousePressEvent(QMouseEvent* event) {
  if (!m_model->ready() || event->button() == Qt::MiddleButton) return;
  const QPointF at = event->position();
  if (const auto lane = deviceMenuAt(at); lane && event->button() == Qt::LeftButton) {
    Q_EMIT deviceMenuRequested(m_model->lanes()[*lane], event->globalPosition().toPoint());
    return;
  }
  if (const auto group = m_geometry.groupAt(at); group && event->button() == Qt::LeftButton) {
    m_model->chips().toggle(m_geometry.chain.groups[*group].group.name);
    return;
  }
  const auto chip = chipAt(at);
  m_held.reset();
  m_pressedAt = at;
  if (!chip) {
    m_model->clearSelection();
    return;
  }
  const ChipPlace& place = m_geometry.chain.chips[*chip];
  if (event->button() == Qt::LeftButton) {
    m_held = HeldChip{place.first, place.last, m_model->identity()};
  }
  const bool selected = m_model->selected(place.first, place.last) == Selected::All;
  const bool plain = !(event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier));
  if (event->modifiers().testFlag(Qt::ControlModifier)) {
    m_model->toggle(place.first, place.last);
  } else if (plain && !selected) {
    m_model->select(place.first, place.last);
  }
}

void LanesView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (!m_model->ready()) return;
  if (m_held && event->buttons().testFlag(Qt::LeftButton)) {
    const bool far = (at - m_pressedAt).manhattanLength() >= kDragThreshold;
    if (far || !m_state.dragged.empty()) {
      m_draggedTo = event->globalPosition().toPoint();
      m_dragModifiers = event->modifiers();
      beginOrMoveDrag(at, m_dragModifiers);
      Q_EMIT dragMoved(m_draggedTo);
    }
    return;
  }
  const auto hovered = chipAt(at);
  if (hovered != m_state.hoveredChip) {
    m_state.hoveredChip = hovered;
    update();
  }
  setCursor(m_geometry.groupAt(at) || deviceMenuAt(at) ? Qt::PointingHandCursor
            : hovered                                  ? Qt::OpenHandCursor
                                                       : Qt::ArrowCursor);
}

void LanesView::beginOrMoveDrag(const QPointF& at, Qt::KeyboardModifiers modifiers) {
  if (m_state.dragged.empty()) {
    setCursor(Qt::ClosedHandCursor);
    setFocus(Qt::MouseFocusReason);
  }
  m_state.dragged = m_model->moves().dragSet(m_held->first, m_held->last, extentOf(modifiers));
  m_state.cursor = at;
  m_state.targetLane = m_geometry.lanes.laneAt(at.y());
  m_state.refusal.reset();
  if (!m_state.targetLane) {
    m_model->dropPreview().clear();
    update();
    return;
  }
  const DeviceId& device =
      firstReplicaOf(m_model->shape(), m_model->deviceOfLane(*m_state.targetLane));
  m_state.refusal = m_model->moves().refusal(m_state.dragged, device);
  const QString what = blocksText(m_model->model(), m_state.dragged);
  if (m_state.refusal) {
    m_model->dropPreview().clear();
    m_model->session().pages().showHint(*m_state.refusal);
  } else {
    m_model->dropPreview().show(m_state.dragged, device);
    const QString tied = m_model->figures().tiedText(m_state.dragged);
    m_model->session().pages().showHint(
        tr("Moving %1 to %2.  %3")
            .arg(what, qstring(device.value),
                 tied.isEmpty() ? tr("Release to drop · Esc cancels · Shift takes the "
                                     "rest of the stage, Alt the whole group")
                                : tied));
  }
  update();
}

void LanesView::refreshDrag() {
  if (m_held && !m_state.dragged.empty()) {
    beginOrMoveDrag(mapFromGlobal(m_draggedTo), m_dragModifiers);
  }
}

void LanesView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_held) return;
  const auto [first, last] = std::pair(m_held->first, m_held->last);
  const BlockSet dragged = m_state.dragged;
  const auto lane = m_state.targetLane;
  const bool twice = std::exchange(m_doubleClicked, false);
  endDrag();
  const ChainGroup* group = m_model->chips().groupOf(first);
  if (dragged.empty() && twice && group != nullptr) {
    m_model->chips().toggle(group->name);
    return;
  }
  if (dragged.empty()) {
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
      m_model->extendTo(first, last);
    } else if (!event->modifiers().testFlag(Qt::ControlModifier)) {
      m_model->select(first, last);
    }
    return;
  }
  if (lane && m_model->moves().move(dragged, m_model->deviceOfLane(*lane))) {
    m_model->session().pages().showHint(m_model->figures().tiedText(dragged));
  }
}

void LanesView::endDrag() {
  Q_EMIT dragEnded();
  m_held.reset();
  if (!m_state.dragged.empty()) {
    m_state.dragged.clear();
    m_model->session().pages().showHint({});
  }
  m_state.targetLane.reset();
  m_state.refusal.reset();
  m_model->dropPreview().clear();
  setCursor(Qt::ArrowCursor);
  update();
}

void LanesView::mouseDoubleClickEvent(QMouseEvent* event) {
  // The second press may begin a drag, so the group opens on release.
  mousePressEvent(event);
  m_doubleClicked = holding();
}

void LanesView::leaveEvent(QEvent*) {
  m_state.hoveredChip.reset();
  update();
}

void LanesView::keyPressEvent(QKeyEvent* event) {
  if (!m_model->ready()) {
    QWidget::keyPressEvent(event);
    return;
  }
  takeModifiers(*event);
  if (event->key() != Qt::Key_Escape) {
    QWidget::keyPressEvent(event);
  } else if (m_held) {
    endDrag();
  } else {
    m_model->clearSelection();
  }
}

void LanesView::keyReleaseEvent(QKeyEvent* event) {
  takeModifiers(*event);
  QWidget::keyReleaseEvent(event);
}

void LanesView::takeModifiers(const QKeyEvent& event) {
  if (event.key() == Qt::Key_Shift || event.key() == Qt::Key_Alt) {
    m_dragModifiers = event.modifiers();
    refreshDrag();
  }
}

void LanesView::step(int step, bool extend) {
  if (m_model->ready() && !m_held) m_model->step(step, extend, m_geometry.chain);
}

void LanesView::contextMenuEvent(QContextMenuEvent* event) {
  const QPointF at = event->pos();
  const auto lane = m_geometry.lanes.laneAt(at.y());
  if (m_model->ready() && lane && at.x() < m_geometry.headerRight()) {
    Q_EMIT deviceMenuRequested(m_model->deviceOfLane(*lane), event->globalPos());
    return;
  }
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  Q_EMIT chipMenuRequested(byKey || chipAt(at).has_value(), event->globalPos());
}

std::optional<std::size_t> LanesView::deviceMenuAt(const QPointF& at) const {
  for (int lane = 0; m_model->ready() && lane < m_geometry.lanes.count; ++lane) {
    if (m_geometry.deviceMenuRect(lane).adjusted(-3, -3, 3, 3).contains(at)) {
      return static_cast<std::size_t>(lane);
    }
  }
  return std::nullopt;
}

QString LanesView::tooltipOfHeader(const QPointF& at) const {
  const auto lane = m_geometry.lanes.laneAt(at.y());
  const PlanPredictionPtr shown = m_model->dropPreview().shownPrediction();
  if (!lane || at.x() >= m_geometry.headerRight() || !shown) return {};
  const DeviceId& device = m_model->deviceOfLane(*lane);
  const PredictedDevice* figures = shown->device(device);
  const auto spec = m_model->deviceEdits().spec(device);
  QString text =
      u"%1, %2"_s.arg(qstring(device.value), spec ? deviceText(*spec) : deviceKindText(device));
  if (figures != nullptr && figures->peakBytes > 0) {
    text += tr("\npeak %1: %2")
                .arg(predictedPeakText(shown->basis, figures->peakBytes),
                     memoryText(m_model->figures().memoryOf(*figures)));
    const PeakRange range = m_model->figures().peakRange(device);
    text += tr("\nerror bar: %1\n%2").arg(peakRangeText(range), peakRangeMeaning(range));
  }
  if (const auto& marks = m_model->figures().measured();
      marks && marks->device(device) != nullptr) {
    const MeasuredDevice& measured = *marks->device(device);
    text += tr("\n%1: busy %2").arg(marks->when(), percentText(measured.busyShare));
    if (measured.peakBytes > 0) text += tr(", peak %1").arg(bytesText(measured.peakBytes));
  }
  return text;
}

void LanesView::openCurrentGroup() {
  if (!m_model->ready()) return;
  if (const ChainGroup* group = m_model->chips().groupOf(m_model->current())) {
    m_model->chips().toggle(group->name);
  }
}

void LanesView::focusInEvent(QFocusEvent*) {
  m_state.focused = true;
  update();
}

void LanesView::focusOutEvent(QFocusEvent*) {
  m_state.focused = false;
  update();
}

bool LanesView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_model->ready()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto chip = chipAt(help->pos());
    QToolTip::showText(help->globalPos(), chip ? tooltipOf(*chip) : tooltipOfHeader(help->pos()),
                       this);
    return true;
  }
  return QWidget::event(event);
}

QString LanesView::tooltipOf(std::size_t chip) const {
  const ChipPlace& place = m_geometry.chain.chips[chip];
  TimeNs forward = 0;
  TimeNs backward = 0;
  Bytes kept = 0;
  std::int64_t parameters = 0;
  for (std::size_t block = place.first; block <= place.last; ++block) {
    const BlockFigures& figures = m_model->table()->blocks[block];
    forward += figures.forwardNs;
    backward += figures.backwardNs;
    kept += figures.keptBytes;
    parameters += figures.parameters;
  }
  const plan::DeviceGroup group = replicasOfBlock(m_model->shape(), place.first);
  const DeviceId& device = group.first();
  const QString about = approximately(m_model->table()->basis);
  QString text = tr("%1 on %2\nforward %3, backward %4\nkeeps %5, %6 parameters")
                     .arg(place.name, groupText(group), about + timeText(forward),
                          about + timeText(backward), bytesText(kept), countText(parameters));
  if (place.first > 0 && device != m_model->shape().deviceOfBlock[place.first - 1]) {
    text += tr("\n%1 per step cross the boundary before it")
                .arg(bytesText(m_model->figures().cutBytes(place.first)));
  }
  if (m_model->locks().locked(place.first)) text += tr("\nlocked: L unlocks");
  if (const QString fixed = m_model->moves().whyFixed(); !fixed.isEmpty()) {
    text += QChar(u'\n') + fixed;
  }
  for (std::size_t block = place.first; block <= place.last; ++block) {
    const QString tied = m_model->figures().tiedAcrossDevices(block);
    if (!tied.isEmpty()) text += tr("\ntied to %1, gradients are summed across devices").arg(tied);
  }
  const QString problem = m_model->shownProblems().text(device);
  if (!problem.isEmpty()) text += QChar(u'\n') + problem;
  return text;
}

void LanesView::announceCurrent() {
  if (m_model->ready() && m_model->current() < m_model->table()->blocks.size()) {
    setAccessibleDescription(
        tr("%1 on %2")
            .arg(m_model->table()->blocks[m_model->current()].name,
                 qstring(m_model->shape().deviceOfBlock[m_model->current()].value)));
    tellPaintedFocus(this);
  }
}

QRect LanesView::currentChip() const {
  const auto chip =
      m_model->ready() ? m_geometry.chain.chipOfBlock(m_model->current()) : std::nullopt;
  const int lane =
      chip ? m_model->laneOf(m_model->shape().deviceOfBlock[m_geometry.chain.chips[*chip].first])
           : -1;
  return lane < 0 ? QRect() : m_geometry.chipRect(*chip, lane).toAlignedRect();
}

QList<VirtualControl> LanesView::virtualControls() const {
  QList<VirtualControl> controls;
  if (!m_model->ready()) return controls;
  for (int lane = 0; lane < m_geometry.lanes.count; ++lane) {
    const QString device = qstring(m_model->deviceOfLane(lane).value);
    const PlanPredictionPtr prediction = m_model->dropPreview().shownPrediction();
    const PredictedDevice* figures =
        prediction ? prediction->device(m_model->deviceOfLane(lane)) : nullptr;
    controls.append(
        {u"lane."_s + device, u"lane"_s, device,
         figures != nullptr ? predictedPeakText(prediction->basis, figures->peakBytes) : QString(),
         m_geometry.contentRect(lane).toAlignedRect(), true});
    controls.append(
        {u"deviceMenu."_s + device, u"button"_s, device,
         figures != nullptr ? memoryText(m_model->figures().memoryOf(*figures)) : QString(),
         m_geometry.deviceMenuRect(lane).toAlignedRect(), true});
  }
  addChips(controls);
  for (std::size_t group = 0; group < m_geometry.chain.groups.size(); ++group) {
    const GroupPlace& place = m_geometry.chain.groups[group];
    controls.append({u"group."_s + place.group.name, u"group"_s, place.group.name,
                     place.open ? u"open"_s : u"closed"_s,
                     m_geometry.uncovered(m_geometry.groupRect(group)).toAlignedRect(), true});
  }
  return controls;
}

/// The chips of other replicas have the replica in their names.
void LanesView::addChips(QList<VirtualControl>& controls) const {
  const QString fixed = m_model->moves().whyFixed();
  for (std::size_t chip = 0; chip < m_geometry.chain.chips.size(); ++chip) {
    const ChipPlace& place = m_geometry.chain.chips[chip];
    QString name = u"chip."_s + place.name;
    int replica = 0;
    for (const int lane : lanesOfBlock(*m_model, m_model->shape(), place.first)) {
      const QString device = qstring(m_model->deviceOfLane(lane).value);
      controls.append({name, u"chip"_s, place.name, device,
                       m_geometry.uncovered(m_geometry.chipRect(chip, lane)).toAlignedRect(),
                       fixed.isEmpty() && !m_model->locks().locked(place.first),
                       m_model->selected(place.first, place.last) == Selected::All,
                       place.first <= m_model->current() && m_model->current() <= place.last});
      name = u"chip.%1.replica%2"_s.arg(place.name).arg(++replica);
    }
  }
}

}  // namespace stagelane::ui
