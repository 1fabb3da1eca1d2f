#include "ui/session/session.h"

#include "ui/kit/current_theme.h"
#include "ui/session/current_legend.h"
#include "ui/session/document/document.h"
#include "ui/session/document/file_change.h"
#include "ui/session/document/unsaved_work.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/machine.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/trace_file.h"

namespace stagelane::ui {

/// Connects in dependency order: slots are called in the order of connection, so results, selection
/// and prediction are up to date when pages hear of a change of the document.
struct Session::Parts {
  ExperimentDocument document;
  FileChange fileChange;
  UnsavedWorkOffer unsaved;
  MeasuredResults results{&document};
  VariantSelection selection{&document};
  Costs costs{&document};
  Calibration calibration;
  Predictor predictor{&document, &selection, &costs};
  Machine machine;
  RunState runState{&calibration};
  RunRequests runRequests;
  RunFolders runFolders;
  CurrentSweep sweep;
  TraceFile traceFile;
  Loading loading;
  CurrentTheme currentTheme;
  CurrentLegend legend;
  PageRequests pages;
};

Session::Session() : m_parts(std::make_unique<Parts>()) {
  QObject::connect(&results(), &MeasuredResults::started, &runState(), &RunState::forgetDismissal);
}

Session::~Session() = default;

ExperimentDocument& Session::document() const { return m_parts->document; }
FileChange& Session::fileChange() const { return m_parts->fileChange; }
UnsavedWorkOffer& Session::unsaved() const { return m_parts->unsaved; }
VariantSelection& Session::selection() const { return m_parts->selection; }
Costs& Session::costs() const { return m_parts->costs; }
Calibration& Session::calibration() const { return m_parts->calibration; }
Predictor& Session::predictor() const { return m_parts->predictor; }
Machine& Session::machine() const { return m_parts->machine; }
RunState& Session::runState() const { return m_parts->runState; }
RunRequests& Session::runRequests() const { return m_parts->runRequests; }
RunFolders& Session::runFolders() const { return m_parts->runFolders; }
MeasuredResults& Session::results() const { return m_parts->results; }
CurrentSweep& Session::sweep() const { return m_parts->sweep; }
TraceFile& Session::traceFile() const { return m_parts->traceFile; }
Loading& Session::loading() const { return m_parts->loading; }
CurrentTheme* Session::currentTheme() const { return &m_parts->currentTheme; }
CurrentLegend& Session::legend() const { return m_parts->legend; }
PageRequests& Session::pages() const { return m_parts->pages; }

}  // namespace stagelane::ui
