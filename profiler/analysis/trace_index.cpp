#include "profiler/analysis/trace_index.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "engine/trace/memory_set.h"

namespace stagelane::analysis::detail {
namespace {

using trace::Category;

bool before(const Span& left, const Span& right) {
  if (left.startNs != right.startNs) return left.startNs < right.startNs;
  if (left.empty() != right.empty()) return left.empty();
  return left.endNs != right.endNs ? left.endNs > right.endNs : left.event < right.event;
}

/// The category in which events of this name are collectives: NCCL kernels, c10d calls, and
/// annotations of its CPU backends. Empty for other names.
std::optional<Category> collectiveIn(std::string_view name) {
  constexpr std::pair<std::string_view, Category> kPrefixes[] = {
      {"nccl", Category::Kernel}, {"c10d::", Category::Operator}, {"gloo:", Category::Other},
      {"mpi:", Category::Other},  {"ucc:", Category::Other},
  };
  for (const auto& [prefix, category] : kPrefixes) {
    if (name.substr(0, prefix.size()) == prefix) return category;
  }
  return std::nullopt;
}

}  // namespace

void Cover::beginTrack() {
  m_mixed |= !m_spans.empty();
  m_trackBegin = m_spans.size();
}

void Cover::addSorted(const Span& span) {
  if (m_spans.size() == m_trackBegin) {
    m_spans.push_back(span);
    return;
  }
  const Span last = m_spans.back();
  if (!span.empty()) {
    if (span.endNs > last.endNs) m_spans.push_back(span);
    return;
  }
  // In a track the empty interval of a start comes last; here it comes first.
  if (last.startNs == span.startNs && !last.empty()) {
    const bool only = m_spans.size() == m_trackBegin + 1;
    if (only || m_spans[m_spans.size() - 2].endNs < span.startNs) {
      m_spans.insert(m_spans.end() - 1, span);
    }
  } else if (last.endNs < span.startNs) {
    m_spans.push_back(span);
  }
}

void Cover::merge() {
  if (!m_mixed) {
    m_spans.shrink_to_fit();
    return;
  }
  std::sort(m_spans.begin(), m_spans.end(), before);
  std::size_t kept = 0;
  for (const Span& span : m_spans) {
    const bool covered = kept > 0 && span.endNs <= m_spans[kept - 1].endNs;
    if (!covered) m_spans[kept++] = span;
  }
  m_spans.resize(kept);
  m_spans.shrink_to_fit();
}

std::size_t Cover::firstAfter(TimeNs timeNs) const {
  const auto found = std::lower_bound(
      m_spans.begin(), m_spans.end(), timeNs, [](const Span& span, TimeNs limitNs) {
        return span.empty() ? span.endNs < limitNs : span.endNs <= limitNs;
      });
  return static_cast<std::size_t>(found - m_spans.begin());
}

std::size_t Cover::firstIn(TimeNs startNs, TimeNs endNs) const {
  const std::size_t first = firstAfter(startNs);
  const auto begin = m_spans.begin() + static_cast<std::ptrdiff_t>(first);
  const auto inside =
      std::lower_bound(begin, m_spans.end(), startNs,
                       [](const Span& span, TimeNs limitNs) { return span.startNs < limitNs; });
  if (inside == begin) return first;
  const auto reaching = std::lower_bound(
      begin, inside, endNs, [](const Span& span, TimeNs limitNs) { return span.endNs < limitNs; });
  const auto owner = reaching == inside ? std::prev(inside) : reaching;
  return static_cast<std::size_t>(owner - m_spans.begin());
}

bool Cover::touches(TimeNs startNs, TimeNs endNs) const {
  const auto found =
      std::lower_bound(m_spans.begin(), m_spans.end(), startNs,
                       [](const Span& span, TimeNs limitNs) { return span.endNs < limitNs; });
  return found != m_spans.end() && found->startNs <= endNs;
}

std::uint64_t TensorTable::keyOf(const Tensor& tensor) {
  return (static_cast<std::uint64_t>(tensor.forward) << 63U) |
         (static_cast<std::uint64_t>(static_cast<std::uint32_t>(tensor.stage)) << 32U) |
         static_cast<std::uint32_t>(tensor.microBatch);
}

void TensorTable::add(const Tensor& tensor, std::int32_t device, const Span& span) {
  m_entries.push_back({keyOf(tensor), device, span});
}

void TensorTable::freeze() {
  const auto order = [](const Entry& entry) {
    return std::tie(entry.key, entry.device, entry.span.endNs, entry.span.event);
  };
  std::sort(m_entries.begin(), m_entries.end(),
            [&](const Entry& left, const Entry& right) { return order(left) < order(right); });
  m_spans.reserve(m_entries.size());
  std::vector<std::size_t> begins;
  for (std::size_t index = 0; index < m_entries.size(); ++index) {
    const Entry& entry = m_entries[index];
    m_spans.push_back(entry.span);
    if (index == 0 || m_entries[index - 1].key != entry.key ||
        m_entries[index - 1].device != entry.device) {
      begins.push_back(index);
      m_keys.push_back(entry.key);
      m_candidates.push_back({entry.device, {}, {}});
    }
  }
  begins.push_back(m_spans.size());
  std::vector<std::size_t> trees;
  for (std::size_t at = 0; at < m_candidates.size(); ++at) {
    trees.push_back(m_leastStart.size());
    addTree(begins[at], begins[at + 1]);
  }
  trees.push_back(m_leastStart.size());
  for (std::size_t at = 0; at < m_candidates.size(); ++at) {
    m_candidates[at].spans = std::span(m_spans).subspan(begins[at], begins[at + 1] - begins[at]);
    m_candidates[at].leastStart =
        std::span(m_leastStart).subspan(trees[at], trees[at + 1] - trees[at]);
  }
  m_entries = {};
}

void TensorTable::addTree(std::size_t first, std::size_t last) {
  const std::size_t leaves = std::bit_ceil(last - first);
  const std::size_t root = m_leastStart.size();
  m_leastStart.resize(root + leaves * 2, std::numeric_limits<TimeNs>::max());
  TimeNs* const tree = m_leastStart.data() + root;
  for (std::size_t index = first; index < last; ++index) {
    tree[leaves + index - first] = m_spans[index].startNs;
  }
  for (std::size_t node = leaves - 1; node > 0; --node) {
    tree[node] = std::min(tree[node * 2], tree[node * 2 + 1]);
  }
}

std::span<const Candidates> TensorTable::of(const Tensor& tensor) const {
  if (tensor.stage < 0) return {};
  const auto [first, last] = std::equal_range(m_keys.begin(), m_keys.end(), keyOf(tensor));
  return std::span(m_candidates)
      .subspan(static_cast<std::size_t>(first - m_keys.begin()),
               static_cast<std::size_t>(last - first));
}

std::size_t Candidates::firstStartingBy(std::size_t from, TimeNs limitNs) const {
  const std::size_t leaves = leastStart.size() / 2;
  if (from >= spans.size()) return spans.size();
  std::size_t node = leaves + from;
  while (leastStart[node] > limitNs) {
    while ((node & 1U) == 1U) {
      node /= 2;  // a right child: continue after its parent
    }
    if (node == 0) return spans.size();
    ++node;
  }
  while (node < leaves) node = leastStart[node * 2] <= limitNs ? node * 2 : node * 2 + 1;
  return node - leaves;
}

const Span* Candidates::choose(TimeNs beforeNs, TimeNs startNs, TimeNs endNs) const {
  const auto byEnd = [](const Span& span, TimeNs limitNs) { return span.endNs < limitNs; };
  const auto late =
      std::upper_bound(spans.begin(), spans.end(), beforeNs,
                       [](TimeNs limitNs, const Span& span) { return limitNs < span.endNs; });
  if (late != spans.begin() && std::prev(late)->endNs >= startNs) {
    return &*std::lower_bound(spans.begin(), late, std::prev(late)->endNs, byEnd);
  }
  const std::size_t found = firstStartingBy(static_cast<std::size_t>(late - spans.begin()), endNs);
  return found < spans.size() && spans[found].endNs >= startNs ? &spans[found] : nullptr;
}

TraceIndex::TraceIndex(const trace::Trace& trace) : m_trace(trace) {
  m_devices.resize(trace.devices().size());
  m_peerCopies.resize(trace.devices().size());
  for (const std::string& name : trace.names()) m_collectives.push_back(collectiveIn(name));
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    const std::int32_t device = trace.tracks()[track].device;
    if (device < 0) continue;
    DeviceCovers& covers = m_devices[static_cast<std::size_t>(device)];
    for (Cover* const cover : {&covers.actions, &covers.kernels, &covers.operators, &covers.reduces,
                               &covers.copies, &covers.transfers, &covers.syncs}) {
      cover->beginTrack();
    }
    const auto [first, last] = trace.rangeOfTrack(track);
    for (std::size_t event = first; event < last; ++event) {
      add(static_cast<std::size_t>(device), event);
    }
  }
  addCopiesOfPeers();
  for (DeviceCovers& covers : m_devices) {
    for (Cover* const cover : {&covers.actions, &covers.kernels, &covers.operators, &covers.reduces,
                               &covers.copies, &covers.transfers, &covers.syncs}) {
      cover->merge();
    }
  }
  findHosts();
  addCollectivesOfHosts();
  m_producers.freeze();
  m_receives.freeze();
}

