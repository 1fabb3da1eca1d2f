#pragma once

/// The rows of a step that other processes play, and what their processes do besides. A row of
/// another process has a stand-in worker here, a CPU worker that computes nothing, so that tensors
/// for it come to the host in the usual way.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/run/ranks/gradient_reducer.h"
#include "engine/run/step/exchange.h"

namespace stagelane::run {

class NormBoard;
struct NamedNorm;

class RemoteRows {
 public:
  virtual ~RemoteRows() = default;

  [[nodiscard]] virtual bool isRemote(int row) const = 0;
  /// Sends parcels, which come to the host's memory, to the exchange of a remote row's process.
  /// Does not wait for the receiver. May throw. @thread the sending row's worker
  virtual void send(int row, const ParcelKey& key, Parcels parcels) = 0;
  /// Waits for the parcels that a remote row has sent for this key; empty if `control` stopped. May
  /// throw. @thread the receiving row's worker; blocks
  [[nodiscard]] virtual std::optional<Parcels> receive(int row, const ParcelKey& key,
                                                       const RunControl& control) = 0;

  /// Sends the norms of a stage's gradients to the boards of all other processes of the step. Norms
  /// are in the host's memory. May throw. @thread the row's worker
  virtual void sendNorms(int stage, const std::vector<NamedNorm>& norms) = 0;
  /// Puts the norms of all stages that only other processes measure on the board; false if
  /// `control` stopped. May throw. @thread the worker of one row; blocks
  [[nodiscard]] virtual bool receiveNorms(NormBoard& board, const RunControl& control) = 0;

  /// What sums a stage's gradients over its replicas while backward still computes, for a strategy
  /// with a process for each device. May throw. @thread the row's worker, all replicas together;
  /// blocks
  [[nodiscard]] virtual std::unique_ptr<GradientReducer> reducerOf(
      int stage, const plan::Variant& variant, std::vector<at::Tensor> parameters,
      std::vector<at::Tensor> buffers) = 0;

  /// A step begins: a failure of another process stops `control`, and `doing` says what the rows
  /// of this process do, for the others. @thread the executor's, as all below
  virtual void stepBegins(RunControl& control, std::function<Json()> doing) = 0;
  /// Waits until everything was sent, or `control` stopped.
  virtual void stepEnds() = 0;
  /// Waits for the other processes to come here, too. @errors EngineFailure: one did not, or
  /// `control` stopped
  [[nodiscard]] virtual Status meet(const RunControl& control) = 0;

  /// Has the other processes begin the same work, which `task` describes. Does nothing in a process
  /// that follows. @errors EngineFailure
  [[nodiscard]] virtual Status ask(Json task, const RunControl& control) = 0;
  /// What they made of it, one for each; none in a process that follows. @errors theirs
  [[nodiscard]] virtual Result<std::vector<std::string>> answers(const RunControl& control) = 0;
};

}  // namespace stagelane::run
