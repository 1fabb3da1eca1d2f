#include "engine/predict/all_reduce.h"

#include <algorithm>

namespace stagelane::predict {
namespace {

constexpr double kMiB = 1 << 20;

/// A backward and the sums beside it, which slow each other down. Sums come one after another.
class Overlap {
 public:
  Overlap(const SumCosts& costs, double workNs) : m_costs(costs), m_workNs(workNs) {}

  /// Goes on until this much of the backward is done. @returns that time, at least that of the end
  /// of the last sum
  double workUntil(double doneNs) {
    const double left = std::max(0.0, std::min(doneNs, m_workNs) - m_doneNs);
    m_doneNs += left;
    m_nowNs += left;
    if (m_doneNs >= m_workNs) m_workEndNs = m_workEndNs < 0.0 ? m_nowNs : m_workEndNs;
    return m_nowNs;
  }
  /// One sum from now on. @returns its end
  double sum(double bytes) {
    const double aloneNs = m_costs.ns(bytes);
    const double busyNs = aloneNs * m_costs.busyFactor();
    const double workLeft = m_workNs - m_doneNs;
    const double besideNs = std::min(busyNs, workLeft * m_costs.computeFactor());
    m_doneNs += besideNs / m_costs.computeFactor();
    m_nowNs += besideNs;
    if (besideNs < busyNs) {
      if (m_workEndNs < 0.0) m_workEndNs = m_nowNs;
      m_doneNs = m_workNs;
      m_nowNs += aloneNs * (1.0 - besideNs / busyNs);
    }
    return m_nowNs;
  }
  /// When the backward ended. @pre workUntil its end
  [[nodiscard]] double workEndNs() const { return m_workEndNs; }

 private:
  const SumCosts& m_costs;
  double m_workNs;
  double m_doneNs = 0.0;
  double m_nowNs = 0.0;
  double m_workEndNs = -1.0;
};

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

double SumCosts::ns(double bytes) const {
  if (ring.replicas < 2) return 0.0;
  return measured ? measured->ns(bytes, ring.replicas) : allReduceNs(ring, bytes);
}

AllReduceTimes exposedAllReduce(const std::vector<GradientBytes>& gradients,
                                const plan::ReduceSpec& spec, const SumCosts& costs,
                                double backwardNs) {
  std::vector<GradientBytes> copied = gradients;
  double copyNs = 0.0;
  for (GradientBytes& gradient : copied) {
    copyNs += costs.copyNs(gradient.bytes);
    gradient.atNs += copyNs;
  }
  const std::vector<GradientBytes> buckets = bucketsOf(copied, spec);
  Overlap overlap(costs, backwardNs + copyNs);
  AllReduceTimes times;
  std::vector<double> ends;
  for (const GradientBytes& bucket : buckets) {
    const double startNs = overlap.workUntil(bucket.atNs);
    ends.push_back(overlap.sum(bucket.bytes));
    times.allNs += ends.back() - startNs;
  }
  overlap.workUntil(backwardNs + copyNs);
  const double backwardEndNs = overlap.workEndNs();
  double end = backwardEndNs;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const bool copies = !spec.gradientAsBucketView;
    end = std::max(end, ends[i]) + (copies ? costs.copyNs(buckets[i].bytes) : 0.0);
  }
  times.exposedNs = end - backwardEndNs;
  times.stretchNs = backwardEndNs - backwardNs;
  return times;
}

}  // namespace stagelane::predict
