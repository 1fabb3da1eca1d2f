#pragma once

/// The mean of gradients over the replicas of a group: c10d's Reducer, which sums up buckets of
/// gradients while backward still computes the others.

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/ranks/rank_groups.h"

namespace stagelane::run {

struct GradientReducerOptions {
  Bytes firstBucketBytes = Bytes{1} << 20;
  Bytes bucketBytes = Bytes{25} << 20;
  bool gradientAsBucketView = false;  ///< gradients are parts of the buckets, without copies
  bool findUnused = false;            ///< parameters may have no gradient in a step
};

/// The all-reduce of one bucket, on this process's clock.
struct BucketSpan {
  int bucket = 0;  ///< in the order in which this step's buckets were started
  Bytes bytes = 0;
  TimeNs startNs = 0;
  TimeNs endNs = 0;
};

/// A step: `prepareForward`, all forwards and backwards, with `prepareLastBackward` before the last
/// one, and `finish` after it. Without `prepareLastBackward` gradients only accumulate locally.
/// @thread one at a time; backward may run in any thread
class GradientReducer {
 public:
  /// Checks that the parameters have the same shapes on all members, and gives parameters and
  /// buffers the values of group rank 0. @errors EngineFailure @thread all members together; blocks
  [[nodiscard]] static Result<std::unique_ptr<GradientReducer>> create(
      std::shared_ptr<RankGroup> group, std::vector<at::Tensor> parameters,
      const std::vector<at::Tensor>& buffers, const GradientReducerOptions& options);
  /// Removes the hooks from the parameters.
  ~GradientReducer();
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;

  /// Before the first forward of a step. After the first step it also orders the buckets as the
  /// gradients came. @errors EngineFailure @thread all members together; may block
  [[nodiscard]] Status prepareForward();
  /// Right before the last backward of a step, and before no other one: earlier gradients of the
  /// step would be missing in the mean without any error. `outputs` are those of its forward; they
  /// matter only with `findUnused`. @errors EngineFailure
  [[nodiscard]] Status prepareLastBackward(const std::vector<at::Tensor>& outputs);
  /// Hands over gradients that were made elsewhere: those in `.grad()` of the parameters with these
  /// indices count as computed. Call it instead of a last backward, after `prepareLastBackward`,
  /// with all parameters; the means are in `.grad()` when it returns.
  /// @errors EngineFailure @thread any; blocks
  [[nodiscard]] Status handOver(const std::vector<std::size_t>& parameters);
  /// After the last backward: checks that all buckets were reduced.
  /// @returns when each bucket of the step was reduced @errors EngineFailure: a gradient is missing
  [[nodiscard]] Result<std::vector<BucketSpan>> finish();

 private:
  struct Impl;
  explicit GradientReducer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::run
