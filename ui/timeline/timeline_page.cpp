#include "ui/timeline/timeline_page.h"

#include <QAction>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>

#include "engine/record/run_record.h"
#include "engine/trace/trace.h"
#include "profiler/analysis/idle.h"
#include "ui/frame/banner.h"
#include "ui/frame/run_banner.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/current_legend.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/legend_filter.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/prediction_error.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/median_text.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"
#include "ui/timeline/idle_cause_table.h"
#include "ui/timeline/timeline_events.h"
#include "ui/timeline/timeline_find.h"
#include "ui/timeline/timeline_legend.h"
#include "ui/timeline/timeline_minimap.h"
#include "ui/timeline/timeline_recorded.h"
#include "ui/timeline/timeline_selection.h"
#include "ui/timeline/timeline_skeleton.h"
#include "ui/timeline/timeline_toolbar.h"
#include "ui/timeline/timeline_view.h"

namespace stagelane::ui {
namespace {

/// Smaller traces are ready before a thread would have begun: so many events, so many devices.
constexpr std::size_t kPreparedAtOnce = 20'000, kDevicesAtOnce = 64;
constexpr int kSearchAtOnce = 20'000;
/// A prediction this close is a good one.
constexpr double kCloseDifference = 0.05;

/// The step that ended last.
int lastOf(const std::vector<trace::Step>& steps) {
  const auto last = std::max_element(
      steps.begin(), steps.end(),
      [](const trace::Step& a, const trace::Step& b) { return a.endNs < b.endNs; });
  return static_cast<int>(last - steps.begin());
}

QString stepText(const trace::Step& step, bool predicted, bool median) {
  if (predicted) return QStringLiteral("predicted step");
  QString text = QStringLiteral("repeat %1").arg(step.repeat + 1);
  if (step.step > 0) text += QStringLiteral(", step %1").arg(step.step + 1);
  if (step.extra) text += QStringLiteral(" (extra, not timed)");
  if (median) text += QStringLiteral(" (median)");
  return text;
}

bool isCalibrated(const PlanPredictionPtr& prediction) {
  return prediction && prediction->basis != predict::Basis::Estimate;
}

QString foretoldText(TimeNs stepNs, bool estimated) {
  return QStringLiteral("predicted ") + (estimated ? QStringLiteral("≈ ") : QString()) +
         timeText(stepNs);
}

}  // namespace

TimelinePage::TimelinePage(QWidget* parent) : Page(parent) { buildLayout(); }

TimelinePage::~TimelinePage() = default;

QWidget* TimelinePage::statusWidget() {
  if (m_legend == nullptr) {
    m_legend = new TimelineLegend(this);
    m_legend->setFilter(m_session->legend().filter());
    m_legend->setColorBy(m_view->colorBy());
    m_legend->setRoom(width() - kHintWidth);
    connect(m_legend, &TimelineLegend::filterChanged, &m_session->legend(),
            [this] { m_session->legend().set(m_legend->filter()); });
    m_legend->setData(m_data);
    applyTheme();
  }
  return m_legend;
}

QList<QAction*> TimelinePage::pageActions() const {
  return m_legend == nullptr ? m_actions : m_actions + m_legend->actions();
}

bool TimelinePage::busy() const {
  return m_stepJob.running() || m_searchJob.running() || m_areaJob.running() || m_events->busy() ||
         (m_session != nullptr && (m_session->loading().trace() || m_session->loading().run()));
}

void TimelinePage::setSession(Session* session) {
  m_session = session;
  m_toolbar = new TimelineToolbar(session, this);
  m_banner = new Banner(session->currentTheme(), QStringLiteral("traceBanner"), this);
  m_runBanner = new RunBanner(session, this);
  placeBars();
  connectToolbar();
  connectView();
  connectSession();
  buildActions();
  shareKeys();
  placePanels(true);
  setFocusProxy(m_view);
  applyTheme();
  m_view->setFilter(session->legend().filter());
  updateBanner();
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
  TimelineFind& find = m_toolbar->find();
  connect(&find, &TimelineFind::textChanged, this, &TimelinePage::searchFor);
  connect(&find, &TimelineFind::stepWanted, this, &TimelinePage::stepMatch);
  connect(&find, &TimelineFind::left, m_view, qOverload<>(&QWidget::setFocus));
  connect(m_view, &TimelineView::findRequested, &find, &TimelineFind::focusField);
  connect(m_view, &TimelineView::measuringChanged, m_toolbar, &TimelineToolbar::setMeasuring);
}

void TimelinePage::connectView() {
  connect(m_view, &TimelineView::axisChanged, this, [this] { m_minimap->setAxis(m_view->axis()); });
  connect(m_view, &TimelineView::hintChanged, &m_session->pages(), &PageRequests::showHint);
  connect(m_minimap, &TimelineMinimap::rangeWanted, m_view, &TimelineView::showRange);
  connect(m_minimap, &TimelineMinimap::stepWanted, this, &TimelinePage::showStep);
  connect(m_view, &TimelineView::selectionChanged, this, &TimelinePage::showSelection);
  connect(m_view, &TimelineView::areaChanged, this, &TimelinePage::showArea);
  connect(m_selection, &TimelineSelection::zoomWanted, m_view, &TimelineView::zoomToSelection);
  connect(m_selection, &TimelineSelection::culpritWanted, m_view, &TimelineView::reveal);
  connect(m_selection, &TimelineSelection::nameWanted, &m_toolbar->find(), &TimelineFind::setText);
  connect(m_events, &TimelineEvents::chosen, m_view, &TimelineView::reveal);
  connect(m_events, &TimelineEvents::zoomWanted, m_view, &TimelineView::zoomTo);
  connect(m_events, &TimelineEvents::noteChanged, this, &TimelinePage::updateEventsNote);
  connect(m_causes, &QTableView::clicked, this,
          [this](const QModelIndex& index) { markCause(index.row()); });
  connect(m_view, &TimelineView::markedCauseChanged, this, [this] {
    if (!m_view->markedCause()) m_causes->clearSelection();
  });
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
    m_refused.clear();
    updateBanner();
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
    // How a run ended decides which measurement is the last one.
    if (m_session->runState().phase() == RunPhase::Idle) reload();
    updateHeadline();
  });
  connect(m_session->currentTheme(), &CurrentTheme::changed, this, &TimelinePage::applyTheme);
  connect(&m_session->legend(), &CurrentLegend::changed, this, [this] {
    m_view->setFilter(m_session->legend().filter());
    if (m_legend != nullptr) m_legend->setFilter(m_session->legend().filter());
    if (m_view->area()) showArea();
    searchFor(m_toolbar->find().text());
  });
}

