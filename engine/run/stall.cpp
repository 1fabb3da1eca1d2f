#include "engine/run/detail/stall.h"

#include <algorithm>
#include <optional>

#include "engine/base/text.h"

namespace stagelane::run {
namespace {

using schedule::LoweredAction;

bool waits(const LoweredAction& action) {
  return action.kind == ActionKind::RecvForward || action.kind == ActionKind::RecvBackward;
}

/// The send that a receive waits for.
LoweredAction sendOf(const LoweredAction& receive) {
  LoweredAction send = receive;
  const bool forwards = receive.kind == ActionKind::RecvForward;
  send.kind = forwards ? ActionKind::SendForward : ActionKind::SendBackward;
  send.stage.value += forwards ? -1 : 1;
  return send;
}

/// The peer of a waiting row has gone past sending what the row waits for.
bool isLost(const StepPlan& plan, const std::vector<RowActivity>& rows,
            const LoweredAction& receive) {
  const auto peer = static_cast<std::size_t>(receive.peer);
  const std::vector<LoweredAction>& actions = plan.lowered->actions[peer];
  const LoweredAction wanted = sendOf(receive);
  const auto send = std::find_if(actions.begin(), actions.end(), [&](const LoweredAction& action) {
    return action.kind == wanted.kind && action.stage == wanted.stage &&
           action.microBatch == wanted.microBatch;
  });
  return rows[peer].action == nullptr || send == actions.end() || &*send < rows[peer].action;
}

/// Rows at an action that ends by itself: the longest of them is to blame.
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

std::size_t firstWaiting(const StepPlan& plan, const std::vector<RowActivity>& rows) {
  std::size_t first = rows.size();
  for (std::size_t row = rows.size(); row-- > 0;) {
    if (rows[row].action != nullptr) {
      first = row;
    }
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const LoweredAction* action = rows[row].action;
    if (action != nullptr && waits(*action) && isLost(plan, rows, *action)) {
      return row;
    }
  }
  return first;
}

}  // namespace

std::string placeOf(const StepPlan& plan, std::size_t row, const LoweredAction& action) {
  return "variant " + plan.variant->id + ", " + plan.workers[row]->name() + ", " + describe(action);
}

Error stallError(const StepPlan& plan, const std::vector<RowActivity>& rows, TimeNs quietNs) {
  const std::string quiet =
      "no action has ended anywhere for " + humanTime(static_cast<double>(quietNs));
  Error error{ErrorCode::EngineFailure, "", "",
              "if single actions really take longer, raise stall_timeout_s"};
  if (const std::optional<std::size_t> row = longestAtWork(rows)) {
    const LoweredAction& action = *rows[*row].action;
    error.message =
        plan.workers[*row]->name() + " does not end its " + describe(action) + "; " + quiet;
    error.context = placeOf(plan, *row, action);
    return error;
  }
  const std::size_t row = firstWaiting(plan, rows);
  const LoweredAction& action = *rows[row].action;
  const bool named = action.peer >= 0;
  error.message = plan.workers[row]->name() + " waits at " + describe(action) + ": nothing came" +
                  (named ? " from " + plan.workers[static_cast<std::size_t>(action.peer)]->name()
                         : std::string(" from another stage")) +
                  (named && isLost(plan, rows, action) ? ", which has sent it" : "") + "; " + quiet;
  error.context = placeOf(plan, row, action);
  return error;
}

}  // namespace stagelane::run
