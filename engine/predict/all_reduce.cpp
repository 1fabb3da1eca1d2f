#include "engine/predict/all_reduce.h"

#include <algorithm>

namespace stagelane::predict {
namespace {

constexpr double kMiB = 1 << 20;

}  // namespace

double allReduceNs(const Ring& ring, double bytes) {
  if (ring.replicas < 2) return 0.0;
  const auto replicas = static_cast<double>(ring.replicas);
  double round = 0.0;
  for (const LinkRate& link : ring.links) round = std::max(round, link.ns(bytes / replicas));
  return 2.0 * (replicas - 1.0) * round;
}

std::vector<GradientBytes> bucketsOf(const std::vector<GradientBytes>& gradients,
                                     const plan::ReduceSpec& spec) {
  std::vector<GradientBytes> ordered = gradients;
  if (spec.findUnused) std::reverse(ordered.begin(), ordered.end());
  std::vector<GradientBytes> buckets;
  bool open = false;
  for (const GradientBytes& gradient : ordered) {
    if (!open) buckets.emplace_back();
    GradientBytes& bucket = buckets.back();
    bucket.bytes += gradient.bytes;
    bucket.atNs = std::max(bucket.atNs, gradient.atNs);
    const double limit = buckets.size() == 1 ? spec.firstBucketMb : spec.bucketMb;
    open = bucket.bytes < limit * kMiB;
  }
  if (spec.findUnused) std::reverse(buckets.begin(), buckets.end());
  return buckets;
}

AllReduceTimes exposedAllReduce(const std::vector<GradientBytes>& gradients,
                                const plan::ReduceSpec& spec, const Ring& ring, double backwardNs) {
  AllReduceTimes times;
  double end = 0.0;
  for (const GradientBytes& bucket : bucketsOf(gradients, spec)) {
    const double took = allReduceNs(ring, bucket.bytes);
    end = std::max(end, bucket.atNs) + took;
    times.allNs += took;
  }
  times.exposedNs = std::max(0.0, end - backwardNs);
  return times;
}

}  // namespace stagelane::predict