void TimelinePage::applyTheme() {
  if (m_session == nullptr) return;
  m_view->setTheme(m_session->currentTheme()->theme());
  m_minimap->setTheme(m_session->currentTheme()->theme());
  m_selection->setTheme(m_session->currentTheme()->theme());
  m_skeleton->setTheme(m_session->currentTheme()->theme());
  m_causeModel.setTheme(m_session->currentTheme()->theme());
  m_events->setTheme(m_session->currentTheme()->theme());
  if (m_legend != nullptr) m_legend->setTheme(m_session->currentTheme()->theme());
  updateHeadline();
  updateEventsNote();
}

TimelinePage::Prepared TimelinePage::prepare(const Source& source) {
  Prepared ready;
  if (source.trace->size() == 0 && source.trace->counters().empty()) return ready;
  ready.steps = analysis::stepsOf(*source.trace);
  ready.named = !source.trace->steps().empty();
  ready.wholeToo = source.foreign && ready.named;
  ready.median = ready.steps.empty() ? 0 : static_cast<int>(analysis::medianStep(ready.steps));
  const auto choices = static_cast<int>(ready.steps.size()) + (ready.wholeToo ? 1 : 0);
  ready.index =
      source.index < 0 ? ready.median : std::clamp(source.index, 0, std::max(0, choices - 1));
  const bool whole = static_cast<std::size_t>(ready.index) >= ready.steps.size();
  ready.lanes =
      source.lanes ? source.lanes : std::make_shared<const trace::LaneIndex>(source.trace);
  // A run that failed did so after the last step that was recorded, not in the others.
  TimelineNotes notes = source.notes;
  if (!whole && ready.index != lastOf(ready.steps)) notes.failure.clear();
  ready.data = std::make_shared<const TimelineData>(
      ready.lanes, whole ? TimelineData::kWholeTrace : static_cast<std::size_t>(ready.index),
      source.predicted, notes);
  ready.overview = overviewOf(*ready.data, ready.named ? ready.steps : std::vector<trace::Step>{},
                              static_cast<std::size_t>(ready.index));
  if (!whole) {
    ready.withOperators =
        stepWithOperators(*source.trace, ready.steps, static_cast<std::size_t>(ready.index));
  }
  ready.events = beginningOf(*ready.data, shownRange(*ready.data));
  return ready;
}

