#pragma once

/// Time of an all-reduce, and the part of it that a backward does not hide. Pure.

#include <optional>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/predict/process_sums.h"

namespace stagelane::predict {

/// A link: latency + bytes × time per byte. @units nanoseconds
struct LinkRate {
  double latencyNs = 0.0;
  double nsPerByte = 0.0;
  [[nodiscard]] double ns(double bytes) const { return latencyNs + nsPerByte * bytes; }
  friend auto operator<=>(const LinkRate&, const LinkRate&) = default;
};

/// Replicas that sum their gradients, each sending to the next over one of these links.
struct Ring {
  int replicas = 1;
  std::vector<LinkRate> links;  ///< without repetitions
};

/// Each of the 2(n−1) rounds moves an n-th of the bytes over every link and takes as long as the
/// slowest. @units nanoseconds; 0 for one replica
/// @source Patarasuk and Yuan, Bandwidth Optimal All-reduce Algorithms for Clusters of
/// Workstations, J. Parallel Distrib. Comput. 69 (2009), section 3
[[nodiscard]] double allReduceNs(const Ring& ring, double bytes);

/// Gradients that are summed together, and when a backward has the last of them.
struct GradientBytes {
  double bytes = 0.0;
  double atNs = 0.0;  ///< from the start of the backward
};

/// The buckets of gradients listed in the order in which a backward makes them: a bucket is closed
/// once it has reached its size, `firstBucketMb` for the first and `bucketMb` for the others. With
/// `findUnused`, buckets are filled in the order of the parameters, and the last one is sent first.
/// @source Li et al., PyTorch Distributed, VLDB 2020, arXiv:2006.15704, section 4.2; torch's
/// compute_bucket_assignment_by_size, which rebuilds the buckets after the first step
[[nodiscard]] std::vector<GradientBytes> bucketsOf(const std::vector<GradientBytes>& gradients,
                                                   const plan::ReduceSpec& spec);

/// What the all-reduces of a group cost.
struct SumCosts {
  Ring ring;
  std::optional<ProcessSums> measured;  ///< replaces the links of the ring

  [[nodiscard]] double ns(double bytes) const;
  [[nodiscard]] double busyFactor() const { return measured ? measured->busyFactor : 1.0; }
  [[nodiscard]] double computeFactor() const { return measured ? measured->computeFactor : 1.0; }
  [[nodiscard]] double copyNs(double bytes) const {
    return measured ? measured->copyNs(bytes) : 0.0;
  }
};

struct AllReduceTimes {
  double allNs = 0.0;      ///< of all buckets
  double exposedNs = 0.0;  ///< from the end of the backward to the last gradient's mean
  /// By how much the backward becomes longer: gradients are copied to buckets, and sums in progress
  /// take time from it.
  double stretchNs = 0.0;
  /// Part that the backward hides, in percent; 0 if there is nothing to reduce.
  [[nodiscard]] double hiddenPct() const {
    return allNs > 0.0 ? 100.0 * (1.0 - exposedNs / allNs) : 0.0;
  }
};
/// The buckets are reduced one after another, each once the backward has made its gradients. After
/// the backward, the means are copied from each bucket in order, once it is reduced.
/// `backwardNs`: length of the backward without any of this. @pre `gradients` in the order of their
/// times
/// @source c10d's Reducer (torch/csrc/distributed/c10d/reducer.cpp, PyTorch 2.11):
/// mark_variable_ready_dense copies to the bucket, finalize_backward waits for the buckets and
/// copies back, unless gradients are views of the buckets
[[nodiscard]] AllReduceTimes exposedAllReduce(const std::vector<GradientBytes>& gradients,
                                              const plan::ReduceSpec& spec, const SumCosts& costs,
                                              double backwardNs);

}  // namespace stagelane::predict
