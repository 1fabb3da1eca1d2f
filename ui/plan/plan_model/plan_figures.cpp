#include "ui/plan/plan_model/plan_figures.h"

#include <algorithm>

#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"

namespace stagelane::ui {

PlanFigures::PlanFigures(const PlanModel* plan, QObject* parent) : QObject(parent), m_plan(plan) {
  connect(&plan->session().results(), &MeasuredResults::changed, this, [this] {
    followPlan();
    Q_EMIT measuredChanged();
  });
}

void PlanFigures::followPlan() {
  const Session& session = m_plan->session();
  m_measured = m_plan->table() ? measuredMarks(session.results(), session.document(),
                                               session.selection().variantId(), m_plan->model())
                               : std::nullopt;
}

MemoryParts PlanFigures::memoryOf(const PredictedDevice& device) const {
  const auto experiment = m_plan->session().document().lastReadable();
  const PlanShape& shape = m_plan->dropPreview().shownShape();
  return experiment && m_plan->table()
             ? memoryParts(*experiment, *m_plan->table(), shape, firstReplicaOf(shape, device.id),
                           device.peakBytes)
             : MemoryParts{};
}

PeakRange PlanFigures::peakRange(const DeviceId& device) const {
  const auto experiment = m_plan->session().document().lastReadable();
  const PlanPredictionPtr shown = m_plan->dropPreview().shownPrediction();
  return experiment && shown
             ? peakRangeOf(*experiment, *shown, device, m_plan->session().costs().peakHistory())
             : PeakRange{};
}

Bytes PlanFigures::largestPeak() const {
  Bytes most = 1;
  for (const DeviceId& device : m_plan->devices()) most = std::max(most, peakRange(device).high);
  return most;
}

QString PlanFigures::tiedText(const BlockSet& blocks) const {
  for (const std::size_t block : blocks) {
    if (const QString other = tiedAcrossDevices(block); !other.isEmpty()) {
      return tr("%1 is tied to %2, gradients are summed across devices")
          .arg(m_plan->table()->blocks[block].name, other);
    }
  }
  return {};
}

QString PlanFigures::tiedAcrossDevices(std::size_t block) const {
  const auto& blocks = m_plan->model().blocks;
  const auto owns = [&](std::size_t index, const std::string& tensor) {
    const std::string& name = blocks[index].name;
    return tensor.size() > name.size() && tensor[name.size()] == '.' &&
           tensor.compare(0, name.size(), name) == 0;
  };
  for (const auto& [one, other] : m_plan->model().ties) {
    if (!owns(block, one) && !owns(block, other)) continue;
    const std::string& partner = owns(block, one) ? other : one;
    for (std::size_t index = 0; index < blocks.size(); ++index) {
      if (index != block && owns(index, partner) &&
          m_plan->dropPreview().shownShape().deviceOfBlock[index] !=
              m_plan->dropPreview().shownShape().deviceOfBlock[block]) {
        return m_plan->table()->blocks[index].name;
      }
    }
  }
  return {};
}

bool PlanFigures::trains() const {
  const auto experiment = m_plan->session().document().lastReadable();
  return !experiment || experiment->task == plan::Task::Train;
}

Bytes PlanFigures::cutBytes(std::size_t block) const {
  const auto experiment = m_plan->session().document().lastReadable();
  if (block == 0 || !experiment) return 0;
  // The output before the cut goes forward and, in training, its gradient comes back, once per
  // sample.
  const auto perMicroBatch = m_plan->table()->blocks[block - 1].outputBytes;
  const double samples = static_cast<double>(experiment->data.batchSize);
  const double size = static_cast<double>(std::max<std::int64_t>(1, m_plan->table()->microBatch));
  const double ways = trains() ? 2.0 : 1.0;
  return static_cast<Bytes>(ways * static_cast<double>(perMicroBatch) * samples / size);
}

}  // namespace stagelane::ui