void TimelinePage::reload() {
  const OpenedTracePtr opened = m_session->traceFile().opened();
  const PlanPredictionPtr prediction = m_session->predictor().prediction();
  const trace::TracePtr predicted = prediction ? prediction->trace : nullptr;
  const bool foreign = opened && opened->trace;
  const QString subject = foreign ? opened->path : m_session->selection().variantId();
  const bool another = subject != std::exchange(m_subject, subject);
  const trace::TracePtr measured =
      foreign ? opened->trace : m_session->results().trace(m_session->selection().variantId());
  const trace::TracePtr shown = measured ? measured : predicted;
  const trace::TracePtr beside = measured && !foreign ? predicted : nullptr;
  const QString failure = notesOfTrace().failure;
  if (shown && shown == m_trace && beside == m_predictedBeside && failure == m_failure) return;
  m_failure = failure;
  if (shown != m_trace) m_lanes = nullptr;
  const bool sameTrace = shown == m_trace && m_data;
  m_trace = shown;
  m_predictedBeside = beside;
  const bool growing = measured && !foreign && m_session->runState().phase() != RunPhase::Idle;
  showStep(sameTrace ? m_shownStep : growing ? kLastStep : -1);
  // The timeline of another must not stand under this one's name while it is prepared.
  if (another && m_stepJob.running()) showPrepared({});
}

bool TimelinePage::studied() const {
  if (m_session->runState().phase() == RunPhase::Idle || !m_data || m_data->trace().predicted()) {
    return false;
  }
  return m_view->selection().kind != TimelineTarget::Kind::None || m_view->area() ||
         m_view->axis().spanNs() < 0.999 * static_cast<double>(m_data->rangeNs());
}

TimelineNotes TimelinePage::notesOfTrace() const {
  TimelineNotes notes;
  if (const OpenedTracePtr opened = m_session->traceFile().opened(); opened && opened->trace) {
    notes.lost = opened->lost;
    notes.lostReason = opened->problem;
    return notes;
  }
  // Without a measurement the prediction is shown, and nothing failed in that.
  const QString variant = m_session->selection().variantId();
  const record::VariantResult* result = m_session->results().of(variant);
  if (result != nullptr && result->status == record::RunStatus::Failed &&
      m_session->results().trace(variant) != nullptr) {
    notes.failure = QStringLiteral("after this: ") + qstring(result->reason);
  }
  return notes;
}

void TimelinePage::showStep(int index) {
  if (!m_trace) {
    m_stepJob.cancel();
    showPrepared({});
    return;
  }
  const OpenedTracePtr opened = m_session->traceFile().opened();
  const bool foreign = opened && opened->trace == m_trace;
  Source source{m_trace, m_predictedBeside, m_lanes, notesOfTrace(), index, foreign};
  if (m_trace->size() <= kPreparedAtOnce && m_trace->devices().size() <= kDevicesAtOnce) {
    m_stepJob.cancel();
    showPrepared(prepare(source));
    return;
  }
  m_stepJob.start([this, source = std::move(source)](const std::atomic<bool>&) {
    auto ready = std::make_shared<const Prepared>(prepare(source));
    return std::function<void()>([this, ready] { showPrepared(*ready); });
  });
  updateState();
}

