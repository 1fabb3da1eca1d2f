#include "ui/timeline/timeline_page.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <memory>
#include <utility>

#include "engine/trace/trace.h"
#include "profiler/analysis/idle.h"
#include "ui/frame/command_palette.h"
#include "ui/frame/run_banner.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/pictures/export_dialog.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/current_legend.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/legend_filter.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"
#include "ui/timeline/loading_card.h"
#include "ui/timeline/timeline_events.h"
#include "ui/timeline/timeline_find.h"
#include "ui/timeline/timeline_finder.h"
#include "ui/timeline/timeline_headline.h"
#include "ui/timeline/timeline_keys.h"
#include "ui/timeline/timeline_legend.h"
#include "ui/timeline/timeline_minimap.h"
#include "ui/timeline/timeline_panels.h"
#include "ui/timeline/timeline_selection.h"
#include "ui/timeline/timeline_skeleton.h"
#include "ui/timeline/timeline_toolbar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/trace_banner.h"
#include "ui/tracks/timeline_export.h"

namespace stagelane::ui {
namespace {

constexpr int kHintWidth = 260;  ///< width that the legend leaves for hints

}  // namespace

TimelinePage::TimelinePage(QWidget* parent) : Page(parent) { buildLayout(); }

TimelinePage::~TimelinePage() = default;

void TimelinePage::buildLayout() {
  m_view = new TimelineView(this);
  m_minimap = new TimelineMinimap(this);
  auto* upper = new QWidget(this);
  columnLayout(upper, kNoRoom, {m_minimap, {m_view, 1}});
  m_panels = new TimelinePanels(this);
  auto* splitter = new QSplitter(Qt::Vertical, this);
  setNames(splitter, u"timelineSplitter"_s, tr("Timeline and details"));
  splitter->addWidget(upper);
  splitter->addWidget(m_panels);
  splitter->setStretchFactor(0, 1);
  splitter->setSizes({600, 224});
  splitter->setChildrenCollapsible(false);
  m_stack = new QStackedWidget(this);
  m_stack->addWidget(splitter);
  m_stack->addWidget(buildEmptyState());
  m_stack->addWidget(buildLoadingState());
  columnLayout(this, kNoRoom, {{m_stack, 1}});
}

void TimelinePage::placeBars() {
  auto* layout = static_cast<QVBoxLayout*>(this->layout());
  layout->insertWidget(0, m_toolbar);
  layout->insertWidget(1, m_banner);
  layout->insertWidget(1, m_runBanner);
}

QWidget* TimelinePage::buildEmptyState() {
  auto* empty = new QWidget(this);
  auto* sentence = new QLabel(empty);
  setNames(sentence, u"noTimeline"_s, tr("Reason for the missing timeline"));
  m_emptyText = sentence;
  sentence->setAlignment(Qt::AlignCenter);
  auto* button = new QPushButton(tr("Open plan"), empty);
  setNames(button, u"openPlan"_s, tr("Open the Plan page"));
  columnLayout(empty, {}, {Stretch{1}, sentence, {button, 0, Qt::AlignCenter}, Stretch{1}});
  connect(button, &QPushButton::clicked, this, [this] {
    if (m_session != nullptr) m_session->pages().request(u"plan"_s);
  });
  return empty;
}

QWidget* TimelinePage::buildLoadingState() {
  m_skeleton = new TimelineSkeleton(this);
  m_loading = new LoadingCard(m_skeleton);
  columnLayout(m_skeleton, {}, {{m_loading, 0, Qt::AlignCenter}});
  connect(m_loading, &LoadingCard::stopWanted, this, &TimelinePage::stopWaiting);
  return m_skeleton;
}

QWidget* TimelinePage::statusWidget() {
  if (m_legend == nullptr) {
    m_legend = new TimelineLegend(this);
    m_legend->setFilter(m_session->legend().filter());
    m_legend->setColorBy(m_view->colorBy());
    m_legend->setRoom(width() - kHintWidth);
    connect(m_legend, &TimelineLegend::filterChanged, &m_session->legend(),
            [this] { m_session->legend().set(m_legend->filter()); });
    m_legend->setData(m_shown.data);
    applyTheme();
  }
  return m_legend;
}

QList<QAction*> TimelinePage::pageActions() const {
  return m_legend == nullptr ? m_actions : m_actions + m_legend->actions();
}

bool TimelinePage::busy() const {
  return m_stepJob.running() || (m_finder != nullptr && m_finder->busy()) || m_panels->busy() ||
         (m_session != nullptr && (m_session->loading().trace() || m_session->loading().run()));
}

void TimelinePage::setSession(Session* session) {
  m_session = session;
  m_toolbar = new TimelineToolbar(session, this);
  m_banner = new TraceBanner(session, this);
  m_runBanner = new RunBanner(session, this);
  m_finder = new TimelineFinder(session, &m_toolbar->find(), m_view);
  placeBars();
  connectToolbar();
  connectView();
  connectPanels();
  connectSession();
  buildActions();
  shareKeys();
  m_panels->placeFor(width());
  setFocusProxy(m_view);
  applyTheme();
  m_view->setFilter(session->legend().filter());
  m_banner->refresh();
  updatePoints();
  reload();
}

void TimelinePage::updatePoints() {
  const VariantTab* tab = m_session->document().tab(m_session->selection().tabId());
  const bool foreign = m_session->traceFile().opened() && m_session->traceFile().opened()->trace;
  const std::vector<SweepMember> points =
      tab == nullptr || foreign ? std::vector<SweepMember>{}
                                : sweepMembers(*tab, m_session->document().experiment().get());
  m_toolbar->setPoints(points, m_session->selection().variantId());
}

void TimelinePage::connectToolbar() {
  connect(m_toolbar, &TimelineToolbar::stepChosen, this, &TimelinePage::showStep);
  connect(m_toolbar, &TimelineToolbar::predictedToggled, m_view, &TimelineView::setShowPredicted);
  connect(m_toolbar, &TimelineToolbar::alignToggled, m_view,
          &TimelineView::setAlignAtFirstDifference);
  connect(m_toolbar, &TimelineToolbar::colorByChosen, this, [this](ColorBy colorBy) {
    m_view->setColorBy(colorBy);
    if (m_legend != nullptr) m_legend->setColorBy(colorBy);
  });
  connect(m_toolbar, &TimelineToolbar::gapWanted, m_view, &TimelineView::stepGap);
  connect(m_toolbar, &TimelineToolbar::measureToggled, m_view, &TimelineView::setMeasuring);
  connect(m_toolbar, &TimelineToolbar::fitWanted, m_view, &TimelineView::fit);
  connect(m_toolbar, &TimelineToolbar::exportWanted, this, &TimelinePage::exportTimeline);
  connect(m_view, &TimelineView::measuringChanged, m_toolbar, &TimelineToolbar::setMeasuring);
}

void TimelinePage::connectView() {
  connect(m_view, &TimelineView::axisChanged, this, [this] { m_minimap->setAxis(m_view->axis()); });
  connect(m_view, &TimelineView::hintChanged, &m_session->pages(), &PageRequests::showHint);
  connect(m_minimap, &TimelineMinimap::rangeWanted, m_view, &TimelineView::showRange);
  connect(m_minimap, &TimelineMinimap::stepWanted, this, &TimelinePage::showStep);
  connect(m_view, &TimelineView::selectionChanged, this,
          [this] { m_panels->showTarget(m_view->selection()); });
  connect(m_view, &TimelineView::areaChanged, this, &TimelinePage::showArea);
  connect(m_view, &TimelineView::markedCauseChanged, this, [this] {
    if (!m_view->markedCause()) m_panels->clearCause();
  });
  connect(m_banner, &TraceBanner::focusLost, m_view, qOverload<>(&QWidget::setFocus));
  connect(m_banner, &TraceBanner::stepWanted, this, &TimelinePage::showStep);
}

void TimelinePage::connectPanels() {
  const TimelineSelection* selection = &m_panels->selection();
  const TimelineEvents* events = &m_panels->events();
  connect(selection, &TimelineSelection::zoomWanted, m_view, &TimelineView::zoomToSelection);
  connect(selection, &TimelineSelection::culpritWanted, m_view, &TimelineView::reveal);
  connect(selection, &TimelineSelection::nameWanted, &m_toolbar->find(), &TimelineFind::setText);
  connect(events, &TimelineEvents::chosen, m_view, &TimelineView::reveal);
  connect(events, &TimelineEvents::zoomWanted, m_view, &TimelineView::zoomTo);
  connect(m_panels, &TimelinePanels::causeClicked, this, &TimelinePage::markCause);
}

void TimelinePage::connectSession() {
  connect(m_toolbar, &TimelineToolbar::pointChosen, &m_session->selection(),
          &VariantSelection::setVariant);
  connect(&m_session->selection(), &VariantSelection::changed, this, [this] {
    updatePoints();
    reload();
  });
  connect(&m_session->document(), &ExperimentDocument::changed, this, &TimelinePage::updatePoints);
  connect(&m_session->predictor(), &Predictor::changed, this, &TimelinePage::reload);
  connect(&m_session->traceFile(), &TraceFile::changed, this, [this] {
    m_banner->setRefused({}, {});
    updatePoints();
    reload();
  });
  connect(&m_session->loading(), &Loading::traceChanged, this, &TimelinePage::updateState);
  connect(&m_session->loading(), &Loading::runChanged, this, &TimelinePage::updateState);
  connect(&m_session->results(), &MeasuredResults::traceComingChanged, this,
          &TimelinePage::updateState);
  connect(&m_session->results(), &MeasuredResults::traceChanged, this,
          [this](const QString& variant) {
            if (variant == m_session->selection().variantId() && !studied()) reload();
          });
  connect(&m_session->runState(), &RunState::phaseChanged, this, [this] {
    if (m_session->runState().phase() == RunPhase::Idle) reload();
  });
  connect(&m_session->results(), &MeasuredResults::changed, this, [this] {
    // The end of a run determines which measurement is the last one.
    if (m_session->runState().phase() == RunPhase::Idle) reload();
    updateHeadline();
  });
  connect(m_session->currentTheme(), &CurrentTheme::changed, this, &TimelinePage::applyTheme);
  connect(&m_session->legend(), &CurrentLegend::changed, this, [this] {
    m_view->setFilter(m_session->legend().filter());
    if (m_legend != nullptr) m_legend->setFilter(m_session->legend().filter());
    showArea();
    m_finder->search();
  });
}

void TimelinePage::applyTheme() {
  if (m_session == nullptr) return;
  m_view->setTheme(m_session->currentTheme()->theme());
  m_minimap->setTheme(m_session->currentTheme()->theme());
  m_panels->setTheme(m_session->currentTheme()->theme());
  m_skeleton->setTheme(m_session->currentTheme()->theme());
  if (m_legend != nullptr) m_legend->setTheme(m_session->currentTheme()->theme());
  updateHeadline();
}

void TimelinePage::reload() {
  const ShownTrace shown = shownTraceOf(*m_session);
  const bool another = shown.subject != std::exchange(m_trace.subject, shown.subject);
  if (shown.trace && shown.trace == m_trace.trace && shown.beside == m_trace.beside &&
      shown.notes.failure == m_trace.notes.failure) {
    return;
  }
  if (shown.trace != m_trace.trace) m_shown.lanes = nullptr;
  const bool sameTrace = shown.trace == m_trace.trace && m_shown.data;
  m_trace = shown;
  showStep(sameTrace       ? m_shown.index
           : shown.growing ? StepSource::kLastStep
                           : StepSource::kMedianStep);
  // While another trace is prepared, the old one must not appear under its name.
  if (another && m_stepJob.running()) showPrepared({});
}

bool TimelinePage::studied() const {
  if (m_session->runState().phase() == RunPhase::Idle || !m_shown.data ||
      m_shown.data->trace().predicted()) {
    return false;
  }
  return m_view->selection().kind != TimelineTarget::Kind::None || m_view->area() ||
         m_view->axis().spanNs() < 0.999 * static_cast<double>(m_shown.data->rangeNs());
}

void TimelinePage::showStep(int index) {
  if (!m_trace.trace) {
    m_stepJob.cancel();
    showPrepared({});
    return;
  }
  StepSource source{m_trace.trace, m_trace.beside, m_shown.lanes,
                    m_trace.notes, index,          m_trace.foreign};
  if (isPreparedAtOnce(*m_trace.trace)) {
    m_stepJob.cancel();
    showPrepared(prepareStep(source));
    return;
  }
  m_stepJob.start([this, source = std::move(source)](const std::atomic<bool>&) {
    auto ready = std::make_shared<const PreparedStep>(prepareStep(source));
    return std::function<void()>([this, ready] { showPrepared(*ready); });
  });
  updateState();
}

void TimelinePage::showPrepared(const PreparedStep& prepared) {
  m_shown = prepared;
  const QString& failure = m_trace.notes.failure;
  m_banner->setStepWithOperators(prepared.withOperators);
  m_toolbar->setSteps(stepNames(prepared, !failure.isEmpty()), prepared.index);
  const TimelineDataPtr& step = prepared.data;
  m_toolbar->setAvailable({.timeline = step != nullptr,
                           .prediction = step && step->predicted() != nullptr,
                           .difference = step && step->firstDifferenceNs() != 0});
  m_finder->setStep(step);
  m_panels->setStep(step, prepared.events);
  m_view->setMarkedCause(std::nullopt);
  m_view->setData(step);
  m_minimap->setData(step, prepared.overview, failure);
  m_minimap->setAxis(m_view->axis());
  if (m_legend != nullptr) m_legend->setData(step);
  updateHeadline();
  updateState();
  m_finder->search();
}

void TimelinePage::updateHeadline() {
  if (m_session == nullptr || m_toolbar == nullptr) return;
  m_toolbar->setHeadline(headlineOf(m_shown.data.get(), m_shown.isMedian(), *m_session));
}

void TimelinePage::showArea() {
  if (m_view->area()) m_panels->showArea(*m_view->area(), m_session->legend().filter());
}

/// A second click, or a cause that is not a gap, clears the mark.
void TimelinePage::markCause(analysis::Cause cause) {
  const bool off = m_view->markedCause() == cause || analysis::isBusy(cause);
  m_view->setMarkedCause(off ? std::nullopt : std::optional(cause));
  if (off) m_panels->clearCause();
}

/// Stops reading and restores the previous view; after reading a trace file, the experiment.
void TimelinePage::stopWaiting() {
  if (m_session->loading().trace() || m_session->loading().run() ||
      isMeasurementComing(*m_session)) {
    m_session->loading().requestStopTrace();
    m_session->loading().requestStopRun();
  } else if (m_session->traceFile().opened()) {
    m_session->traceFile().show(nullptr);
  }
}

void TimelinePage::updateState() {
  // While a run or its trace is being opened, the prediction could be mistaken for a measurement.
  const auto& loading =
      m_session->loading().trace() ? m_session->loading().trace() : m_session->loading().run();
  const bool coming = isMeasurementComing(*m_session);
  const bool layingOut = m_stepJob.running() && !m_shown.data;
  if (loading) {
    m_loading->showReading(*loading);
  } else if (coming) {
    m_loading->showWork(tr("Reading the steps that were measured"));
  } else if (layingOut) {
    m_loading->showWork(tr("Preparing the step"));
  }
  if (!loading) m_loading->endReading();
  const OpenedTracePtr opened = m_session->traceFile().opened();
  m_emptyText->setText(opened && opened->trace
                           ? tr("No events in %1.").arg(opened->name)
                           : tr("No timeline yet: the plan cannot be predicted, and "
                                "nothing has been measured."));
  const bool waiting = loading || coming || layingOut;
  const bool canStop = waiting && (loading || coming || opened);
  m_loading->setCanStop(canStop);
  if (m_stopWaiting != nullptr) m_stopWaiting->setEnabled(canStop);
  const bool arrived = m_stack->currentIndex() == 2 && !waiting;
  m_stack->setCurrentIndex(waiting ? 2 : m_shown.data ? 0 : 1);
  if (arrived && isVisible()) m_view->setFocus();
  // Controls of the previous step are disabled.
  m_toolbar->setEnabled(!waiting);
  if (m_legend != nullptr) m_legend->setEnabled(!waiting);
  if (waiting) {
    m_banner->hide();
  } else {
    m_banner->refresh();
  }
  m_panels->showNote();
}

void TimelinePage::tellRefused(const QString& name, const QString& why) {
  m_banner->setRefused(name, why);
}

void TimelinePage::buildActions() {
  const auto add = [this](const QString& text, const QKeySequence& key, auto&& work) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, std::forward<decltype(work)>(work));
    addAction(action);
    m_actions.append(action);
    return action;
  };
  // Letter keys apply only while the view has the focus; elsewhere letters are typed.
  const auto addOfView = [&](const QString& text, const char* keys, auto&& work) {
    add(text, {}, std::forward<decltype(work)>(work))
        ->setProperty(kViewKeys, QString::fromUtf8(keys));
  };
  addOfView(tr("Fit the step"), "F", [this] { m_view->fit(); });
  addOfView(tr("Zoom in"), "W", [this] { m_view->zoomIn(); });
  addOfView(tr("Zoom out"), "S", [this] { m_view->zoomOut(); });
  addOfView(tr("Pan left"), "A", [this] { m_view->pan(-TimelineView::kPanStep); });
  addOfView(tr("Pan right"), "D", [this] { m_view->pan(TimelineView::kPanStep); });
  addOfView(tr("Next event of the track"), ".", [this] { m_view->stepEvent(1); });
  addOfView(tr("Previous event of the track"), ",", [this] { m_view->stepEvent(-1); });
  addOfView(tr("Fold or unfold the selected track"), "E", [this] { m_view->toggleFold(); });
  addOfView(tr("Next gap"), "]", [this] { m_view->stepGap(1); });
  addOfView(tr("Previous gap"), "[", [this] { m_view->stepGap(-1); });
  addOfView(tr("Undo zoom"), "Backspace", [this] { m_view->undoZoom(); });
  addOfView(tr("Zoom to the selection"), "Enter", [this] { m_view->zoomToSelection(); });
  addOfView(tr("Measure"), "M", [this] { m_view->setMeasuring(!m_view->measuring()); });
  addOfView(tr("Pin the selected track"), "P", [this] { m_view->togglePin(); });
  add(tr("Find an event"), QKeySequence(Qt::CTRL | Qt::Key_F),
      [this] { m_toolbar->find().focusField(); });
  add(tr("Next match"), QKeySequence(Qt::Key_F3), [this] { m_finder->stepMatch(1); });
  add(tr("Previous match"), QKeySequence(Qt::SHIFT | Qt::Key_F3),
      [this] { m_finder->stepMatch(-1); });
  add(tr("Export…"), QKeySequence(u"Ctrl+E"_s), [this] {
    exportTimeline();
  })->setObjectName(u"exportAction"_s);
  add(tr("Open a trace…"), {}, [this] { m_session->traceFile().requestOpen(); });
  m_stopWaiting =
      add(tr("Stop reading the trace"), QKeySequence(Qt::Key_Escape), [this] { stopWaiting(); });
  m_stopWaiting->setEnabled(false);
  m_actions += m_toolbar->choices() + m_panels->selection().actions();
}

