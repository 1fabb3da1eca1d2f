#include "ui/plan/plan_model/plan_model.h"

#include <QSet>
#include <algorithm>
#include <utility>

#include "engine/base/find.h"
#include "engine/plan/rows.h"
#include "engine/plan/stage_layout.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/chip_groups.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/cut_costs.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/plan/plan_model/shown_problems.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

bool sameBlocks(const BlockTable& one, const BlockTable& other) {
  return std::equal(one.blocks.begin(), one.blocks.end(), other.blocks.begin(), other.blocks.end(),
                    [](const auto& a, const auto& b) { return a.name == b.name; });
}

}  // namespace

PlanModel::PlanModel(Session* session, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_deviceEdits(session),
      m_kinds(&m_suggestions),
      m_dropPreview(std::make_unique<DropPreview>(this)),
      m_chips(std::make_unique<ChipGroups>(this)),
      m_cuts(std::make_unique<CutCosts>(this)),
      m_locks(std::make_unique<ChipLocks>(this)),
      m_moves(std::make_unique<PlanMoves>(this)),
      m_figures(std::make_unique<PlanFigures>(this)),
      m_shownProblems(std::make_unique<ShownProblems>(this)) {
  connect(&m_deviceEdits, &PlanDevices::refused, this, &PlanModel::refused);
  const ExperimentDocument* document = &session->document();
  connect(document, &ExperimentDocument::changed, this, &PlanModel::refresh);
  connect(&session->selection(), &VariantSelection::changed, this, &PlanModel::onVariantChanged);
  connect(&session->costs(), &Costs::changed, this, &PlanModel::refresh);
  connect(&session->predictor(), &Predictor::changed, this, &PlanModel::onPredictionChanged);
  connect(&session->runState(), &RunState::measuringChanged, this, &PlanModel::startSuggestions);
  connect(document, &ExperimentDocument::locksChanged, this, &PlanModel::planChanged);
  connect(document, &ExperimentDocument::refused, this, &PlanModel::refused);
  connect(document, &ExperimentDocument::aboutToLoad, this, &PlanModel::forget);
  refresh();
}

PlanModel::~PlanModel() = default;

bool PlanModel::busy() const {
  return m_session->predictor().busy() || m_dropPreview->busy() || m_cuts->busy() ||
         m_suggestions.running() || m_kinds.running();
}

int PlanModel::laneOf(const DeviceId& device) const {
  const auto found = std::find(lanes().begin(), lanes().end(), device);
  return found == lanes().end() ? -1 : static_cast<int>(found - lanes().begin());
}

std::optional<DeviceId> PlanModel::currentDevice() const {
  return current() < m_shape.deviceOfBlock.size()
             ? std::optional<DeviceId>(m_shape.deviceOfBlock[current()])
             : std::nullopt;
}

PlanIdentity PlanModel::identity() const {
  PlanIdentity identity{m_shownTab, {}, lanes(), m_shape};
  if (m_table) {
    for (const BlockFigures& block : m_table->blocks) identity.blocks.push_back(block.name);
  }
  return identity;
}

void PlanModel::select(std::size_t first, std::size_t last) {
  m_selection.select(first, last);
  Q_EMIT selectionChanged();
}

void PlanModel::extendTo(std::size_t first, std::size_t last) {
  m_selection.extendTo(first, last);
  Q_EMIT selectionChanged();
}

void PlanModel::toggle(std::size_t first, std::size_t last) {
  m_selection.toggle(first, last);
  Q_EMIT selectionChanged();
}

void PlanModel::clearSelection() {
  m_selection.clear();
  Q_EMIT selectionChanged();
}

void PlanModel::step(int step, bool extend, const ChainLayout& layout) {
  if (m_selection.step(step, extend, layout)) Q_EMIT selectionChanged();
}

std::size_t PlanModel::tabIndex() const {
  const VariantTab* tab = m_session->document().tab(m_session->selection().tabId());
  return tab == nullptr ? 0 : tab->index;
}

void PlanModel::forget() {
  m_dropPreview->forget();
  m_cuts->clear();
  m_suggestions.clear();
  m_selection = {};
  m_lastShape.clear();
  m_chips->forget();
  m_shownTab.clear();
  Q_EMIT selectionChanged();
}

void PlanModel::onVariantChanged() {
  m_selection.clear();
  m_cuts->clear();
  refresh();
  Q_EMIT selectionChanged();
}

PlanModel::Source PlanModel::source() const {
  const ExperimentDocument& document = m_session->document();
  return {document.experiment(), document.lastReadable(), m_session->costs().table(),
          m_session->selection().tabId(), m_session->selection().variantId()};
}

void PlanModel::onPredictionChanged() {
  // After an edit the predictor is notified first, while the blocks here are still the old ones.
  m_predictionWaits = m_source != source();
  if (!m_predictionWaits) {
    m_shownProblems->refresh();
    Q_EMIT predictionChanged();
  }
}

void PlanModel::refresh() {
  m_dropPreview->forget();
  m_source = source();
  followDocument();
  m_shownProblems->refresh();
  if (std::exchange(m_predictionWaits, false)) Q_EMIT predictionChanged();
  Q_EMIT planChanged();
}

void PlanModel::followDocument() {
  const auto experiment = m_session->document().lastReadable();
  if (!experiment) {
    m_selection.clear();  // block indices of the old table
    m_table.reset();
    m_tableKey.clear();
    m_shape = {};
    m_devices.clear();
    refreshLanes();
    m_chips->set({});
    return;
  }
  const QSet<QString> open = m_chips->open();
  m_devices.clear();
  for (const plan::DeviceSpec& device : experiment->devices) m_devices.push_back(device.id);
  refreshLanes();
  refreshTable(*experiment);
  if (!m_table) {
    m_selection.clear();
    return;
  }
  const QString tab = m_session->selection().tabId();
  refreshShape(*experiment);
  if (tab == std::exchange(m_shownTab, tab)) m_chips->keepOpen(open);
  m_selection.keepWithin(m_shape.deviceOfBlock.size());
  m_cuts->followPlan();
  startSuggestions();
  m_figures->followPlan();
}

void PlanModel::refreshTable(const plan::Experiment& experiment) {
  const plan::Variant* variant = m_session->selection().variant();
  std::int64_t size = m_table ? m_table->microBatch : experiment.data.batchSize;
  if (variant != nullptr) {
    size = std::min(experiment.data.batchSize,
                    variant->splitSize > 0 ? variant->splitSize : experiment.data.batchSize);
  }
  const CostTablePtr costs = m_session->costs().table();
  std::string key = blockTableKey(experiment, size);
  if (m_table && key == m_tableKey && costs == m_tableCosts) return;
  auto table = makeBlockTable(experiment, size, costs.get());
  if (!table) {
    m_table.reset();
    return;
  }
  if (m_table && !sameBlocks(*m_table, **table)) {
    // What is shown until the next result refers to blocks that no longer exist.
    m_cuts->clear();
    m_suggestions.clear();
    m_selection = {};
  }
  m_table = *table;
  m_tableKey = std::move(key);
  m_tableCosts = costs;
  m_chips->set(groupsOf(*m_table->model));
}

void PlanModel::refreshShape(const plan::Experiment& experiment) {
  const std::size_t count = m_table->blocks.size();
  const plan::Variant* variant = m_session->selection().variant();
  PlanShape& last = m_lastShape[m_session->selection().tabId()];
  if (variant != nullptr && !variant->stages.empty()) {
    last = shapeOf(variant->stages, count);
  } else if (last.deviceOfBlock.size() != count ||
             std::any_of(last.deviceOfBlock.begin(), last.deviceOfBlock.end(),
                         [this](const DeviceId& device) { return !contains(m_devices, device); })) {
    std::vector<DeviceId> devices = m_devices;
    if (devices.empty()) {
      devices.push_back(experiment.variants.empty() || experiment.variants.front().stages.empty()
                            ? DeviceId{"cpu:0"}
                            : experiment.variants.front().stages.front().group.first());
    }
    std::vector<double> weights;
    for (const BlockFigures& block : m_table->blocks) {
      weights.push_back(static_cast<double>(block.timeNs()));
    }
    last = evenlyCut(weights, devices);
  }
  m_shape = last;
  refreshLanes();
}

void PlanModel::refreshLanes() { m_lanes = ReplicaLanes(m_shape.groups, m_devices); }

PlanShape PlanModel::withGroups(PlanShape shape) const {
  const plan::Variant* variant = m_session->selection().variant();
  const auto experiment = m_session->document().experiment();
  // Stages that list their devices have fixed groups.
  if (variant == nullptr || !experiment || variant->groups.empty()) return shape;
  const auto replicas = static_cast<int>(variant->groups.front().size());
  shape.groups =
      plan::replicaGroups(experiment->devices, plan::rowsOf(ui::stagesOf(shape)), replicas);
  return shape;
}

PlanShape PlanModel::shapeAfter(const BlockSet& blocks, const DeviceId& device) const {
  return withGroups(moved(m_shape, blocks, firstReplicaOf(m_shape, device)));
}

std::optional<plan::Variant> PlanModel::variantWith(const PlanShape& shape) const {
  const plan::Variant* variant = m_session->selection().variant();
  if (variant == nullptr) return std::nullopt;
  plan::Variant changed = *variant;
  const PlanShape grouped = withGroups(shape);
  changed.stages = ui::stagesOf(grouped);
  for (plan::Stage& stage : changed.stages) {
    stage.group = replicasOfBlock(grouped, stage.firstBlock);
  }
  const bool several = plan::rowsOf(changed.stages).size() > 1;
  if (plan::strategyRow(changed.strategy).oneDevice && several) {
    changed.strategy = plan::wholeBatchStrategy().strategy;
    changed.schedule = plan::wholeBatchStrategy().schedule;
  }
  return changed;
}

void PlanModel::startSuggestions() {
  const plan::Variant* variant = m_session->selection().variant();
  const auto experiment = m_session->document().experiment();
  if (variant == nullptr || !experiment) {
    m_suggestions.clear();
  } else if (m_session->runState().measuring() || m_session->selection().beingPlaced()) {
    m_suggestions.pause({experiment, *variant, m_session->costs().table()});
  } else {
    m_suggestions.start({experiment, *variant, m_session->costs().table()});
  }
}

}  // namespace stagelane::ui
