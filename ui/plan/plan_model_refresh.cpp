/// The part of PlanModel that follows the document: figures, shape, prediction, curve of cuts.

#include <algorithm>
#include <utility>

#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model.h"
#include "ui/session/document/schedule_choices.h"

namespace stagelane::ui {
namespace {

bool sameBlocks(const BlockTable& one, const BlockTable& other) {
  return std::equal(one.blocks.begin(), one.blocks.end(), other.blocks.begin(), other.blocks.end(),
                    [](const auto& a, const auto& b) { return a.name == b.name; });
}

}  // namespace

void PlanModel::forget() {
  m_preview.reset();
  m_runner.dropPlan();
  m_runner.dropPreview();
  m_cuts.clear();
  m_suggestions.clear();
  m_selection = {};
  m_lastShape.clear();
  m_openGroups.clear();
  m_shownTab.clear();
  m_session->setPrediction(nullptr, std::nullopt);
  Q_EMIT selectionChanged();
}

void PlanModel::onDocumentChanged() {
  m_preview.reset();
  refresh();
}

void PlanModel::onVariantChanged() {
  m_preview.reset();
  m_selection.clear();
  m_cuts.clear();
  refresh();
  Q_EMIT selectionChanged();
}

void PlanModel::onCostsChanged() {
  m_preview.reset();
  refresh();
}

void PlanModel::refresh() {
  m_runner.setCosts(m_session->costs());
  const auto experiment = m_session->document().lastReadable();
  if (!experiment) {
    m_selection.clear();  // blocks are numbers in the table
    m_table.reset();
    m_tableKey.clear();
    m_shape = {};
    m_devices.clear();
    m_groups.clear();
    m_session->setPrediction(nullptr, m_session->document().error());
    Q_EMIT planChanged();
    return;
  }
  const QSet<QString> open = openGroups();
  m_devices.clear();
  for (const plan::DeviceSpec& device : experiment->devices) {
    m_devices.push_back(device.id);
  }
  refreshTable(*experiment);
  if (!m_table) {
    m_selection.clear();
    Q_EMIT planChanged();
    return;
  }
  const QString tab = m_session->currentTabId();
  refreshShape(*experiment);
  if (tab == std::exchange(m_shownTab, tab)) {
    // A group that an edit unites stays open: no chip's x changes by a drag.
    m_openGroups += open - openGroups();
  }
  m_selection.keepWithin(m_shape.deviceOfBlock.size());
  startPrediction();
  m_cutsStale = true;
  m_runner.dropCuts();
  if (!beingPlaced()) {
    m_cutsDelay.start();
  }
  startSuggestions();
  refreshProblems();
  refreshMeasured();
  Q_EMIT planChanged();
}

void PlanModel::refreshMeasured() {
  m_measured = m_table ? measuredMarks(*m_session, m_session->currentVariantId(), *m_table->model)
                       : std::nullopt;
}

void PlanModel::refreshTable(const plan::Experiment& experiment) {
  const plan::Variant* variant = m_session->currentVariant();
  std::int64_t size = m_table ? m_table->microBatch : experiment.data.batchSize;
  if (variant != nullptr) {
    size = std::min(experiment.data.batchSize,
                    variant->splitSize > 0 ? variant->splitSize : experiment.data.batchSize);
  }
  const CostTablePtr costs = m_session->costs();
  std::string key = blockTableKey(experiment, size);
  if (m_table && key == m_tableKey && costs == m_tableCosts) {
    return;
  }
  auto table = makeBlockTable(experiment, size, costs.get());
  if (!table) {
    m_table.reset();
    m_session->setPrediction(nullptr, table.error());
    return;
  }
  if (m_table && !sameBlocks(*m_table, **table)) {
    // What is kept until something newer is known speaks of blocks that are there no more.
    m_cuts.clear();
    m_suggestions.clear();
    m_selection = {};
  }
  m_table = *table;
  m_tableKey = std::move(key);
  m_tableCosts = costs;
  m_groups = groupsOf(*m_table->model);
}

void PlanModel::refreshShape(const plan::Experiment& experiment) {
  const std::size_t count = m_table->blocks.size();
  const plan::Variant* variant = m_session->currentVariant();
  PlanShape& last = m_lastShape[m_session->currentTabId()];
  if (variant != nullptr && !variant->stages.empty()) {
    last = shapeOf(variant->stages, count);
  } else if (last.deviceOfBlock.size() != count ||
             std::any_of(last.deviceOfBlock.begin(), last.deviceOfBlock.end(),
                         [this](const DeviceId& device) { return laneOf(device) < 0; })) {
    std::vector<DeviceId> devices = m_devices;
    if (devices.empty()) {
      devices.push_back(experiment.variants.empty() || experiment.variants.front().stages.empty()
                            ? DeviceId{"cpu:0"}
                            : experiment.variants.front().stages.front().device);
    }
    std::vector<double> weights;
    for (const BlockFigures& block : m_table->blocks) {
      weights.push_back(static_cast<double>(block.timeNs()));
    }
    last = evenlyCut(weights, devices);
  }
  m_shape = last;
}

std::optional<plan::Variant> PlanModel::variantWith(const PlanShape& shape) const {
  const plan::Variant* variant = m_session->currentVariant();
  if (variant == nullptr) {
    return std::nullopt;
  }
  plan::Variant changed = *variant;
  changed.stages = ui::stagesOf(shape);
  const bool several = std::any_of(
      changed.stages.begin(), changed.stages.end(),
      [&](const plan::Stage& stage) { return stage.device != changed.stages.front().device; });
  if (changed.strategy == plan::Strategy::Single && several) {
    changed.strategy = plan::Strategy::ModelParallel;
    changed.schedule = "model_parallel";
  }
  return changed;
}

bool PlanModel::beingPlaced() const {
  const ExperimentDocument& document = m_session->document();
  const VariantTab* tab = document.tab(m_session->currentTabId());
  return document.planning() && tab != nullptr && placedByMode(document.json(), tab->index);
}

std::optional<Error> PlanModel::readingError() const {
  const VariantTab* tab = m_session->document().tab(m_session->currentTabId());
  return tab != nullptr && tab->error ? tab->error : m_session->document().error();
}

void PlanModel::startPrediction() {
  const plan::Variant* variant = m_session->currentVariant();
  const auto experiment = m_session->experiment();
  if (variant == nullptr || !experiment) {
    const auto old = m_session->prediction();
    const bool same = old && old->variantId == utf8(m_session->currentVariantId());
    m_session->setPrediction(same ? old : nullptr, readingError());
    return;
  }
  if (beingPlaced()) {
    m_runner.dropPlan();
    m_session->setPredictionStale();
    return;
  }
  const bool answered =
      m_runner.predict(experiment, *variant, [this](PredictionRunner::Answer answer) {
        const auto old = m_session->prediction();
        const bool same = old && old->variantId == utf8(m_session->currentVariantId());
        if (answer) {
          m_session->setPrediction(*answer, std::nullopt);
        } else {
          m_session->setPrediction(same ? old : nullptr, answer.error());
        }
      });
  if (!answered) {
    m_session->setPredictionStale();
  }
}

void PlanModel::startSuggestions() {
  const plan::Variant* variant = m_session->currentVariant();
  const auto experiment = m_session->experiment();
  if (variant == nullptr || !experiment) {
    m_suggestions.clear();
  } else if (m_session->measuring() || beingPlaced()) {
    m_suggestions.pause({experiment, *variant, m_session->costs()});
  } else {
    m_suggestions.start({experiment, *variant, m_session->costs()});
  }
}

void PlanModel::startCuts() {
  const plan::Variant* variant = m_session->currentVariant();
  const auto experiment = m_session->experiment();
  const std::size_t boundary = nearestBoundary(m_shape, m_selection.first());
  const bool cuttable = boundary != 0 || (variant != nullptr && m_devices.size() > 1 &&
                                          variant->strategy != plan::Strategy::Single);
  if (variant == nullptr || !experiment || !cuttable) {
    m_cuts.clear();
    m_cutsStale = false;
    Q_EMIT cutCurveChanged();
    return;
  }
  std::vector<std::size_t> blocks;
  std::vector<plan::Variant> variants;
  for (std::size_t block = 1; block < m_shape.deviceOfBlock.size(); ++block) {
    if (const auto changed = variantWith(cutBefore(m_shape, block, m_devices))) {
      blocks.push_back(block);
      variants.push_back(*changed);
    }
  }
  m_cutsStale = true;
  m_runner.predictCuts(experiment, std::move(blocks), std::move(variants), [this](CutCurve curve) {
    m_cuts = std::move(curve);
    m_cutsStale = false;
    Q_EMIT cutCurveChanged();
  });
}

}  // namespace stagelane::ui