void TimelinePage::showPrepared(const Prepared& prepared) {
  m_data = prepared.data;
  m_shownStep = prepared.index;
  m_shownIsMedian = prepared.named && prepared.index == prepared.median;
  m_lanes = prepared.lanes;
  m_withOperators = prepared.withOperators;
  updateBanner();
  QStringList steps;
  for (std::size_t i = 0; i < prepared.steps.size(); ++i) {
    const bool median = static_cast<int>(i) == prepared.median && prepared.steps.size() > 1;
    if (!prepared.named) continue;
    steps << stepText(prepared.steps[i], m_trace->predicted(), median);
    if (!m_failure.isEmpty() && static_cast<int>(i) == lastOf(prepared.steps)) {
      steps.back() += QStringLiteral(" (last before the failure)");
    }
  }
  if (m_data && (!prepared.named || prepared.wholeToo)) steps << QStringLiteral("whole trace");
  m_toolbar->setSteps(steps, prepared.index);
  m_toolbar->setAvailable({.timeline = m_data != nullptr,
                           .prediction = m_data && m_data->predicted() != nullptr,
                           .difference = m_data && m_data->firstDifferenceNs() != 0});
  m_searchJob.cancel();
  m_areaJob.cancel();
  m_found = nullptr;
  m_view->setMarkedCause(std::nullopt);
  m_view->setData(m_data);
  m_minimap->setData(m_data, prepared.overview, m_failure);
  m_minimap->setAxis(m_view->axis());
  m_causeModel.setTimeline(m_data);
  m_events->setStep(m_data, prepared.events);
  if (m_legend != nullptr) m_legend->setData(m_data);
  updateHeadline();
  updateState();
  searchFor(m_toolbar->find().text());
}

/// Of the step, and whether that was an estimate: what the run was predicted to take, as Runs,
/// Charts and the Report tell it; of a trace without a run the plan's prediction today.
/// @pre there is a predicted step
std::pair<TimeNs, bool> TimelinePage::foretold() const {
  const record::VariantResult* result =
      m_session->traceFile().opened() == nullptr
          ? m_session->results().of(m_session->selection().variantId())
          : nullptr;
  if (result != nullptr && result->predicted && result->predicted->stepNs > 0) {
    return {result->predicted->stepNs,
            result->predicted->basis == predict::word(predict::Basis::Estimate)};
  }
  return {m_data->predictedStep()->wallNs(), !isCalibrated(m_session->predictor().prediction())};
}

void TimelinePage::updateHeadline() {
  if (m_session == nullptr || m_toolbar == nullptr) return;
  if (!m_data) {
    m_toolbar->setHeadline({});
    return;
  }
  const TimeNs measuredNs = m_data->step().wallNs();
  const QString wall = timeText(measuredNs);
  if (m_data->trace().predicted()) {
    const QString text =
        foretoldText(measuredNs, !isCalibrated(m_session->predictor().prediction()));
    m_toolbar->setHeadline({text, text, QStringLiteral("Predicted"), {}, Tone::Accent});
    return;
  }
  const QString measured = QStringLiteral("measured %1").arg(wall);
  const QString middle = m_shownIsMedian ? shownForMedianText(m_data->trace()) : QString();
  const QString inFull =
      middle.isEmpty() ? measured : QStringLiteral("%1, %2").arg(measured, middle);
  if (m_data->predictedStep() == nullptr) {
    const bool own = m_session->traceFile().opened() == nullptr;
    m_toolbar->setHeadline(
        {inFull, measured, own ? QStringLiteral("Measured") : QString(), {}, Tone::Success});
    return;
  }
  const auto [predictedNs, estimated] = foretold();
  const double error = predictionError(predictedNs, measuredNs).value_or(0.0);
  m_toolbar->setHeadline({foretoldText(predictedNs, estimated) + QStringLiteral("   ") + inFull,
                          measured,
                          QStringLiteral("prediction %1").arg(percentDifferenceText(error)),
                          predictionErrorTip(QStringLiteral("The step")),
                          std::abs(error) <= kCloseDifference ? Tone::Success : Tone::Warning});
}

void TimelinePage::showSelection() {
  m_areaJob.cancel();
  const TimelineTarget target = m_view->selection();
  m_selection->showTarget(m_data.get(), target);
  m_events->showTarget(target);
}

