#include "ui/plan/lanes/plan_lanes.h"

#include <QEvent>
#include <QScrollBar>
#include <algorithm>
#include <utility>

#include "ui/kit/boxes.h"
#include "ui/kit/edge_scroller.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/lanes/chip_menu.h"
#include "ui/plan/lanes/cut_strip.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kAddDeviceLeft = 70;  ///< after the heading "Devices"

}  // namespace

PlanLanes::PlanLanes(PlanModel* plan, const QList<QAction*>& cutActions, QWidget* parent)
    : QWidget(parent),
      m_plan(plan),
      m_problems(new ProblemBar(plan, this)),
      m_area(new QScrollArea(this)),
      m_lanes(new LanesView(plan, this)) {
  auto* scrolled = new QWidget(this);
  auto* cuts = new CutStrip(plan, m_lanes, scrolled);
  cuts->addActions(cutActions);
  cuts->setContextMenuPolicy(Qt::ActionsContextMenu);
  columnLayout(scrolled, kNoRoom, {m_lanes, cuts, Stretch{1}});
  setNames(m_area, u"lanesArea"_s, tr("Device lanes"));
  m_area->setWidget(scrolled);
  m_area->setWidgetResizable(true);
  m_area->setFrameShape(QFrame::NoFrame);
  m_area->setFocusPolicy(Qt::NoFocus);
  columnLayout(this, kNoRoom, {m_problems, {m_area, 1}});
  m_devices = new DeviceBar(plan, m_lanes);
  connect(m_lanes, &LanesView::deviceMenuRequested, m_devices, &DeviceBar::showMenu);
  new ChipMenu(plan, m_lanes);
  m_lanes->addAction(m_problems->fixAction());
  m_lanes->addActions(m_devices->actions());
  connectScrolling();
  keepHeaders(0);
  scrolled->installEventFilter(this);
}

QList<QAction*> PlanLanes::actionsForPalette() const {
  return QList<QAction*>{m_problems->fixAction()} + m_devices->actionsForPalette();
}

void PlanLanes::connectScrolling() {
  auto* scroller = new EdgeScroller(m_area, measure::kLaneHeaderWidth);
  connect(m_lanes, &LanesView::dragMoved, scroller, &EdgeScroller::follow);
  connect(m_lanes, &LanesView::dragEnded, scroller, &EdgeScroller::stop);
  connect(scroller, &EdgeScroller::scrolled, m_lanes, &LanesView::refreshDrag);
  connect(m_area->horizontalScrollBar(), &QScrollBar::valueChanged, this, &PlanLanes::keepHeaders);
  connect(m_plan, &PlanModel::selectionChanged, this, [this] {
    if (!m_plan->selection().empty()) showCurrentChip();
  });
  // Queued until the lanes are laid out, because the target lane may be hidden in part.
  connect(&m_plan->moves(), &PlanMoves::moved, this, &PlanLanes::showCurrentChip,
          Qt::QueuedConnection);
  connect(m_plan, &PlanModel::planChanged, this, &PlanLanes::arrive);
  connect(m_area->horizontalScrollBar(), &QScrollBar::rangeChanged, this, &PlanLanes::showArrival);
  connect(&m_plan->session().document(), &ExperimentDocument::aboutToLoad, this,
          [this] { m_shownTab.clear(); });
}

/// Scrolls a newly shown tab to its current block, else to its first cut. The extent of the chips
/// is known only after the layout, so this position is kept until then or until the user scrolls.
void PlanLanes::arrive() {
  const QString tab = m_plan->session().selection().tabId();
  if (!m_plan->ready()) return;
  const bool another = tab != std::exchange(m_shownTab, tab);
  // An edit of the visible plan scrolls only to the blocks that it moved.
  m_arriving = another || (m_arriving && !isVisible());
  showArrival();
}

void PlanLanes::showArrival() {
  if (!m_arriving || !m_plan->ready()) return;
  if (m_plan->current() == 0) {
    showFirstBoundary();
  } else {
    showCurrentChip();
  }
  m_arriving = true;  // this was not a scroll by the user
}

void PlanLanes::showFirstBoundary() {
  const std::vector<bool>& begins = m_plan->shape().stageBegins;
  const auto boundary = std::find(begins.begin() + 1, begins.end(), true);
  if (boundary == begins.end()) return;
  QScrollBar* across = m_area->horizontalScrollBar();
  const int x = static_cast<int>(
      m_lanes->geometry().cutX(static_cast<std::size_t>(boundary - begins.begin())));
  const int left = across->value() + static_cast<int>(m_lanes->geometry().headerWidth());
  const int right = across->value() + m_area->viewport()->width();
  if (x <= left || x >= right) across->setValue(across->value() + x - (left + right) / 2);
}

void PlanLanes::keepHeaders(int scrolled) {
  m_arriving = false;
  m_lanes->setScrolled(scrolled);
  m_devices->setGeometry(scrolled + kAddDeviceLeft, 2,
                         measure::kLaneHeaderWidth - kAddDeviceLeft - 4,
                         measure::kToolButtonHeight);
}

/// Scrolls the current chip into view, beside the headers.
void PlanLanes::showCurrentChip() {
  const QRect chip = m_lanes->holding() ? QRect() : m_lanes->currentChip();
  if (chip.isEmpty()) return;
  const QPoint at = m_lanes->mapTo(m_area->widget(), chip.center());
  m_area->ensureVisible(at.x(), at.y(), chip.width(), chip.height());
  QScrollBar* across = m_area->horizontalScrollBar();
  const int behindHeader = chip.left() - static_cast<int>(m_lanes->geometry().contentLeft());
  across->setValue(std::min(across->value(), behindHeader));
}

int PlanLanes::wholeHeight() const {
  const int problems = m_problems->isHidden() ? 0 : m_problems->height();
  return problems + m_area->widget()->sizeHint().height();
}

bool PlanLanes::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) Q_EMIT wholeHeightChanged();
  return QWidget::event(event);
}

bool PlanLanes::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) Q_EMIT wholeHeightChanged();
  return QWidget::eventFilter(watched, event);
}

}  // namespace stagelane::ui
