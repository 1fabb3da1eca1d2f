#include "profiler/analysis/hta.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/base/quantile.h"
#include "profiler/analysis/hta_rows.h"

namespace stagelane::analysis {
namespace {

using detail::HtaException;
using detail::HtaKind;
using detail::HtaRow;
using detail::HtaTable;
using Texts = std::vector<std::string>;

/// HTA's default `consecutive_kernel_delay`: named ns there, but compared with microseconds.
constexpr double kKernelWaitBelowUs = 30.0;
/// Links of a row: no correlation, and a correlation without a partner. HTA looks the second one up
/// as row 0 of the file.
constexpr std::int64_t kNoLink = -1;
constexpr std::int64_t kNoPartner = 0;

struct LinkedRow {
  HtaRow row;
  std::int64_t link = kNoLink;
};
using Rows = std::vector<LinkedRow>;

struct Interval {
  double startUs = 0.0;
  double endUs = 0.0;
};
using Intervals = std::vector<Interval>;

/// A figure as HTA shows it: an integer if whole, null for NaN.
Json figure(double value) {
  constexpr double kLargestWhole = 9007199254740992.0;
  if (!std::isfinite(value)) return nullptr;
  if (std::floor(value) == value && std::abs(value) < kLargestWhole) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

/// numpy's round to two decimals: scaled, half to even, unscaled.
double roundedTwo(double value) {
  constexpr double kScale = 100.0;
  return std::nearbyint(value * kScale) / kScale;
}

Json exceptionJson(const HtaException& exception) {
  return {{"exception", exception.type}, {"message", exception.message}};
}

/// Sorted and merged, also if they only touch. `accept` selects the rows.
template <class Accept>
Intervals unionOf(const Rows& rows, Accept accept) {
  Intervals sorted;
  for (const LinkedRow& linked : rows) {
    if (linked.row.gpu() && accept(linked.row)) {
      sorted.push_back({linked.row.startUs, linked.row.endUs});
    }
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Interval& left, const Interval& right) {
    return left.startUs < right.startUs;
  });
  Intervals merged;
  double latestEndUs = -std::numeric_limits<double>::infinity();
  for (const Interval& interval : sorted) {
    if (!merged.empty() && interval.startUs <= latestEndUs) {
      merged.back().endUs = std::max(merged.back().endUs, interval.endUs);
    } else {
      merged.push_back(interval);
    }
    latestEndUs = std::max(latestEndUs, interval.endUs);
  }
  return merged;
}

double lengthOf(const Intervals& intervals) {
  double length = 0.0;
  for (const Interval& interval : intervals) length += interval.endUs - interval.startUs;
  return length;
}

double commonLength(const Intervals& left, const Intervals& right) {
  double length = 0.0;
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    length += std::max(
        0.0, std::min(left[i].endUs, right[j].endUs) - std::max(left[i].startUs, right[j].startUs));
    left[i].endUs < right[j].endUs ? ++i : ++j;
  }
  return length;
}

/// Rows that HTA's GPUKernelFilter selects.
bool onGpu(const HtaRow& row, const Texts& texts) {
  return (row.stream >= 0 && row.correlation >= 0.0) || texts[row.name] == "Event Sync" ||
         texts[row.name] == "Context Sync";
}

/// Joins host and GPU rows of one correlation; the last of several partners counts.
Rows link(const std::vector<HtaRow>& rows, const Texts& texts) {
  Rows linked;
  struct Partners {
    std::int64_t host = kNoLink;
    std::int64_t gpu = kNoLink;
  };
  std::unordered_map<double, Partners> partners;
  for (const HtaRow& row : rows) {
    linked.push_back({row, row.correlation < 0.0 ? kNoLink : kNoPartner});
    if (row.correlation != -1.0) {
      Partners& pair = partners[row.correlation];
      (onGpu(row, texts) ? pair.gpu : pair.host) = row.index;
    }
  }
  for (LinkedRow& entry : linked) {
    const auto found = partners.find(entry.row.correlation);
    if (found == partners.end() || found->second.host < 0 || found->second.gpu < 0) continue;
    entry.link = onGpu(entry.row, texts) ? found->second.host : found->second.gpu;
  }
  return linked;
}

bool namesStep(const std::string& text) { return text.find("ProfilerStep") != std::string::npos; }

/// The host rows that HTA keeps if the trace has two or more profiler steps.
Rows keptHostRows(const Rows& rows, const Texts& texts, LastProfilerStep lastStep) {
  double lastStartUs = -std::numeric_limits<double>::infinity();
  double lastEndUs = lastStartUs;
  double firstUs = std::numeric_limits<double>::infinity();
  for (const LinkedRow& linked : rows) {
    firstUs = std::min(firstUs, linked.row.startUs);
    if (!onGpu(linked.row, texts) && namesStep(texts[linked.row.name])) {
      lastStartUs = std::max(lastStartUs, linked.row.startUs);
      lastEndUs = std::max(lastEndUs, linked.row.endUs);
    }
  }
  Rows kept;
  for (const LinkedRow& linked : rows) {
    // HTA compares a start relative to the first event with an absolute end.
    const bool stays = lastStep == LastProfilerStep::Included
                           ? linked.row.startUs - firstUs <= lastEndUs
                           : linked.row.startUs < lastStartUs;
    if (stays && !onGpu(linked.row, texts)) kept.push_back(linked);
  }
  return kept;
}

/// GPU rows are kept once for each kept host row of their correlation.
Rows withoutLastStep(const Rows& rows, const Texts& texts, LastProfilerStep lastStep) {
  std::set<std::string_view> steps;
  for (const LinkedRow& linked : rows) {
    for (const std::uint32_t text : {linked.row.name, linked.row.category}) {
      if (namesStep(texts[text])) steps.insert(texts[text]);
    }
  }
  if (steps.size() < 2) return rows;
  const Rows host = keptHostRows(rows, texts, lastStep);
  std::unordered_map<double, std::size_t> copies;
  for (const LinkedRow& linked : host) ++copies[linked.row.correlation];
  Rows kept;
  for (const LinkedRow& linked : rows) {
    if (onGpu(linked.row, texts)) {
      const auto found = copies.find(linked.row.correlation);
      kept.insert(kept.end(), found == copies.end() ? 0 : found->second, linked);
    }
  }
  kept.insert(kept.end(), host.begin(), host.end());
  return kept;
}

class Measures {
 public:
  Measures(Rows rows, const Texts& texts) : m_rows(std::move(rows)), m_texts(texts) {
    for (const std::string& text : texts) m_kinds.push_back(detail::htaKindOf(text));
  }

