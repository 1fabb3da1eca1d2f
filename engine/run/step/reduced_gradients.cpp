#include "engine/run/step/reduced_gradients.h"

#include <algorithm>
#include <set>

#include "engine/base/find.h"

namespace stagelane::run {
namespace {

/// The latest of several points.
class Latest final : public Marker {
 public:
  explicit Latest(std::vector<std::shared_ptr<Marker>> markers) : m_markers(std::move(markers)) {}

  [[nodiscard]] TimeNs timeNs() const override {
    TimeNs latest = 0;
    for (const auto& marker : m_markers) latest = std::max(latest, marker->timeNs());
    return latest;
  }
  [[nodiscard]] bool reached() const override {
    return std::all_of(m_markers.begin(), m_markers.end(),
                       [](const auto& marker) { return marker->reached(); });
  }
  [[nodiscard]] bool wait(const StopCheck& stopped) const override {
    return std::all_of(m_markers.begin(), m_markers.end(),
                       [&](const auto& marker) { return marker->wait(stopped); });
  }

 private:
  std::vector<std::shared_ptr<Marker>> m_markers;
};

void add(at::Tensor& sum, const at::Tensor& gradient) {
  // Other rows still read the summands, so never add in place.
  if (gradient.defined()) sum = sum.defined() ? sum.add(gradient) : gradient;
}

}  // namespace

ReducedGradients::ReducedGradients(const StepPlan& plan, int row)
    : m_plan(plan),
      m_row(row),
      m_shared(plan::sharedParameters(*plan.experiment->model, plan.variant->stages)) {}

void ReducedGradients::stepBegins() {
  m_of.clear();
  m_sums.clear();
  m_left.clear();
  if (m_plan.reducesByBackend) return;
  const schedule::LoweredSchedule& lowered = *m_plan.lowered;
  for (const schedule::LoweredAction& action : lowered.actions[static_cast<std::size_t>(m_row)]) {
    const bool makesWeights =
        action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardWeight;
    const int stage = action.stage.value;
    if (makesWeights && schedule::isReduced(lowered, stage)) ++m_left[stage];
  }
}

ParcelKey ReducedGradients::keyOf(Direction direction, const Copy& from, int to) const {
  return {direction, StageId{from.stage}, MicroBatchId{}, rows().copyOn(from.stage, rowOf(from)),
          to};
}

std::vector<std::string> ReducedGradients::sharedOn(int row, int stage) const {
  std::vector<std::string> names;
  for (const auto& [name, stages] : m_shared) {
    const bool there = std::any_of(stages.begin(), stages.end(),
                                   [&](int other) { return m_plan.holds(row, other); });
    if (there && contains(stages, stage)) names.push_back(name);
  }
  return names;
}

std::vector<ReducedGradients::Copy> ReducedGradients::copiesOf(const std::string& parameter) const {
  std::vector<Copy> copies;
  for (const int stage : m_shared.at(parameter)) {
    for (int replica = 0; replica < rows().replicas(stage); ++replica) {
      copies.push_back({stage, replica});
    }
  }
  return copies;
}

/// Largest parameters first, each to the replica with the fewest bytes so far.
std::vector<std::vector<std::string>> ReducedGradients::added(const StageWork& work,
                                                              int replicas) const {
  std::vector<std::pair<std::int64_t, std::string>> bySize;
  for (const auto& [name, tensor] : work.tensors().parameters()) {
    if (m_shared.count(name) == 0) bySize.emplace_back(-tensor.numel(), name);
  }
  std::sort(bySize.begin(), bySize.end());
  std::vector<std::int64_t> load(static_cast<std::size_t>(replicas), 0);
  std::vector<std::vector<std::string>> answer(load.size());
  for (const auto& [negativeSize, name] : bySize) {
    const auto least = std::min_element(load.begin(), load.end());
    *least -= negativeSize;
    answer[static_cast<std::size_t>(least - load.begin())].push_back(name);
  }
  return answer;
}

void ReducedGradients::send(const ParcelKey& key, const std::vector<std::string>& names,
                            const Gradients& gradients, Exchange& exchange) const {
  Parcels parcels;
  for (const std::string& name : names) {
    const at::Tensor& gradient = gradients.at(name);
    parcels.push_back(gradient.defined()
                          ? worker(m_row).backend().send(gradient, worker(key.row).backend())
                          : Parcel{});
  }
  exchange.put(key, std::move(parcels));
}

void ReducedGradients::weightGradientDone(int stage, const StageWork& work, Exchange& exchange) {
  const auto left = m_left.find(stage);
  if (left == m_left.end() || --left->second > 0) return;
  const Copy from = own(stage);
  Gradients& gradients = m_of[from];
  for (const auto& [name, tensor] : work.tensors().parameters()) gradients[name] = tensor.grad();
  for (int row = 0; row < rows().rows(); ++row) {
    const std::vector<std::string> names = sharedOn(row, stage);
    if (row == m_row || names.empty()) continue;
    send(keyOf(Direction::Shared, from, row), names, gradients, exchange);
  }
  const int replicas = rows().replicas(stage);
  if (replicas == 1) return;
  const std::vector<std::vector<std::string>> adding = added(work, replicas);
  for (int replica = 0; replica < replicas; ++replica) {
    const auto& names = adding[static_cast<std::size_t>(replica)];
    if (replica == from.replica || names.empty()) continue;
    send(keyOf(Direction::Gradients, from, rowOf({stage, replica})), names, gradients, exchange);
  }
}

bool ReducedGradients::fetch(const ParcelKey& key, const std::vector<std::string>& names,
                             Gradients& into, const Waiting& waiting) const {
  std::optional<Parcels> parcels = waiting.exchange.take(key, waiting.control);
  if (!parcels) return false;
  Moved& moved = waiting.moved;
  std::vector<std::shared_ptr<Marker>> starts;
  if (moved.start) starts.push_back(moved.start);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Parcel& parcel = parcels->at(i);
    at::Tensor& gradient = into[names[i]];
    if (!parcel.tensor.defined()) continue;
    gradient =
        worker(m_row).backend().receive(parcel, [&waiting] { return waiting.control.stopped(); });
    if (!gradient.defined()) return false;
    starts.push_back(parcel.sendStart);
    moved.bytes += static_cast<Bytes>(gradient.nbytes());
  }
  if (!starts.empty()) moved.start = std::make_shared<Latest>(std::move(starts));
  return true;
}

