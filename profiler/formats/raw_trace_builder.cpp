#include "profiler/formats/raw_trace_builder.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <unordered_set>

#include "engine/trace/step_spans.h"
#include "engine/trace/trace_builder.h"
#include "profiler/formats/category_words.h"
#include "profiler/formats/flow_resolver.h"
#include "profiler/formats/perfetto_fields.h"

namespace stagelane::formats::detail {
namespace {

using trace::Category;
using trace::TraceBuilder;
using trace::TrackKind;

/// Depth limit of the track tree, which also ends cycles of parents.
constexpr int kDeepestTree = 32;

std::string lowerCase(std::string text) {
  for (char& character : text) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
  }
  return text;
}

/// The kind of another program's track, by its name.
TrackKind kindByName(const std::string& name) {
  const std::string text = lowerCase(name);
  const auto has = [&text](const char* part) { return text.find(part) != std::string::npos; };
  if (has("compute")) return TrackKind::Compute;
  if (has("copy") || has("copies") || has("transfer")) return TrackKind::Copy;
  if (has("kernel") || has("stream")) return TrackKind::Kernels;
  return text == "ops" || has("operator") ? TrackKind::Operators : TrackKind::Other;
}

/// Creates the tracks, then everything on them.
class RawTraceBuilder {
 public:
  explicit RawTraceBuilder(RawRecords& raw) : m_raw(raw) {}

  ReadTrace build() {
    makeTracks();
    m_kinds.resize(m_raw.kinds.size());
    m_names.assign(m_raw.texts.size(), kUnknown);
    m_builder.reserve(m_raw.slices.size());
    FlowResolver flows(m_raw);
    m_numbers.assign(flows.empty() ? 0 : m_raw.slices.size(), TraceBuilder::kNoEvent);
    auto bytes = m_raw.bytes.begin();
    for (std::uint32_t slice = 0; slice < m_raw.slices.size(); ++slice) {
      const bool hasBytes = bytes != m_raw.bytes.end() && bytes->first == slice;
      addSlice(slice, hasBytes ? (bytes++)->second : 0);
    }
    for (const auto& [from, to] : flows.pairs()) m_builder.addFlow(m_numbers[from], m_numbers[to]);
    addPoints();
    addSteps();
    for (const auto& [key, value] : m_raw.metadata) m_builder.setMetadata(key, value);
    m_builder.setPredicted(m_raw.predicted);
    // The builder has already counted what it rejected.
    m_builder.addDropped(m_raw.dropped + m_raw.report.lost - m_refused);
    m_raw.slices = {};
    return finish();
  }

 private:
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFFU;

  /// The trace, and the details in the order of its events.
  ReadTrace finish() {
    std::vector<std::uint32_t> order;
    ReadTrace read{std::move(m_builder).build(order), m_raw.report};
    if (m_raw.details) {
      for (std::uint32_t& number : order) number = m_slices[number];
      m_raw.details->reorder(order);
      read.details = std::move(m_raw.details);
    }
    return read;
  }

  /// The result for all slices of a kind.
  struct Made {
    bool known = false;
    bool isStep = false;
    bool isAnnotation = false;
    std::uint8_t word = 0;
    TraceBuilder::NewEvent event;
  };

  [[nodiscard]] const RawTrack& trackOf(const SliceKind& kind) const {
    return m_raw.tracks.at(m_raw.order[kind.track]);
  }

  /// All tracks by Stagelane, and the non-empty tracks of other programs, in file order.
  void makeTracks() {
    std::set<std::pair<std::size_t, std::uint32_t>> used;
    for (const std::uint64_t uuid : m_raw.order) {
      const RawTrack& track = m_raw.tracks.at(uuid);
      if (track.ownKind && !track.hidden) used.emplace(track.order, 0);
    }
    const std::vector<bool> ended = endedKinds();
    for (std::size_t number = 0; number < ended.size(); ++number) {
      const SliceKind& kind = m_raw.kinds[number];
      if (ended[number] && !isStep(kind)) {
        used.emplace(kind.track, trackOf(kind).ownKind ? 0 : kind.device);
      }
    }
    for (const RawPoint& point : m_raw.points) used.emplace(m_raw.track(point.track).order, 0);
    for (const auto& [order, device] : used) static_cast<void>(place(m_raw.order[order], device));
  }

  /// The kinds with a slice that ended.
  [[nodiscard]] std::vector<bool> endedKinds() const {
    std::vector<bool> ended(m_raw.kinds.size(), false);
    for (const RawRecords::Slice& slice : m_raw.slices) {
      if (slice.endNs != RawRecords::kOpen) ended[slice.kind] = true;
    }
    return ended;
  }

  [[nodiscard]] bool isStep(const SliceKind& kind) const {
    return m_raw.texts.text(kind.category) == kStepCategory;
  }

