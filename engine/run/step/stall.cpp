#include "engine/run/step/stall.h"

#include <algorithm>
#include <optional>

#include "engine/base/text.h"
#include "engine/run/step/remote_rows.h"

namespace stagelane::run {
namespace {

using schedule::LoweredAction;

bool waits(const LoweredAction& action) {
  return action.kind == ActionKind::RecvForward || action.kind == ActionKind::RecvBackward;
}

/// Waits in the exchange. A queued receive has its tensor.
bool waitsForPeer(const RowActivity& row) {
  return row.action != nullptr && !row.queued && waits(*row.action);
}

/// The send that matches a receive.
LoweredAction sendOf(const LoweredAction& receive) {
  LoweredAction send = receive;
  const bool forwards = receive.kind == ActionKind::RecvForward;
  send.kind = forwards ? ActionKind::SendForward : ActionKind::SendBackward;
  send.stage.value += forwards ? -1 : 1;
  return send;
}

/// Whether the peer of a waiting row has already passed the matching send.
bool isLost(const StepPlan& plan, const std::vector<RowActivity>& rows,
            const RowActivity& waiting) {
  const LoweredAction& receive = *waiting.action;
  // What a row of another process does is not known here.
  if (plan.remote != nullptr && plan.remote->isRemote(receive.peer)) return false;
  const auto peer = static_cast<std::size_t>(receive.peer);
  const std::vector<LoweredAction>& actions = plan.lowered->actions[peer];
  const LoweredAction wanted = sendOf(receive);
  const auto send = std::find_if(actions.begin(), actions.end(), [&](const LoweredAction& action) {
    return action.kind == wanted.kind && action.stage == wanted.stage &&
           action.microBatch == wanted.microBatch;
  });
  if (rows[peer].action == nullptr || send == actions.end()) return true;
  // A device may be a step behind its row's thread.
  return rows[peer].step == waiting.step ? &*send < rows[peer].action
                                         : rows[peer].step > waiting.step;
}

/// A row that waits for a tensor that was sent but did not arrive.
std::optional<std::size_t> lostAt(const StepPlan& plan, const std::vector<RowActivity>& rows) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (waitsForPeer(rows[row]) && isLost(plan, rows, rows[row])) return row;
  }
  return std::nullopt;
}

/// Among the rows whose action does not depend on others, the one that has run longest.
std::optional<std::size_t> longestAtWork(const std::vector<RowActivity>& rows) {
  std::optional<std::size_t> longest;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const LoweredAction* action = rows[row].action;
    if (action != nullptr && !waits(*action) && action->kind != ActionKind::Reduce &&
        (!longest || rows[row].sinceNs < rows[*longest].sinceNs)) {
      longest = row;
    }
  }
  return longest;
}

/// A device that has queued a transfer or a reduction and does not end it.
std::optional<std::size_t> firstQueued(const std::vector<RowActivity>& rows) {
  const auto first = std::find_if(rows.begin(), rows.end(), [](const RowActivity& row) {
    return row.action != nullptr && row.queued;
  });
  return first == rows.end() ? std::nullopt
                             : std::optional(static_cast<std::size_t>(first - rows.begin()));
}

std::size_t firstPlaying(const std::vector<RowActivity>& rows) {
  const auto first = std::find_if(rows.begin(), rows.end(),
                                  [](const RowActivity& row) { return row.action != nullptr; });
  return static_cast<std::size_t>(first - rows.begin());
}

std::string notEnding(const StepPlan& plan, std::size_t row, const LoweredAction& action) {
  return plan.workers[row]->name() + " did not finish " + describe(action);
}

std::string nothingCame(const StepPlan& plan, std::size_t row, const LoweredAction& action) {
  return plan.workers[row]->name() + " waits at " + describe(action) + ": nothing arrived from " +
         (action.peer >= 0 ? plan.workers[static_cast<std::size_t>(action.peer)]->name()
                           : "another stage");
}

}  // namespace

void setPlace(Error& error, const StepPlan& plan, std::size_t row, const LoweredAction& action) {
  const std::string& device = plan.workers[row]->name();
  error.context = "variant " + plan.variant->id + ", " + device + ", " + describe(action);
  error.failure.variant = plan.variant->id;
  error.failure.device = {device};
  error.failure.stage = action.stage;
  error.failure.microBatch = action.microBatch;
  error.failure.action = action.kind;
}

Error stallError(const StepPlan& plan, const std::vector<RowActivity>& rows, TimeNs quietNs) {
  // A lost tensor explains why other rows wait, and so does a row that does not finish.
  const std::optional<std::size_t> lost = lostAt(plan, rows);
  std::optional<std::size_t> atWork = longestAtWork(rows);
  if (!atWork) atWork = firstQueued(rows);
  const std::size_t row = lost ? *lost : atWork ? *atWork : firstPlaying(rows);
  const LoweredAction& action = *rows[row].action;
  const std::string what = lost     ? nothingCame(plan, row, action) + ", which sent it"
                           : atWork ? notEnding(plan, row, action)
                                    : nothingCame(plan, row, action);
  Error error{
      ErrorCode::EngineFailure,
      what + "; no action finished on any device for " + humanTime(static_cast<double>(quietNs)),
      "",
      "if single actions take longer, increase stall_timeout_s",
      {FailureKind::Stalled}};
  setPlace(error, plan, row, action);
  return error;
}

}  // namespace stagelane::run