bool TraceIndex::isCollective(std::size_t event) const {
  return m_collectives[m_trace.nameNumbers()[event]] == m_trace.categories()[event];
}

/// Only for hosts that are devices. With GPUs, these records have only a collective's launch.
void TraceIndex::addCollectivesOfHosts() {
  if (std::all_of(m_collectives.begin(), m_collectives.end(), [](std::optional<Category> category) {
        return !category || category == Category::Kernel;
      })) {
    return;
  }
  for (std::size_t track = 0; track < m_trace.tracks().size(); ++track) {
    const std::int32_t device = m_trace.tracks()[track].device;
    if (device < 0 || m_devices[static_cast<std::size_t>(device)].host) continue;
    DeviceCovers& covers = m_devices[static_cast<std::size_t>(device)];
    covers.copies.beginTrack();
    covers.transfers.beginTrack();
    const auto [first, last] = m_trace.rangeOfTrack(track);
    for (std::size_t event = first; event < last; ++event) {
      const TimeNs startNs = m_trace.startsNs()[event];
      const TimeNs durationNs = m_trace.durationsNs()[event];
      const bool isKernel = m_trace.categories()[event] == Category::Kernel;
      if (durationNs > 0 && !isKernel && isCollective(event)) {
        covers.copies.addSorted({startNs, startNs + durationNs, static_cast<std::uint32_t>(event)});
        covers.transfers.addSorted(
            {startNs, startNs + durationNs, static_cast<std::uint32_t>(event)});
      }
    }
  }
  for (DeviceCovers& covers : m_devices) {
    covers.copies.merge();
    covers.transfers.merge();
  }
}