/// Lane keys keep working while another control of the page has the focus.
void TimelinePage::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
  if (!plain || !m_shown.data || !takeTimelineKey(*m_view, *event)) Page::keyPressEvent(event);
}

void TimelinePage::shareKeys() {
  for (QComboBox* box : m_toolbar->findChildren<QComboBox*>()) box->installEventFilter(this);
  for (QTableView* table : findChildren<QTableView*>()) table->installEventFilter(this);
}

/// Combo boxes and tables search by letters; on this page letters are lane keys.
bool TimelinePage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && m_shown.data) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    const bool plain = (key.modifiers() & ~Qt::ShiftModifier) == 0;
    if (plain && key.text().size() == 1 && key.text().front().isPrint() &&
        takeTimelineKey(*m_view, key)) {
      return true;
    }
  }
  return Page::eventFilter(watched, event);
}

void TimelinePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  m_panels->placeFor(width());
  if (m_legend != nullptr) m_legend->setRoom(width() - kHintWidth);
}

void TimelinePage::exportTimeline() {
  if (!m_shown.data) return;
  const OpenedTracePtr opened = m_session->traceFile().opened();
  const QString name =
      opened ? opened->name.section(QChar(u'.'), 0, 0) : m_session->selection().variantId();
  Exportable what = exportableTimeline(
      m_shown.data, {m_view->axis(), m_view->rows(), m_session->legend().filter(),
                     m_view->colorBy(), m_view->predictedShiftNs(), m_view->selection()});
  what.title = tr("Timeline of %1").arg(name);
  what.fileStem = u"timeline-"_s + name;
  ExportDialog dialog(std::move(what), QDir::homePath(), this);
  if (dialog.exec() == QDialog::Accepted) {
    m_session->pages().showHint(tr("Wrote %1").arg(dialog.writtenPath()));
  }
}

}  // namespace stagelane::ui
