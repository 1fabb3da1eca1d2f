#include "ui/session/session.h"

#include <algorithm>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

namespace {

/// The place of the only variant that differs or has come; nothing where more differ.
std::optional<std::size_t> onlyChange(const Json& before, const Json& now) {
  if (!before.contains("variants") || !now.contains("variants")) {
    return std::nullopt;
  }
  const Json& then = before["variants"];
  const Json& here = now["variants"];
  const std::size_t came = here.size() - std::min(then.size(), here.size());
  if (came > 1 || then.size() > here.size()) {
    return std::nullopt;
  }
  const auto [old, first] = std::mismatch(then.begin(), then.end(), here.begin());
  if (first == here.end()) {
    return std::nullopt;
  }
  const bool rest = std::equal(came == 1 ? old : std::next(old), then.end(), std::next(first));
  return rest ? std::optional(static_cast<std::size_t>(first - here.begin())) : std::nullopt;
}

/// What an undo takes back, or a redo does again, also where it was done in another tab.
void showChange(Session& session, const Json& before, const Json& now) {
  const auto& tabs = session.document().tabs();
  const auto changed = onlyChange(before, now);
  if (changed && *changed < tabs.size()) {
    session.setCurrentTab(QString(tabs[*changed].id));
  }
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent) {
  connect(&m_theme, &CurrentTheme::changed, this, &Session::themeChanged);
  connect(&m_document, &ExperimentDocument::aboutToLoad, this, [this] {
    m_earlier.clear();
    m_resultIsForeign = true;
  });
  connect(&m_document, &ExperimentDocument::changed, this, &Session::onDocumentChanged);
  connect(&m_document, &ExperimentDocument::locksChanged, this,
          [this](const QString& tabId) { setCurrentTab(tabId); });
  connect(&m_calibration, &Calibration::changed, this, &Session::refreshMeasuring);
  connect(&m_document.undoStack(), &QUndoStack::indexChanged, this,
          [this, last = 0, undone = static_cast<const QUndoCommand*>(nullptr),
           before = m_document.snapshot()](int index) mutable {
            const QUndoStack& stack = m_document.undoStack();
            const auto now = m_document.snapshot();
            const bool redone = index > last && undone != nullptr && stack.command(last) == undone;
            if (index < last || redone) {
              showChange(*this, *before, *now);
            }
            last = index;
            undone = stack.command(index);
            before = now;
          });
}

Session::~Session() { m_document.disconnect(this); }

std::shared_ptr<const plan::Experiment> Session::experiment() const {
  return m_document.experiment();
}

const plan::Variant* Session::currentVariant() const {
  const auto experiment = m_document.experiment();
  return experiment ? experiment->variantById(utf8(m_variantId)) : nullptr;
}

void Session::setCurrentVariant(const QString& variantId) {
  const VariantTab* tab = m_document.tabOfVariant(variantId);
  if (tab == nullptr || (variantId == m_variantId && tab->id == m_tabId)) {
    return;
  }
  m_tabId = tab->id;
  m_tabPlace = tab->index;
  m_variantId = variantId;
  Q_EMIT currentVariantChanged();
}

void Session::setCurrentTab(const QString& tabId) {
  const VariantTab* tab = m_document.tab(tabId);
  if (tab == nullptr) {
    return;
  }
  const bool stays = tab->variantIds.contains(m_variantId);
  setCurrentVariant(stays                       ? m_variantId
                    : tab->variantIds.isEmpty() ? tab->id
                                                : tab->variantIds.first());
}

void Session::onDocumentChanged() {
  if (m_documentOfRun && m_document.json() == *m_documentOfRun) {
    m_document.mark();
  }
  m_predictionStale = m_prediction != nullptr;
  selectFallback();
  Q_EMIT documentChanged();
}

void Session::selectFallback() {
  const VariantTab* tab = m_document.tab(m_tabId);
  const auto& tabs = m_document.tabs();
  if (tab == nullptr && !tabs.empty()) {
    // A renamed tab is where it was; of one that went, the neighbour is shown.
    const bool renamed = tabs.size() == m_tabCount;
    const std::size_t place = renamed || m_tabPlace == 0 ? m_tabPlace : m_tabPlace - 1;
    tab = &tabs[std::min(place, tabs.size() - 1)];
  }
  m_tabCount = tabs.size();
  m_tabPlace = tab == nullptr ? 0 : tab->index;
  const QString tabId = tab == nullptr ? QString() : tab->id;
  QString variantId = m_variantId;
  if (tab == nullptr) {
    variantId.clear();
  } else if (tab->variantIds.isEmpty()) {
    variantId = tab->id;
  } else if (!tab->variantIds.contains(variantId)) {
    variantId = tab->variantIds.first();
  }
  if (tabId != m_tabId || variantId != m_variantId) {
    m_tabId = tabId;
    m_variantId = variantId;
    Q_EMIT currentVariantChanged();
  }
}

void Session::setCosts(CostTablePtr costs, CostFacts facts) {
  if (costs == m_costs && facts == m_costFacts) {
    return;
  }
  m_costs = std::move(costs);
  m_costFacts = std::move(facts);
  m_document.setCosts(m_costs);
  Q_EMIT costsChanged();
}

void Session::setMachineDevices(std::vector<MachineDevice> devices) {
  m_machine = std::move(devices);
  Q_EMIT machineDevicesChanged();
}

void Session::setPeakHistory(const workspace::PeakHistory& history) {
  if (history != m_peakHistory) {
    m_peakHistory = history;
    Q_EMIT peakHistoryChanged();
  }
}

void Session::setPrediction(PlanPredictionPtr prediction, std::optional<Error> error) {
  m_prediction = std::move(prediction);
  m_predictionError = std::move(error);
  m_predictionStale = false;
  Q_EMIT predictionChanged();
}

void Session::setPredictionStale() {
  if (!m_predictionStale) {
    m_predictionStale = true;
    Q_EMIT predictionChanged();
  }
}

const record::VariantResult* Session::lastResultOf(const QString& variantId) const {
  if (!m_result) {
    return nullptr;
  }
  const std::string id = utf8(variantId);
  const auto found =
      std::find_if(m_result->variants.begin(), m_result->variants.end(),
                   [&](const record::VariantResult& variant) { return variant.id == id; });
  return found == m_result->variants.end() ? nullptr : &*found;
}

const record::VariantResult* Session::resultOf(const QString& variantId) const {
  const record::VariantResult* last = lastResultOf(variantId);
  const EarlierResult* earlier = m_earlier.insteadOf(last, variantId);
  return earlier != nullptr ? earlier->variant : last;
}

trace::TracePtr Session::measuredTrace(const QString& variantId) const {
  const EarlierResult* earlier = m_earlier.insteadOf(lastResultOf(variantId), variantId);
  return earlier != nullptr ? earlier->trace : m_traces.value(variantId);
}

std::shared_ptr<const Json> Session::documentOf(const QString& variantId) const {
  const EarlierResult* earlier = m_earlier.insteadOf(lastResultOf(variantId), variantId);
  return earlier != nullptr ? earlier->document : m_documentOfRun;
}

int Session::editsSinceRun() const {
  if (!m_documentOfRun || m_document.json() == *m_documentOfRun) {
    return 0;
  }
  return std::max(1, m_document.editsSinceMark());
}

void Session::setReportFolders(std::vector<std::filesystem::path> folders) {
  if (folders == m_reportFolders) return;
  m_reportFolders = std::move(folders);
  Q_EMIT reportFoldersChanged();
}

void Session::startResult(const std::filesystem::path& folder,
                          std::shared_ptr<const Json> document) {
  setReportFolders({});
  if (document && !m_resultIsForeign) {
    m_earlier.keep(m_result, m_documentOfRun, m_traces);
  } else if (!document) {
    m_earlier.clear();
  }
  m_resultIsForeign = false;
  m_runFolder = folder;
  m_documentOfRun = std::move(document);
  m_document.mark();
  m_result.reset();
  m_traces.clear();
  m_tracesComing.clear();
  m_runEndDismissed = false;
  Q_EMIT resultChanged();
}

void Session::setResult(RunResultPtr result) {
  m_result = std::move(result);
  Q_EMIT resultChanged();
}

void Session::setMeasuredTrace(const QString& variantId, trace::TracePtr trace) {
  m_traces.insert(variantId, std::move(trace));
  Q_EMIT traceChanged(variantId);
}

void Session::setOpenedTrace(OpenedTracePtr trace) {
  if (trace == m_openedTrace) {
    return;
  }
  m_openedTrace = std::move(trace);
  Q_EMIT openedTraceChanged();
}

void Session::setTraceLoading(std::optional<TraceLoading> loading) {
  if (!loading && !m_traceLoading) {
    return;
  }
  m_traceLoading = std::move(loading);
  Q_EMIT traceLoadingChanged();
}

void Session::setRunLoading(std::optional<TraceLoading> loading) {
  if (loading || m_runLoading) {
    m_runLoading = std::move(loading);
    Q_EMIT runLoadingChanged();
  }
}

bool Session::traceComing(const QString& variantId) const {
  return m_tracesComing.contains(variantId);
}

void Session::setTraceComing(const QString& variantId, bool coming) {
  if (coming == m_tracesComing.contains(variantId)) {
    return;
  }
  if (coming) {
    m_tracesComing.insert(variantId);
  } else {
    m_tracesComing.remove(variantId);
  }
  Q_EMIT traceComingChanged(variantId);
}

void Session::setLegendFilter(const LegendFilter& filter) {
  if (filter != m_legendFilter) {
    m_legendFilter = filter;
    Q_EMIT legendFilterChanged();
  }
}

void Session::setRunPhase(RunPhase phase) {
  if (phase != m_phase) {
    m_phase = phase;
    // A run that goes on in its folder may end otherwise: that is told anew.
    m_runEndDismissed = m_runEndDismissed && phase == RunPhase::Idle;
    Q_EMIT runPhaseChanged();
    refreshMeasuring();
  }
}

void Session::refreshMeasuring() {
  const bool measuring = m_phase != RunPhase::Idle || m_calibration.running();
  if (measuring != std::exchange(m_measuring, measuring)) {
    Q_EMIT measuringChanged();
  }
}

void Session::setProgress(const RunProgress& progress) {
  m_progress = progress;
  Q_EMIT progressChanged();
}

void Session::setUnsavedWork(std::optional<UnsavedWork> work) {
  m_unsavedWork = std::move(work);
  Q_EMIT unsavedWorkChanged();
}

void Session::setEngineProblem(const QString& problem) {
  if (problem != m_engineProblem) {
    m_engineProblem = problem;
    Q_EMIT engineProblemChanged();
  }
}

void Session::setRunProblem(const QString& problem) {
  if (problem != m_runProblem) {
    m_runProblem = problem;
    Q_EMIT runProblemChanged();
  }
}

void Session::dismissRunEnd() {
  if (!std::exchange(m_runEndDismissed, true)) {
    Q_EMIT runEndDismissedChanged();
  }
}

}  // namespace stagelane::ui