  /// From the root to the track.
  std::vector<const RawTrack*> pathTo(std::uint64_t uuid) {
    std::vector<const RawTrack*> path;
    for (int depth = 0; depth < kDeepestTree; ++depth) {
      const auto found = m_raw.tracks.find(uuid);
      if (found == m_raw.tracks.end()) break;
      path.insert(path.begin(), &found->second);
      if (found->second.parent == 0) break;
      uuid = found->second.parent;
    }
    return path;
  }

  /// The builder's track for a track of the file, under the named device (0 for the tree's device).
  std::uint16_t place(std::uint64_t uuid, std::uint32_t device) {
    const auto known = m_placed.find({uuid, device});
    if (known != m_placed.end()) return known->second;
    const std::uint16_t made = makeTrack(pathTo(uuid), device);
    m_placed.emplace(std::pair{uuid, device}, made);
    return made;
  }

  /// The device of a root. Processes with the same name, except the first, get their number.
  std::string deviceNameOf(const RawTrack& root) {
    std::string name = root.name;
    if (root.ownKind || root.process.empty()) return name;
    while (m_processes.try_emplace(name, root.process).first->second != root.process) {
      name += " (pid " + root.process + ")";
    }
    return name;
  }

  std::uint16_t makeTrack(const std::vector<const RawTrack*>& path, std::uint32_t device) {
    const RawTrack& track = *path.back();
    const bool rootIsDevice = !path.front()->ownKind || path.front()->kind == TrackKind::Device;
    std::int32_t owner = -1;
    if (device != 0) {
      owner = m_builder.device(m_raw.texts.text(device));
    } else if (rootIsDevice) {
      owner = m_builder.device(deviceNameOf(*path.front()));
    }
    const bool isDevice = path.size() == 1 && track.ownKind && rootIsDevice;
    const bool ownName = device != 0 && track.name == m_raw.texts.text(device);
    TrackKind kind = track.ownKind ? track.kind : kindByName(track.name);
    if (track.counter) {
      kind = TrackKind::Counter;
    } else if (isDevice && (device == 0 || ownName)) {
      kind = TrackKind::Device;
    }
    const std::string name = nameBelowRoot(path);
    return m_builder.track(
        owner, kind, track.counter && !track.ownKind ? counterNameOf(track, owner, name) : name);
  }

  /// Keeps several counters of one name separate.
  std::string counterNameOf(const RawTrack& track, std::int32_t owner, const std::string& name) {
    std::string own = name;
    for (int count = 2;
         m_counters.try_emplace({owner, own}, track.order).first->second != track.order; ++count) {
      own = name + " (" + std::to_string(count) + ")";
    }
    return own;
  }

  static std::string nameBelowRoot(const std::vector<const RawTrack*>& path) {
    std::string name;
    for (std::size_t level = path.size() == 1 ? 0 : 1; level < path.size(); ++level) {
      name += (name.empty() ? "" : " / ") + path[level]->name;
    }
    return name;
  }

  const Made& madeOf(std::uint32_t number) {
    Made& made = m_kinds[number];
    if (made.known) return made;
    const SliceKind& kind = m_raw.kinds[number];
    const std::string& word = m_raw.texts.text(kind.category);
    made.known = true;
    made.isStep = isStep(kind);
    made.isAnnotation = word == "user_annotation";
    if (made.isStep) return made;
    TraceBuilder::NewEvent& event = made.event;
    event.category = categoryOfWord(word);
    const Category said = trace::categoryFromWord(m_raw.texts.text(kind.action));
    if (event.category == Category::Other || trace::actionKindOf(said)) event.category = said;
    made.word = m_builder.wordNumber(event.category, word);
    event.track = place(m_raw.order[kind.track], trackOf(kind).ownKind ? 0 : kind.device);
    event.stage = StageId{kind.stage};
    event.microBatch = MicroBatchId{kind.microBatch};
    event.peer = kind.peer == 0 ? -1 : m_builder.device(m_raw.texts.text(kind.peer));
    return made;
  }

  [[nodiscard]] std::uint32_t nameOf(std::uint32_t text) {
    std::uint32_t& name = m_names[text];
    if (name == kUnknown) name = m_builder.nameNumber(m_raw.texts.text(text));
    return name;
  }

