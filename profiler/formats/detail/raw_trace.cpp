#include "profiler/formats/detail/raw_trace.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "profiler/formats/detail/perfetto_fields.h"
#include "profiler/trace/step_spans.h"

namespace stagelane::formats::detail {
namespace {

using trace::Category;
using trace::TrackKind;

/// Deeper trees are cut here; also what ends a ring of parents.
constexpr int kDeepestTree = 32;

std::int32_t narrow(std::int64_t value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : -1;
}

std::string lowerCase(std::string text) {
  for (char& character : text) {
    if (character >= 'A' && character <= 'Z') {
      character = static_cast<char>(character - 'A' + 'a');
    }
  }
  return text;
}

/// The kind of a track of another program, by its name.
TrackKind kindByName(const std::string& name) {
  const std::string text = lowerCase(name);
  const auto has = [&text](const char* part) { return text.find(part) != std::string::npos; };
  if (has("compute")) {
    return TrackKind::Compute;
  }
  if (has("copy") || has("copies") || has("transfer")) {
    return TrackKind::Copy;
  }
  if (has("kernel") || has("stream")) {
    return TrackKind::Kernels;
  }
  return text == "ops" || has("operator") ? TrackKind::Operators : TrackKind::Other;
}

}  // namespace

std::uint32_t TextPool::id(std::string_view text) {
  const auto [place, isNew] =
      m_ids.try_emplace(std::string(text), static_cast<std::uint32_t>(m_texts.size()));
  if (isNew) {
    m_texts.push_back(&place->first);
  }
  return place->second;
}

void RawArguments::take(std::string_view name, std::int64_t number, std::uint32_t text) {
  if (name == "stage") {
    stage = number;
  } else if (name == "micro_batch") {
    microBatch = number;
  } else if (name == "repeat") {
    repeat = number;
  } else if (name == "step") {
    step = number;
  } else if (name == "bytes") {
    bytes = number;
  } else if (name == "correlation") {
    correlation = static_cast<std::uint64_t>(number);
  } else if (name == "device") {
    device = text;
  } else if (name == "peer") {
    peer = text;
  } else if (name == "action") {
    action = text;
  } else if (name == "extra") {
    extra = number != 0;
  }
}

RawTrack& RawTrace::track(std::uint64_t uuid) {
  const auto [place, isNew] = m_tracks.try_emplace(uuid);
  if (isNew) {
    place->second.order = m_order.size();
    m_order.push_back(uuid);
  }
  return place->second;
}

void RawTrace::begin(RawSlice slice) {
  slice.open = true;
  m_open[slice.track].push_back(m_slices.size());
  m_slices.push_back(slice);
}

bool RawTrace::end(std::uint64_t track, TimeNs timeNs) {
  const auto found = m_open.find(track);
  if (found == m_open.end() || found->second.empty()) {
    return false;
  }
  RawSlice& slice = m_slices[found->second.back()];
  found->second.pop_back();
  slice.endNs = timeNs;
  slice.open = false;
  return true;
}

void RawTrace::complete(RawSlice slice) {
  slice.open = false;
  m_slices.push_back(slice);
}

void RawTrace::lose(std::uint64_t count, const std::string& problem) {
  m_report.lost += count;
  if (m_report.firstProblem.empty()) {
    m_report.firstProblem = problem;
  }
}

/// Makes the tracks, then everything on them.
class RawTraceBuilder {
 public:
  explicit RawTraceBuilder(RawTrace& raw) : m_raw(raw) {}

  ReadTrace build() {
    makeTracks();
    for (const RawSlice& slice : m_raw.m_slices) {
      addSlice(slice);
    }
    addPoints();
    addSteps();
    for (const auto& [key, value] : m_raw.m_metadata) {
      m_builder.setMetadata(key, value);
    }
    m_builder.setPredicted(m_raw.m_predicted);
    m_builder.addDropped(m_raw.m_dropped + m_raw.m_report.lost);
    return {std::move(m_builder).build(), m_raw.m_report};
  }

 private:
  /// All tracks that Stagelane wrote; of another program those that something is on. In the order
  /// of the file.
  void makeTracks() {
    std::set<std::pair<std::size_t, std::uint32_t>> used;
    for (const std::uint64_t uuid : m_raw.m_order) {
      const RawTrack& track = m_raw.m_tracks.at(uuid);
      if (track.ownKind && !track.hidden) {
        used.emplace(track.order, 0);
      }
    }
    for (const RawSlice& slice : m_raw.m_slices) {
      if (!slice.open && !isStep(slice)) {
        const RawTrack& track = m_raw.track(slice.track);
        used.emplace(track.order, track.ownKind ? 0 : slice.arguments.device);
      }
    }
    for (const RawPoint& point : m_raw.m_points) {
      used.emplace(m_raw.track(point.track).order, 0);
    }
    for (const auto& [order, device] : used) {
      static_cast<void>(place(m_raw.m_order[order], device));
    }
  }

