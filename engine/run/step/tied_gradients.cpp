#include "engine/run/step/tied_gradients.h"

#include <set>

#include "engine/base/find.h"

namespace stagelane::run {

TiedGradients::TiedGradients(const StepPlan& plan, int row)
    : m_plan(plan),
      m_row(row),
      m_shared(plan::sharedParameters(*plan.experiment->model, plan.variant->stages)) {}

std::vector<std::string> TiedGradients::sharedBy(int stage) const {
  std::vector<std::string> names;
  for (const auto& [name, stages] : m_shared) {
    if (contains(stages, stage)) names.push_back(name);
  }
  return names;
}

void TiedGradients::stepBegins() {
  m_of.clear();
  m_left.clear();
  for (const auto& named : m_shared) {
    for (const int stage : named.second) {
      if (m_plan.rowOfStage(stage) == m_row) m_left[stage] = m_plan.lowered->source.microBatches;
    }
  }
}

void TiedGradients::weightGradientDone(int stage, const StageWork& work, Exchange& exchange) {
  const auto left = m_left.find(stage);
  if (left == m_left.end() || --left->second > 0) return;
  std::set<int> takers;
  Gradients& own = m_of[stage];
  for (const std::string& name : sharedBy(stage)) {
    for (const auto& [parameter, tensor] : work.tensors().parameters()) {
      if (parameter == name) own[name] = tensor.grad();
    }
    for (const int other : m_shared.at(name)) takers.insert(m_plan.rowOfStage(other));
  }
  takers.erase(m_row);
  for (const int taker : takers) {
    Parcels parcels;
    for (const auto& [name, gradient] : own) {
      parcels.push_back(gradient.defined()
                            ? worker(m_row).backend().send(gradient, worker(taker).backend())
                            : Parcel{});
    }
    exchange.put({Direction::Weights, StageId{stage}, MicroBatchId{}, taker}, std::move(parcels));
  }
}

bool TiedGradients::fetch(int stage, Exchange& exchange, const RunControl& control, Moved& moved) {
  if (m_of.count(stage) != 0) return true;
  std::optional<Parcels> parcels =
      exchange.take({Direction::Weights, StageId{stage}, MicroBatchId{}, m_row}, control);
  if (!parcels) return false;
  Gradients& gradients = m_of[stage];
  const std::vector<std::string> names = sharedBy(stage);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Parcel& parcel = parcels->at(i);
    if (parcel.tensor.defined()) {
      at::Tensor& gradient = gradients[names[i]];
      gradient = worker(m_row).backend().receive(parcel, [&control] { return control.stopped(); });
      if (!gradient.defined()) return false;
      moved.start = parcel.sendStart;
      moved.end = parcel.arrived;
      moved.bytes += static_cast<Bytes>(gradient.nbytes());
    }
  }
  return true;
}

std::optional<Moved> TiedGradients::reduce(int stage, const StageWork& work, Exchange& exchange,
                                           const RunControl& control) {
  Moved moved;
  Backend& backend = worker(m_row).backend();
  for (const std::string& name : sharedBy(stage)) {
    at::Tensor sum;
    for (const int other : m_shared.at(name)) {
      if (!fetch(other, exchange, control, moved)) return std::nullopt;
      const at::Tensor& gradient = m_of[other][name];
      if (gradient.defined()) {
        // Other rows still read the summands, so never add in place.
        sum = sum.defined() ? sum.add(gradient) : gradient.clone();
      }
    }
    for (const auto& [parameter, tensor] : work.tensors().parameters()) {
      if (parameter == name) tensor.mutable_grad() = sum;
    }
  }
  moved.start = moved.start ? moved.start : backend.mark();
  moved.end = backend.mark();
  return moved;
}

}  // namespace stagelane::run