  void addSlice(std::uint32_t number, std::int64_t bytes) {
    const RawRecords::Slice& slice = m_raw.slices[number];
    if (slice.endNs == RawRecords::kOpen) {
      m_raw.lose(1, "\"" + m_raw.texts.text(slice.name) + "\" at " + std::to_string(slice.startNs) +
                        " ns has no end");
      return;
    }
    const SliceKind& kind = m_raw.kinds[slice.kind];
    const Made& made = madeOf(slice.kind);
    if (made.isStep) {
      m_steps.push_back({std::max(0, kind.repeat), std::max(0, kind.step), slice.startNs,
                         slice.endNs, kind.extra != 0});
      return;
    }
    if (made.isAnnotation) noteStep(slice);
    TraceBuilder::NewEvent event = made.event;
    event.startNs = slice.startNs;
    event.durationNs = slice.endNs - slice.startNs;
    event.correlation = slice.correlation;
    event.bytes = bytes;
    const std::uint32_t added = m_builder.add(event, nameOf(slice.name), made.word);
    if (added == TraceBuilder::kNoEvent) {
      refuse(event.track, "\"" + m_raw.texts.text(slice.name) + "\" from " +
                              std::to_string(slice.startNs) + " to " + std::to_string(slice.endNs) +
                              " ns");
      return;
    }
    if (!m_numbers.empty()) m_numbers[number] = added;
    if (m_raw.details) m_slices.push_back(number);
    if (kind.step >= 0 || kind.repeat >= 0) {
      m_spans.grow({std::max(0, kind.repeat), std::max(0, kind.step)},
                   trace::actionKindOf(event.category), slice.startNs, slice.endNs);
    }
  }

  /// Counts as lost what the builder has rejected and also counted.
  void refuse(std::uint16_t track, const std::string& what) {
    m_raw.lose(1, what + (track == TraceBuilder::kNoTrack
                              ? " has no track: all " + std::to_string(track) + " are in use"
                              : " is out of range"));
    ++m_refused;
  }

  /// Kineto marks steps by annotations "ProfilerStep#N", which also remain events.
  void noteStep(const RawRecords::Slice& slice) {
    constexpr std::string_view kProfilerStep = "ProfilerStep#";
    const std::string_view name = m_raw.texts.text(slice.name);
    std::int32_t number = 0;
    if (name.substr(0, kProfilerStep.size()) == kProfilerStep &&
        std::from_chars(name.data() + kProfilerStep.size(), name.data() + name.size(), number).ec ==
            std::errc()) {
      m_annotated.push_back({0, std::max(0, number), slice.startNs, slice.endNs, false});
    }
  }

  void addPoints() {
    for (const RawPoint& point : m_raw.points) {
      const std::uint16_t track = place(point.track, 0);
      const RawTrack& counter = m_raw.tracks.at(point.track);
      m_builder.addCounter(track, point.timeNs, point.value, counter.unit);
      if (track == TraceBuilder::kNoTrack || point.timeNs > trace::kLargestTimeNs ||
          point.timeNs < -trace::kLargestTimeNs) {
        refuse(track, "\"" + counter.name + "\" at " + std::to_string(point.timeNs) + " ns");
      }
    }
  }

  /// Adds the file's steps, else annotated ones, else those from the slices' arguments.
  void addSteps() {
    constexpr std::int32_t kNone = -1;
    const std::vector<trace::Step> spans =
        m_steps.empty() && m_annotated.empty() ? m_spans.steps(kNone) : std::vector<trace::Step>();
    for (const trace::Step& step :
         !m_steps.empty() ? m_steps : (!m_annotated.empty() ? m_annotated : spans)) {
      m_builder.addStep(step);
    }
    if (m_raw.details) {
      m_raw.details->stepsAreTold =
          m_steps.empty() && (!m_annotated.empty() || m_raw.details->areChromes());
    }
  }

  RawRecords& m_raw;
  TraceBuilder m_builder;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint16_t> m_placed;
  std::map<std::string, std::string> m_processes;  ///< device name → number of its process
  std::map<std::pair<std::int32_t, std::string>, std::size_t> m_counters;  ///< order of mention
  std::uint64_t m_refused = 0;
  std::vector<Made> m_kinds;
  std::vector<std::uint32_t> m_names;    ///< by text
  std::vector<std::uint32_t> m_numbers;  ///< by slice, if there are flows
  std::vector<std::uint32_t> m_slices;   ///< by number in the builder, if there are details
  std::vector<trace::Step> m_steps, m_annotated;
  trace::StepSpans m_spans;
};

/// Replaces correlations that do not fit 32 bits with unused numbers.
void numberWideCorrelations(RawRecords& raw) {
  if (raw.wideCorrelations.empty()) return;
  std::unordered_set<std::uint32_t> taken;
  for (const RawRecords::Slice& slice : raw.slices) taken.insert(slice.correlation);
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::uint32_t free = std::numeric_limits<std::uint32_t>::max();
  for (const auto& [slice, wide] : raw.wideCorrelations) {
    const auto [place, isNew] = numbers.try_emplace(wide, 0);
    if (isNew) {
      while (taken.count(free) != 0) --free;
      place->second = free--;
    }
    raw.slices[slice].correlation = place->second;
  }
}

}  // namespace

ReadTrace buildTrace(RawRecords& raw) {
  numberWideCorrelations(raw);
  return RawTraceBuilder(raw).build();
}

}  // namespace stagelane::formats::detail
