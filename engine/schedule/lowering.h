#pragma once

/// Lowering: from the compute actions of a schedule to everything a step does. The one list that
/// validator, simulator and executor read.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/schedule/action.h"

namespace stagelane::schedule {

/// One action of the lowered list. A transfer is written twice, SEND_x on the sender's row and
/// RECV_x on the receiver's, with the same (stage, micro-batch): the stage that *produces* the
/// tensor is `stage` for SEND, the stage that *takes* it is `stage` for RECV; `peer` is the other
/// row. No transfer is written between stages of one device.
struct LoweredAction {
  ActionKind kind = ActionKind::Forward;
  StageId stage;
  MicroBatchId microBatch;
  int peer = -1;  ///< row of the other device, transfers only
  friend bool operator==(const LoweredAction&, const LoweredAction&) = default;
};

/// Stages that share a parameter, ascending; one group for each set of stages that share.
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

/// Adds LOSS after the forwards of the last stage (one per micro-batch, or one in all), SEND and
/// RECV pairs between devices, and the OPT of each stage after its device's last weight gradient; a
/// stage of several replicas has an OPT on the row of each.
/// A tied stage gets one REDUCE (microBatch -1) between its row's last weight gradient and its OPT:
/// it adds up the gradients of its group's stages in stage order, so it waits for the last weight
/// gradient of each of them. Each replica of a stage gets one too: an all-reduce that begins when
/// the last of them has come to it. All REDUCEs of a row stand before its first OPT.
/// Of a schedule of forwards only (LossMode::None) the forwards and their transfers are all.
/// @pre every action is of a stage of the schedule, on the row of that stage
[[nodiscard]] LoweredSchedule lower(Schedule schedule, const TiedStages& tied = {});

/// Proves the list sound: each action exactly once, F before I before W (or before B), each
/// micro-batch of a stage on one row, sends matched to receives, REDUCE and OPT after the gradients
/// that they need, and that playing it never deadlocks, whatever the actions take. Of forwards
/// only: F and its transfers exactly once, and nothing else.
///
/// `channelCapacity` is how many tensors that were sent and not yet received a channel (sender row
/// to receiver row, one direction) holds; a send into a full one waits. The engine's channels hold
/// any number, which is what is assumed without it.
/// @errors Invalid naming device row, action, stage and micro-batch
[[nodiscard]] Status validate(const LoweredSchedule& schedule,
                              std::optional<int> channelCapacity = {});

}  // namespace stagelane::schedule