  [[nodiscard]] Json temporal() const {
    const Intervals all = unionOf(m_rows, [](const HtaRow&) { return true; });
    if (all.empty()) return exceptionJson({"IndexError", "no event ran on a GPU"});
    const double totalUs = all.back().endUs - all.front().startUs;
    const double idleUs = totalUs - lengthOf(all);
    const double computeUs = lengthOf(unionOfKind(HtaKind::Computation));
    const double otherUs = totalUs - computeUs - idleUs;
    if (idleUs > totalUs || computeUs > totalUs || otherUs < 0.0) {
      return exceptionJson({"AssertionError", "negative durations: the parts exceed the whole"});
    }
    const auto percent = [totalUs](double partUs) {
      return figure(roundedTwo(100.0 * (partUs / totalUs)));
    };
    return {{"idle_time_us", figure(idleUs)},           {"compute_time_us", figure(computeUs)},
            {"non_compute_time_us", figure(otherUs)},   {"kernel_time_us", figure(totalUs)},
            {"idle_time_pctg", percent(idleUs)},        {"compute_time_pctg", percent(computeUs)},
            {"non_compute_time_pctg", percent(otherUs)}};
  }

  [[nodiscard]] Json overlap() const {
    const Intervals communication = unionOfKind(HtaKind::Communication);
    const double common = commonLength(communication, unionOfKind(HtaKind::Computation));
    const double ratio = common / lengthOf(communication);
    return {{"comp_comm_overlap_pctg", figure(roundedTwo(100.0 * ratio))}};
  }

  [[nodiscard]] Json idle() const;
  [[nodiscard]] Json queue() const;

 private:
  [[nodiscard]] Intervals unionOfKind(HtaKind kind) const {
    return unionOf(m_rows, [this, kind](const HtaRow& row) { return m_kinds[row.name] == kind; });
  }
  [[nodiscard]] bool isLaunch(const LinkedRow& linked) const;
  void addStreamIdle(std::int64_t stream, std::vector<const LinkedRow*> rows,
                     const std::unordered_map<std::int64_t, double>& startOfRow, Json& out) const;

