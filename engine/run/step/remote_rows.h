#pragma once

/// The rows of a step that other processes play: what the executor needs to know of them. A row of
/// another process has a stand-in worker here, a CPU worker that computes nothing, so that tensors
/// for it come to the host in the usual way.

#include "engine/base/result.h"
#include "engine/run/step/exchange.h"

namespace stagelane::run {

class RemoteRows {
 public:
  virtual ~RemoteRows() = default;

  [[nodiscard]] virtual bool isRemote(int row) const = 0;
  /// Sends parcels, which are in the host's memory, to the exchange of a remote row's process.
  /// Never blocks. May throw. @thread the sending row's worker
  virtual void send(int row, const ParcelKey& key, Parcels parcels) = 0;
  /// Until `stepEnds`, what arrives for the rows of this process is put into `exchange`, and a
  /// failure there stops `control`. Both outlive the step. @thread the executor's
  virtual void stepBegins(Exchange& exchange, RunControl& control) = 0;
  /// Waits until everything was sent and received, or `control` stopped. @thread the executor's
  virtual void stepEnds() = 0;
  /// Waits for the other processes to come here, too. @errors EngineFailure: one did not, or
  /// `control` stopped @thread the executor's
  [[nodiscard]] virtual Status meet(const RunControl& control) = 0;
};

}  // namespace stagelane::run