  [[nodiscard]] bool isStep(const RawSlice& slice) const {
    return m_raw.m_texts.text(slice.category) == kStepCategory;
  }

  /// From the root down to the track itself.
  std::vector<const RawTrack*> pathTo(std::uint64_t uuid) {
    std::vector<const RawTrack*> path;
    for (int depth = 0; depth < kDeepestTree; ++depth) {
      const auto found = m_raw.m_tracks.find(uuid);
      if (found == m_raw.m_tracks.end()) {
        break;
      }
      path.insert(path.begin(), &found->second);
      if (found->second.parent == 0) {
        break;
      }
      uuid = found->second.parent;
    }
    return path;
  }

  /// The builder's track for a track of the file, under the named device (0: as the tree says).
  std::uint16_t place(std::uint64_t uuid, std::uint32_t device) {
    const auto known = m_placed.find({uuid, device});
    if (known != m_placed.end()) {
      return known->second;
    }
    const std::uint16_t made = makeTrack(pathTo(uuid), device);
    m_placed.emplace(std::pair{uuid, device}, made);
    return made;
  }

  std::uint16_t makeTrack(const std::vector<const RawTrack*>& path, std::uint32_t device) {
    const RawTrack& track = *path.back();
    const bool rootIsDevice = !path.front()->ownKind || path.front()->kind == TrackKind::Device;
    std::int32_t owner = -1;
    if (device != 0) {
      owner = m_builder.device(m_raw.m_texts.text(device));
    } else if (rootIsDevice) {
      owner = m_builder.device(path.front()->name);
    }
    const bool isRoot = path.size() == 1 && rootIsDevice;
    const bool ownName = device != 0 && track.name == m_raw.m_texts.text(device);
    TrackKind kind = track.ownKind ? track.kind : kindByName(track.name);
    if (track.counter) {
      kind = TrackKind::Counter;
    } else if (isRoot && (device == 0 || ownName)) {
      kind = TrackKind::Device;
    }
    return m_builder.track(owner, kind, nameBelowRoot(path));
  }

  static std::string nameBelowRoot(const std::vector<const RawTrack*>& path) {
    std::string name;
    for (std::size_t level = path.size() == 1 ? 0 : 1; level < path.size(); ++level) {
      name += (name.empty() ? "" : " / ") + path[level]->name;
    }
    return name;
  }

  Category categoryOf(const RawSlice& slice) {
    const Category byName = trace::categoryFromWord(m_raw.m_texts.text(slice.category));
    return byName != Category::Other
               ? byName
               : trace::categoryFromWord(m_raw.m_texts.text(slice.arguments.action));
  }

  void addSlice(const RawSlice& slice) {
    if (slice.open) {
      m_raw.lose(1, "\"" + m_raw.m_texts.text(slice.name) + "\" at " +
                        std::to_string(slice.startNs) + " ns has no end");
      return;
    }
    const RawArguments& arguments = slice.arguments;
    if (isStep(slice)) {
      m_steps.push_back({std::max(0, narrow(arguments.repeat)), std::max(0, narrow(arguments.step)),
                         slice.startNs, slice.endNs, arguments.extra});
      return;
    }
    trace::TraceBuilder::NewEvent event;
    event.startNs = slice.startNs;
    event.durationNs = slice.endNs - slice.startNs;
    event.name = m_raw.m_texts.text(slice.name);
    event.category = categoryOf(slice);
    const bool own = m_raw.m_tracks.at(slice.track).ownKind;
    event.track = place(slice.track, own ? 0 : arguments.device);
    event.stage = StageId{narrow(arguments.stage)};
    event.microBatch = MicroBatchId{narrow(arguments.microBatch)};
    event.correlation = static_cast<std::uint32_t>(arguments.correlation);
    event.bytes = arguments.bytes;
    event.peer = arguments.peer == 0 ? -1 : m_builder.device(m_raw.m_texts.text(arguments.peer));
    m_builder.add(event);
    if (arguments.step >= 0 || arguments.repeat >= 0) {
      m_spans.grow({std::max(0, narrow(arguments.repeat)), std::max(0, narrow(arguments.step))},
                   trace::actionKindOf(event.category), slice.startNs, slice.endNs);
    }
  }

  void addPoints() {
    for (const RawPoint& point : m_raw.m_points) {
      m_builder.addCounter(place(point.track, 0), point.timeNs, point.value,
                           m_raw.m_tracks.at(point.track).unit);
    }
  }

  /// Steps that the file names, else those that the slices' arguments tell.
  void addSteps() {
    constexpr std::int32_t kNone = -1;
    for (const trace::Step& step : m_steps.empty() ? m_spans.steps(kNone) : m_steps) {
      m_builder.addStep(step);
    }
  }

  RawTrace& m_raw;
  trace::TraceBuilder m_builder;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint16_t> m_placed;
  std::vector<trace::Step> m_steps;
  trace::StepSpans m_spans;
};

ReadTrace RawTrace::finish() && { return RawTraceBuilder(*this).build(); }

}  // namespace stagelane::formats::detail