/// Devices without any event: a plan leaves them idle.
std::vector<bool> TraceIndex::idleDevices() const {
  std::vector<bool> places(m_devices.size(), false);
  std::vector<bool> events(m_devices.size(), false);
  for (std::size_t index = 0; index < m_trace.tracks().size(); ++index) {
    const trace::Track& track = m_trace.tracks()[index];
    const auto [first, last] = m_trace.rangeOfTrack(index);
    if (track.device >= 0) {
      const auto device = static_cast<std::size_t>(track.device);
      places[device] = places[device] || track.kind == trace::TrackKind::Compute ||
                       track.kind == trace::TrackKind::Copy ||
                       track.kind == trace::TrackKind::Kernels;
      events[device] = events[device] || first != last;
    }
  }
  for (std::size_t device = 0; device < places.size(); ++device) {
    places[device] = places[device] && !events[device];
  }
  return places;
}

/// A copy between two devices is recorded on one of them but explains waits of both.
void TraceIndex::addCopiesOfPeers() {
  for (std::size_t device = 0; device < m_devices.size(); ++device) {
    std::vector<Span>& copies = m_peerCopies[device];
    std::sort(copies.begin(), copies.end(), before);
    for (Cover* const cover : {&m_devices[device].copies, &m_devices[device].transfers}) {
      cover->beginTrack();
      for (const Span& span : copies) cover->addSorted(span);
    }
    copies.clear();
  }
}

