#pragma once

/// Lowering: expands the compute actions of a schedule to all actions of a step. Validator,
/// simulator and executor read this one list.

#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/schedule/action.h"

namespace stagelane::schedule {

/// One action of the lowered list. A transfer appears twice, SEND_x on the sender's row and RECV_x
/// on the receiver's, with the same (stage, micro-batch): `stage` is the *producing* stage for SEND
/// and the *receiving* stage for RECV; `peer` is the other row. There are no transfers between
/// stages of one device.
struct LoweredAction {
  ActionKind kind = ActionKind::Forward;
  StageId stage;
  MicroBatchId microBatch;
  int peer = -1;  ///< row of the other device, transfers only
  friend bool operator==(const LoweredAction&, const LoweredAction&) = default;
};

/// Stages that share a parameter, ascending; one group for each set of sharing stages.
using TiedStages = std::vector<std::vector<int>>;
[[nodiscard]] bool isTied(const TiedStages& tied, int stage);

struct LoweredSchedule {
  Schedule source;
  TiedStages tied;
  std::vector<std::vector<LoweredAction>> actions;  ///< row → order
  std::size_t actionCount = 0;
};

/// Whether each copy of the stage has a REDUCE: it has replicas, or shares a parameter with another
/// stage.
[[nodiscard]] bool isReduced(const LoweredSchedule& lowered, int stage);

/// Adds LOSS after the forwards of the last stage (one per micro-batch, or one in total), SEND and
/// RECV pairs between devices, and the OPT of each stage after its device's last weight gradient,
/// on the row of each replica. A tied stage gets one REDUCE (microBatch -1) between its row's last
/// weight gradient and its OPT. It sums the gradients of its group in stage order, so it waits for
/// the last weight gradient of each stage of the group. Each replica of a stage also gets one: an
/// all-reduce that starts when the last replica arrives. All REDUCEs of a row precede its first
/// OPT. For LossMode::None only forwards and their transfers remain.
/// @pre every action is of a stage of the schedule, on the row of that stage
[[nodiscard]] LoweredSchedule lower(Schedule schedule, const TiedStages& tied = {});

/// Proves that the list is valid: each action exactly once, F before I before W (or before B), each
/// micro-batch of a stage on one row, sends matched to receives, REDUCE and OPT after the gradients
/// that they need, and no deadlock whatever the durations. For forwards only: F and its transfers
/// exactly once, and nothing else.
/// `channelCapacity` is the number of tensors in flight that a channel (sender row to receiver row,
/// one direction) holds; a send into a full channel waits. Without it channels are unlimited, as in
/// the engine.
/// @errors Invalid naming device row, action, stage and micro-batch
[[nodiscard]] Status validate(const LoweredSchedule& schedule,
                              std::optional<int> channelCapacity = {});

}  // namespace stagelane::schedule
