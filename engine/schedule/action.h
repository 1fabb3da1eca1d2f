#pragma once

/// One step of a device's work, and an ordered list of such steps per device. Generators emit
/// compute actions only (`F B I W`); `lower` adds the rest.

#include <string>
#include <vector>

#include "engine/base/action_kind.h"
#include "engine/base/ids.h"
#include "engine/schedule/stage_rows.h"

namespace stagelane::schedule {

struct Action {
  ActionKind kind = ActionKind::Forward;
  StageId stage;
  MicroBatchId microBatch;  ///< -1 for OPT, and for the one LOSS of `tutorial`
  friend bool operator==(const Action&, const Action&) = default;
};

/// What follows the forwards of the last stage.
enum class LossMode {
  PerMicroBatch,  ///< a LOSS after each F of the last stage
  WholeBatch,     ///< `tutorial`: outputs concatenated, one LOSS
  None,           ///< inference: forwards only, no LOSS, no backwards, no OPT
};

/// The output of a generator: for each device its compute actions in order.
struct Schedule {
  std::string name;
  int devices = 1;
  int microBatches = 1;
  int stages = 1;
  StageRows rows;                            ///< which row runs what
  std::vector<std::vector<Action>> actions;  ///< row → order
  LossMode lossMode = LossMode::PerMicroBatch;
};

/// `0F3`, `1B2`, `OPT`; the CSV cell of torch.distributed.pipelining for compute actions.
[[nodiscard]] std::string cell(const Action& action);

}  // namespace stagelane::schedule