void TimelinePage::showArea() {
  if (!m_data || !m_view->area()) return;
  analysis::Area area;
  area.fromNs = m_data->startNs() + static_cast<TimeNs>(std::llround(m_view->area()->fromNs));
  area.toNs = m_data->startNs() + static_cast<TimeNs>(std::llround(m_view->area()->toNs));
  area.tracks = m_view->area()->tracks;
  for (const trace::Category hidden : m_session->legend().filter().hiddenCategories) {
    area.shown = static_cast<trace::CategoryMask>(area.shown & ~trace::maskOf(hidden));
  }
  m_selection->showCounting();
  m_areaJob.start([this, area, data = m_data](const std::atomic<bool>& canceled) {
    auto statistics = std::make_shared<const analysis::AreaStatistics>(
        analysis::areaStatistics(data->trace(), area, &canceled));
    // No tracks would mean all of them.
    const EventListPtr events = area.tracks.empty()
                                    ? std::make_shared<const EventList>()
                                    : beginningOf(*data, {area.fromNs, area.toNs, area.tracks});
    return std::function<void()>([this, data, statistics, events] {
      m_selection->showArea(*statistics, data->startNs());
      m_events->setArea(events);
    });
  });
}

void TimelinePage::searchFor(const QString& text) {
  TimelineFind& find = m_toolbar->find();
  const auto take = [this](const SearchResultPtr& found) {
    m_found = found && !found->text.isEmpty() ? found : nullptr;
    m_view->setFound(m_found);
    m_toolbar->find().showCount(m_found ? m_found->events.size() : 0, -1,
                                m_found ? m_found->hidden : 0);
    if (m_found && !m_found->problem.isEmpty()) m_toolbar->find().showProblem(m_found->problem);
  };
  if (!m_data || text.trimmed().isEmpty()) {
    m_searchJob.cancel();
    take(nullptr);
    return;
  }
  const LegendFilter filter = m_session->legend().filter();
  if (m_data->trace().size() <= kSearchAtOnce) {
    take(std::make_shared<const SearchResult>(findEvents(*m_data, text, filter)));
    return;
  }
  find.showCount(0, -1);
  m_searchJob.start([data = m_data, text, filter, take](const std::atomic<bool>&) {
    auto found = std::make_shared<const SearchResult>(findEvents(*data, text, filter));
    return std::function<void()>([found, take] { take(found); });
  });
}

void TimelinePage::stepMatch(int direction) {
  if (!m_data || !m_found) return;
  SearchFrom from{.event = -1, .timeNs = m_view->axis().firstNs()};
  if (m_view->selection().kind == TimelineTarget::Kind::Event) {
    from.event = static_cast<std::int64_t>(m_view->selection().event);
  }
  const std::int64_t place = nextMatch(*m_data, *m_found, from, direction);
  if (place < 0) return;
  const std::size_t event = m_found->byStart[static_cast<std::size_t>(place)];
  m_view->reveal({.kind = TimelineTarget::Kind::Event,
                  .event = event,
                  .device = m_data->deviceOfEvent(event)});
  m_toolbar->find().showCount(m_found->events.size(), place, m_found->hidden);
}

void TimelinePage::markCause(int row) {
  const analysis::Cause cause = m_causeModel.causeOf(row);
  const bool off = m_view->markedCause() == cause || analysis::isBusy(cause);
  m_view->setMarkedCause(off ? std::nullopt : std::optional(cause));
  if (off) m_causes->clearSelection();
}

/// The keys of the lanes go on working when something else of the page was used last.
void TimelinePage::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
  if (!plain || !m_data || !m_view->takeKey(*event)) Page::keyPressEvent(event);
}

void TimelinePage::shareKeys() {
  for (QComboBox* box : m_toolbar->findChildren<QComboBox*>()) box->installEventFilter(this);
  for (QTableView* table : findChildren<QTableView*>()) table->installEventFilter(this);
}

/// Combo boxes and tables take letters for a search in themselves: here letters are the lanes'.
bool TimelinePage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && m_data) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    const bool plain = (key.modifiers() & ~Qt::ShiftModifier) == 0;
    if (plain && key.text().size() == 1 && key.text().front().isPrint() && m_view->takeKey(key)) {
      return true;
    }
  }
  return Page::eventFilter(watched, event);
}

}  // namespace stagelane::ui