bool ReducedGradients::addShared(int stage, const Waiting& waiting) {
  for (const std::string& name : sharedOn(m_row, stage)) {
    at::Tensor sum;
    at::Tensor ofStage;
    int last = -1;
    for (const Copy& copy : copiesOf(name)) {
      if (m_of.count(copy) == 0) {
        const auto names = sharedOn(m_row, copy.stage);
        const ParcelKey key = keyOf(Direction::Shared, copy, m_row);
        if (!fetch(key, names, m_of[copy], waiting)) return false;
      }
      if (copy.stage != last) add(sum, std::exchange(ofStage, {}));
      last = copy.stage;
      add(ofStage, m_of[copy][name]);
    }
    add(sum, ofStage);
    m_sums[stage][name] = sum;
  }
  return true;
}

bool ReducedGradients::addReplicas(int stage, const StageWork& work, const Waiting& waiting) {
  const int replicas = rows().replicas(stage);
  if (replicas == 1) return true;
  const std::vector<std::vector<std::string>> adding = added(work, replicas);
  const Copy self = own(stage);
  const auto& mine = adding[static_cast<std::size_t>(self.replica)];
  Gradients& sums = m_sums[stage];
  for (int replica = 0; replica < replicas && !mine.empty(); ++replica) {
    const Copy copy{stage, replica};
    const ParcelKey key = keyOf(Direction::Gradients, copy, m_row);
    if (replica != self.replica && !fetch(key, mine, m_of[copy], waiting)) return false;
    for (const std::string& name : mine) add(sums[name], m_of[copy][name]);
  }
  for (int replica = 0; replica < replicas && !mine.empty(); ++replica) {
    if (replica == self.replica) continue;
    send(keyOf(Direction::Sums, self, rowOf({stage, replica})), mine, sums, waiting.exchange);
  }
  for (int replica = 0; replica < replicas; ++replica) {
    const auto& names = adding[static_cast<std::size_t>(replica)];
    if (replica == self.replica || names.empty()) continue;
    const ParcelKey key = keyOf(Direction::Sums, {stage, replica}, m_row);
    if (!fetch(key, names, sums, waiting)) return false;
  }
  return true;
}

std::optional<Moved> ReducedGradients::reduce(int stage, const StageWork& work, Exchange& exchange,
                                              const RunControl& control) {
  Moved moved;
  Backend& backend = worker(m_row).backend();
  moved.start = backend.mark();
  const Waiting waiting{exchange, control, moved};
  if (!addShared(stage, waiting) || !addReplicas(stage, work, waiting)) return std::nullopt;
  // Clipping scales gradients in place, and CPU workers share the sums.
  const bool owns = m_plan.experiment->clipGradNorm.has_value();
  for (const auto& [name, tensor] : work.tensors().parameters()) {
    const auto sum = m_sums[stage].find(name);
    if (sum == m_sums[stage].end()) continue;
    tensor.mutable_grad() = owns && sum->second.defined() ? sum->second.clone() : sum->second;
  }
  moved.end = backend.mark();
  return moved;
}

}  // namespace stagelane::run