  Rows m_rows;
  const Texts& m_texts;
  std::vector<HtaKind> m_kinds;
};

/// The gaps of one stream with one cause. The first row of a stream has no gap, but adds the cause
/// `other`.
struct Gaps {
  bool occurs = false;
  std::size_t count = 0;
  double sumUs = 0.0;
  double leastUs = std::numeric_limits<double>::infinity();
  double mostUs = -std::numeric_limits<double>::infinity();

  void add(double gapUs) {
    occurs = true;
    ++count;
    sumUs += gapUs;
    leastUs = std::min(leastUs, gapUs);
    mostUs = std::max(mostUs, gapUs);
  }
};

void Measures::addStreamIdle(std::int64_t stream, std::vector<const LinkedRow*> rows,
                             const std::unordered_map<std::int64_t, double>& startOfRow,
                             Json& out) const {
  static constexpr std::array<const char*, 3> kCauses = {"host_wait", "kernel_wait", "other"};
  std::stable_sort(rows.begin(), rows.end(), [](const LinkedRow* left, const LinkedRow* right) {
    return left->row.startUs < right->row.startUs;
  });
  std::array<Gaps, 3> gaps;
  gaps[2].occurs = true;
  for (std::size_t index = 1; index < rows.size(); ++index) {
    const double previousEndUs = rows[index - 1]->row.endUs;
    const double gapUs = rows[index]->row.startUs - previousEndUs;
    const auto launch = startOfRow.find(rows[index]->link);
    const bool hostWait = launch != startOfRow.end() && launch->second > previousEndUs;
    gaps[hostWait ? 0 : gapUs < kKernelWaitBelowUs ? 1 : 2].add(gapUs);
  }
  const double totalUs = gaps[0].sumUs + gaps[1].sumUs + gaps[2].sumUs;
  for (std::size_t cause = 0; cause < gaps.size(); ++cause) {
    const Gaps& part = gaps[cause];
    if (!part.occurs) continue;
    const double ratio = totalUs == 0.0 ? std::numeric_limits<double>::quiet_NaN()
                                        : roundedTwo(part.sumUs / totalUs);
    out["rows"].push_back({{"stream", stream},
                           {"category", kCauses[cause]},
                           {"idle_time_us", figure(roundedTwo(part.sumUs))},
                           {"idle_time_ratio", figure(ratio)}});
    const double mean = part.sumUs / static_cast<double>(part.count);
    out["interval_stats"].push_back({{"stream", stream},
                                     {"category", kCauses[cause]},
                                     {"count", part.count},
                                     {"mean", figure(roundedTwo(mean))},
                                     {"min", figure(roundedTwo(part.leastUs))},
                                     {"max", figure(roundedTwo(part.mostUs))}});
  }
}

Json Measures::idle() const {
  static const std::set<std::string_view> kCategories = {
      "kernel", "Kernel", "gpu_memset", "Memset", "gpu_memcpy", "Memcpy", "mtia_ccp_events"};
  std::unordered_map<std::int64_t, double> startOfRow;
  std::map<std::int64_t, std::vector<const LinkedRow*>> streams;
  for (const LinkedRow& linked : m_rows) {
    startOfRow.try_emplace(linked.row.index, linked.row.startUs);
    if (linked.row.gpu() && kCategories.count(m_texts[linked.row.category]) != 0) {
      streams[linked.row.stream].push_back(&linked);
    }
  }
  if (streams.empty()) {
    return exceptionJson({"ValueError", "no kernel, copy or memset ran on a stream"});
  }
  Json answer = {{"rows", Json::array()}, {"interval_stats", Json::array()}};
  for (const auto& [stream, rows] : streams) addStreamIdle(stream, rows, startOfRow, answer);
  return answer;
}

bool Measures::isLaunch(const LinkedRow& linked) const {
  static const std::set<std::string_view> kLaunches = {
      "cudaLaunchKernel",
      "cudaLaunchKernelExC",
      "cuLaunchKernel",
      "cudaMemcpyAsync",
      "cudaMemsetAsync",
      "hipLaunchKernel",
      "hipMemcpyAsync",
      "hipMemsetAsync",
      "hipExtModuleLaunchKernel",
      "hipMemcpyWithStream",
      "runFunction - job_prep_and_submit_for_execution"};
  return linked.link > 0 && kLaunches.count(m_texts[linked.row.name]) != 0;
}

/// pandas' describe: standard deviation with n - 1, linear quartiles.
Json describeLengths(std::int64_t stream, std::vector<double> lengths) {
  const auto count = static_cast<double>(lengths.size());
  double sum = 0.0;
  for (const double length : lengths) sum += length;
  const double mean = sum / count;
  double squares = 0.0;
  for (const double length : lengths) squares += (length - mean) * (length - mean);
  std::sort(lengths.begin(), lengths.end());
  return {{"stream", stream},
          {"count", lengths.size()},
          {"mean", figure(mean)},
          {"std", figure(std::sqrt(squares / (count - 1.0)))},
          {"min", figure(lengths.front())},
          {"25%", figure(quantile(lengths, 0.25))},
          {"50%", figure(quantile(lengths, 0.5))},
          {"75%", figure(quantile(lengths, 0.75))},
          {"max", figure(lengths.back())}};
}

Json Measures::queue() const {
  struct Change {
    double timeUs = 0.0;
    double by = 0.0;
    std::int64_t stream = -1;  ///< -1 for a launch whose partner ran on no stream
  };
  std::unordered_map<double, std::vector<std::int64_t>> streamsOf;
  std::set<double> launched;
  for (const LinkedRow& linked : m_rows) {
    if (linked.row.gpu()) streamsOf[linked.row.correlation].push_back(linked.row.stream);
    if (isLaunch(linked)) launched.insert(linked.row.correlation);
  }
  std::vector<Change> changes;
  for (const LinkedRow& linked : m_rows) {
    if (!isLaunch(linked)) continue;
    const auto found = streamsOf.find(linked.row.correlation);
    if (found == streamsOf.end()) {
      changes.push_back({linked.row.startUs, 1.0, -1});
      continue;
    }
    for (const std::int64_t stream : found->second) {
      changes.push_back({linked.row.startUs, 1.0, stream});
    }
  }
  const std::size_t ups = changes.size();
  for (const LinkedRow& linked : m_rows) {
    if (linked.row.gpu() && launched.count(linked.row.correlation) != 0) {
      changes.push_back({linked.row.startUs, -1.0, linked.row.stream});
    }
  }
  if (ups * 2 != changes.size()) {
    return exceptionJson({"AssertionError", "several launches share one correlation"});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& left, const Change& right) {
    return left.timeUs < right.timeUs;
  });
  std::map<std::int64_t, std::vector<double>> lengths;
  for (const Change& change : changes) {
    std::vector<double>& series = lengths[change.stream];
    series.push_back((series.empty() ? 0.0 : series.back()) + change.by);
  }
  lengths.erase(-1);
  if (lengths.empty()) return nullptr;
  Json answer = {{"rows", Json::array()}};
  for (auto& [stream, series] : lengths) {
    answer["rows"].push_back(describeLengths(stream, std::move(series)));
  }
  return answer;
}