void TraceIndex::findHosts() {
  const auto computes = [](const DeviceCovers& covers) {
    return !covers.actions.spans().empty() || !covers.kernels.spans().empty();
  };
  const auto operates = [](const DeviceCovers& covers) {
    return !covers.operators.spans().empty();
  };
  const bool anyComputes = std::any_of(m_devices.begin(), m_devices.end(), computes);
  if (!anyComputes && std::none_of(m_devices.begin(), m_devices.end(), operates)) return;
  const std::vector<bool> idle = idleDevices();
  for (std::size_t device = 0; device < m_devices.size(); ++device) {
    DeviceCovers& covers = m_devices[device];
    const bool moves = !covers.transfers.spans().empty() || !covers.syncs.spans().empty();
    const bool works = anyComputes ? computes(covers) : operates(covers);
    covers.host = !works && !moves && !idle[device];
  }
}

void TraceIndex::add(std::size_t device, std::size_t event) {
  const TimeNs startNs = m_trace.startsNs()[event];
  const Span span{startNs, startNs + m_trace.durationsNs()[event],
                  static_cast<std::uint32_t>(event)};
  DeviceCovers& covers = m_devices[device];
  const auto explain = [&covers, &span](Cover* special) {
    if (span.empty()) return;
    covers.copies.addSorted(span);
    covers.transfers.addSorted(span);
    if (special != nullptr) special->addSorted(span);
  };
  switch (m_trace.categories()[event]) {
    case Category::Forward:
    case Category::Backward:
    case Category::BackwardInput:
    case Category::BackwardWeight:
    case Category::Loss:
    case Category::Optimizer:
      covers.actions.addSorted(span);
      covers.anyStage |= m_trace.stages()[event] >= 0;
      break;
    case Category::Kernel:
      // NCCL kernels wait and move data; HTA also counts them as communication.
      isCollective(event) ? explain(nullptr) : covers.kernels.addSorted(span);
      break;
    case Category::Operator:
      if (!isCollective(event)) covers.operators.addSorted(span);
      break;
    case Category::Reduce: explain(&covers.reduces); break;
    case Category::RecvForward:
    case Category::RecvBackward: explain(nullptr); break;
    case Category::Copy:
      // A memory set neither computes nor moves data; HTA leaves it out of both as well.
      if (trace::isMemorySet(m_trace.event(event))) break;
      explain(nullptr);
      if (const trace::Transfer* const transfer = m_trace.transferOf(event);
          transfer != nullptr && transfer->peer >= 0 && !span.empty()) {
        m_peerCopies[static_cast<std::size_t>(transfer->peer)].push_back(span);
      }
      break;
    case Category::SendForward:
    case Category::SendBackward:
      if (!span.empty()) covers.transfers.addSorted(span);
      break;
    case Category::Sync:
      if (!span.empty()) covers.syncs.addSorted(span);
      break;
    case Category::Other: break;
  }
  addTensor(device, span);
}

void TraceIndex::addTensor(std::size_t device, const Span& span) {
  const std::int32_t stage = m_trace.stages()[span.event];
  if (stage < 0) return;
  const Category category = m_trace.categories()[span.event];
  const bool forward = category == Category::Forward || category == Category::RecvForward;
  const bool receive = category == Category::RecvForward || category == Category::RecvBackward;
  const bool producer = category == Category::Forward || category == Category::Backward ||
                        category == Category::BackwardInput;
  if (!receive && !producer) return;
  (receive ? m_receives : m_producers)
      .add({forward, stage, m_trace.microBatches()[span.event]}, static_cast<std::int32_t>(device),
           span);
  if (producer && forward) m_stages.insert(stage);
}

}  // namespace stagelane::analysis::detail
