#include "engine/run/step/transfer.h"

#include <utility>

namespace stagelane::run {

Moved Transfer::send(const schedule::LoweredAction& action, Slot& slot, Exchange& exchange) const {
  const bool forwards = action.kind == ActionKind::SendForward;
  const std::vector<at::Tensor> tensors =
      std::exchange(forwards ? slot.outputs : slot.inputGradients, {});
  Moved moved;
  Parcels parcels;
  for (const at::Tensor& tensor : tensors) {
    parcels.push_back(worker(m_row).backend().send(tensor, worker(action.peer).backend()));
    moved.bytes += static_cast<Bytes>(tensor.nbytes());
    moved.start = moved.start ? moved.start : parcels.back().sendStart;
    moved.end = parcels.back().arrived;
  }
  if (m_plan.options.dropMessage && m_plan.options.dropMessage(m_row, action)) return moved;
  const StageId takes{action.stage.value + (forwards ? 1 : -1)};
  exchange.put({forwards ? Direction::Forward : Direction::Backward, takes, action.microBatch},
               std::move(parcels));
  return moved;
}

std::optional<Moved> Transfer::receive(const schedule::LoweredAction& action, Slot& slot,
                                       Exchange& exchange, const RunControl& control) const {
  const bool forwards = action.kind == ActionKind::RecvForward;
  std::optional<Parcels> parcels = exchange.take(
      {forwards ? Direction::Forward : Direction::Backward, action.stage, action.microBatch},
      control);
  if (!parcels) return std::nullopt;
  std::vector<at::Tensor>& place = forwards ? slot.received : slot.outputGradients;
  place.clear();
  Moved moved;
  for (Parcel& parcel : *parcels) {
    place.push_back(
        worker(m_row).backend().receive(parcel, [&control] { return control.stopped(); }));
    if (!place.back().defined()) return std::nullopt;
    // After the receive, which sets them if the receiver moves the data.
    moved.start = moved.start ? moved.start : parcel.sendStart;
    moved.end = parcel.arrived;
    moved.bytes += static_cast<Bytes>(place.back().nbytes());
  }
  return moved;
}

}  // namespace stagelane::run