Json partsOf(const std::vector<HtaRow>& rows, const Texts& texts, LastProfilerStep lastStep) {
  const Measures measures(withoutLastStep(link(rows, texts), texts, lastStep), texts);
  return {{"temporal", measures.temporal()},
          {"overlap", measures.overlap()},
          {"idle", measures.idle()},
          {"queue", measures.queue()}};
}

std::set<std::uint32_t> devicesOf(const std::vector<HtaRow>& rows) {
  std::set<std::uint32_t> devices;
  for (const HtaRow& row : rows) {
    if (row.gpu()) devices.insert(row.device);
  }
  return devices;
}

}  // namespace

Json analyzeHta(std::string bytes, LastProfilerStep lastStep) {
  const HtaTable table = detail::readHtaRows(bytes);
  if (table.refused) return {{"load", exceptionJson(*table.refused)}};
  Json answer = partsOf(table.rows, table.texts, lastStep);
  const std::set<std::uint32_t> devices = devicesOf(table.rows);
  if (devices.size() < 2) return answer;
  answer["warning"] = "The file has " + std::to_string(devices.size()) +
                      " devices, which HTA reads as one; per_device has the figures of each";
  for (const std::uint32_t device : devices) {
    std::vector<HtaRow> rows;
    std::copy_if(table.rows.begin(), table.rows.end(), std::back_inserter(rows),
                 [device](const HtaRow& row) { return !row.gpu() || row.device == device; });
    answer["per_device"][table.texts[device]] = partsOf(rows, table.texts, lastStep);
  }
  return answer;
}

}  // namespace stagelane::analysis
