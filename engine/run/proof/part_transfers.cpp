#include "engine/run/proof/part_transfers.h"

#include <stdexcept>

#include "engine/run/step/await_job.h"

namespace stagelane::run {

Status prepareTransfers(const ReferencePlan& plan, const RunControl& control) {
  for (std::size_t part = 1; part < plan.parts.size(); ++part) {
    Worker& before = *plan.parts[part - 1].worker;
    Worker& after = *plan.parts[part].worker;
    // The run has told the user about broken copies already.
    STAGELANE_CHECK(prepareTransfer(before, after, control));
    STAGELANE_CHECK(prepareTransfer(after, before, control));
  }
  return {};
}

Parcels sent(const ReferencePart& from, const ReferencePart& to,
             const std::vector<at::Tensor>& tensors) {
  Parcels parcels;
  for (const at::Tensor& tensor : tensors) {
    parcels.push_back(tensor.defined() ? from.worker->backend().send(tensor, to.worker->backend())
                                       : Parcel{});
  }
  return parcels;
}

std::vector<at::Tensor> received(const ReferencePart& to, Parcels& parcels,
                                 const RunControl& control) {
  std::vector<at::Tensor> tensors;
  for (Parcel& parcel : parcels) {
    const bool isThere = parcel.tensor.defined();
    tensors.push_back(
        isThere ? to.worker->backend().receive(parcel, [&control] { return control.stopped(); })
                : at::Tensor());
    if (isThere && !tensors.back().defined()) {
      throw std::runtime_error("stopped while a tensor was on its way");
    }
  }
  parcels.clear();
  return tensors;
}

}  // namespace stagelane::run
