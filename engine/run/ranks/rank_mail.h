#pragma once

/// Tensors sent from rank to rank, for the boundaries of a pipeline across processes. Sending never
/// blocks, and a receiving thread for each peer takes whatever arrives, so no order of sends and
/// takes can deadlock. A tensor arrives with the same bits and strides, whatever its layout. A
/// header announces the size of the values, because a message that is longer than its receiver
/// expects ends a process that uses Gloo. Header and values of up to half a mebibyte travel in
/// frames (mail_frames.h) and take the delay of the network once.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/device/backend.h"
#include "engine/run/ranks/rank_groups.h"

namespace stagelane::run {

/// A tensor that has arrived.
struct Mail {
  at::Tensor tensor;
  Bytes bytes = 0;       ///< of values that were transferred
  TimeNs readyNs = 0;    ///< when the data was ready, on the sender's clock
  TimeNs arrivedNs = 0;  ///< when all of it was here, on this process's clock
};

struct RankMailOptions {
  /// Called first in each receiving thread, which allocates the memory of arriving tensors.
  std::function<void()> enterThread{};
  /// Called in the receiving thread after each arrival; must not block. `from` is a group rank.
  std::function<void(int from, std::int64_t tag)> onArrival{};
};

class RankMail {
 public:
  /// The group's point-to-point messages belong to this object from here on. Two threads for each
  /// peer. @pre all members of the group make one
  RankMail(std::shared_ptr<RankGroup> group, RankMailOptions options = {});
  /// Does not wait for messages on their way: use `flush` before.
  ~RankMail();
  RankMail(const RankMail&) = delete;
  RankMail& operator=(const RankMail&) = delete;

  static constexpr std::int64_t kMaxDimensions = 12;

  /// Sends a tensor of the host to another member, and keeps its memory until it was transferred.
  /// Nobody may change its values before. Messages with the same tag arrive in order.
  /// `readyNs` is passed on. @errors Invalid (not dense memory of the host, too many dimensions),
  /// EngineFailure (an earlier failure) @thread any; does not block
  [[nodiscard]] Status post(int to, std::int64_t tag, const at::Tensor& tensor, TimeNs readyNs);
  /// Waits for the next message with that tag. @errors EngineFailure (the peer is gone, aborted, or
  /// stopped) @thread any; blocks
  [[nodiscard]] Result<Mail> take(int from, std::int64_t tag, const StopCheck& stopped = {});
  /// Whether `take` would return at once. @thread any; does not block
  [[nodiscard]] bool arrived(int from, std::int64_t tag) const;
  /// Waits until all messages of this rank were transferred. @errors as `take`
  [[nodiscard]] Status flush(const StopCheck& stopped = {});

  /// Ends all waits of this object within 100 ms; nothing can be sent or taken afterwards, except
  /// for what has arrived. @thread any; does not block
  void abort();

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::run
