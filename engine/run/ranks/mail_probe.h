#pragma once

/// How long messages take from one rank to another: two ranks send each other tensors through
/// their mail, as the stages of a pipeline do.

#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/ranks/rank_mail.h"

namespace stagelane::run {

/// A message, from when its tensor is ready until the receiver can use it.
struct MessageTime {
  Bytes bytes = 0;
  TimeNs ns = 0;
};

/// Sends messages of several sizes to a rank that returns them, and takes a short one of each size,
/// as on an idle machine.
/// `peer` is a rank of the mail's group. The tags of these messages belong to this file.
/// @errors EngineFailure: the peer is gone, or `stopped` @thread any; blocks
[[nodiscard]] Result<std::vector<MessageTime>> timeMessages(RankMail& mail, int peer,
                                                            const StopCheck& stopped = {});
/// The other side of `timeMessages`. @errors as there @thread any; blocks
[[nodiscard]] Status returnMessages(RankMail& mail, int peer, const StopCheck& stopped = {});

}  // namespace stagelane::run
