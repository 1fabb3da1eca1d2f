#include <algorithm>
#include <unordered_map>

#include "engine/base/goes_on.h"
#include "profiler/formats/action_tag.h"
#include "profiler/formats/byte_source.h"
#include "profiler/formats/category_words.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/chrome_event.h"
#include "profiler/formats/json_members.h"
#include "profiler/formats/json_numbers.h"
#include "profiler/formats/json_stream.h"
#include "profiler/formats/perfetto_fields.h"
#include "profiler/formats/raw_trace.h"
#include "profiler/formats/trace_formats.h"

namespace stagelane::formats {
namespace {

using namespace detail;

constexpr std::string_view kMalformed = "malformed event";

/// Numbers of pairs of texts and of the tracks they identify.
class TrackNumbers {
 public:
  /// The identifier for a key, and whether it is new.
  std::pair<std::uint64_t, bool> of(std::uint32_t first, std::uint32_t second) {
    const std::uint64_t key = (std::uint64_t{first} << 32U) | second;
    if (key == m_lastKey) return {m_last, false};
    const auto [place, isNew] = m_numbers.try_emplace(key, 0);
    if (isNew) place->second = ++m_next;
    m_lastKey = key;
    m_last = place->second;
    return {m_last, isNew};
  }

  explicit TrackNumbers(std::uint64_t& next) : m_next(next) {}

 private:
  std::uint64_t& m_next;
  std::unordered_map<std::uint64_t, std::uint64_t> m_numbers;
  std::uint64_t m_lastKey = ~std::uint64_t{0};
  std::uint64_t m_last = 0;
};

/// Turns the events of a file into a RawTrace.
class ChromeReader {
 public:
  explicit ChromeReader(RawTrace& raw)
      : m_raw(raw), m_parser(raw.texts(), raw.details() != nullptr) {}

  /// False if the object is malformed or has nothing to keep; see problem().
  bool read(std::string_view object) {
    m_problem = kMalformed;
    return m_parser.parse(object, m_event) && put(m_event);
  }
  /// The problem of the last rejected event.
  [[nodiscard]] std::string_view problem() const { return m_problem; }

 private:
  std::uint64_t processTrack(std::uint32_t pid) {
    const auto [number, isNew] = m_processes.of(pid, 0);
    if (isNew) {
      RawTrack& track = m_raw.track(number);
      track.process = m_raw.texts().text(pid);
      track.name = "process " + track.process;
    }
    return number;
  }

  std::uint64_t threadTrack(const ChromeEvent& event) {
    const auto [number, isNew] = m_threads.of(event.pid, event.tid);
    if (isNew) {
      const std::uint64_t parent = processTrack(event.pid);
      RawTrack& track = m_raw.track(number);
      const bool stream = isStreamWord(m_raw.texts().text(event.category));
      track.name = (stream ? "stream " : "thread ") + m_raw.texts().text(event.tid);
      track.parent = parent;
    }
    return number;
  }

  /// Each series of a counter is a track with the same name as in Perfetto UI.
  std::uint64_t counterTrack(const ChromeEvent& event, std::uint32_t name, std::uint32_t series) {
    const std::uint64_t parent = processTrack(event.pid);
    const std::uint64_t named = m_counterNames.of(event.pid, name).first;
    const std::uint64_t group =
        m_counterGroups.of(static_cast<std::uint32_t>(named), event.id).first;
    const auto [number, isNew] = m_counters.of(static_cast<std::uint32_t>(group), series);
    if (isNew) {
      RawTrack& track = m_raw.track(number);
      track.name = m_raw.texts().text(name);
      if (event.id != 0) track.name += " id: " + m_raw.texts().text(event.id);
      const std::string& key = m_raw.texts().text(series);
      if (key != kOnlySeries) track.name += (track.name.empty() ? "" : " ") + key;
      track.parent = parent;
      track.counter = true;
    }
    return number;
  }

  /// Stagelane's own counters have one series each, whose key is the unit.
  void nameCounter(const ChromeEvent& event) {
    RawTrack& track = m_raw.track(counterTrack(event, event.argName, event.argUnit));
    const std::string& unit = m_raw.texts().text(event.argUnit);
    track.ownKind = true;
    track.kind = trace::TrackKind::Counter;
    track.name = m_raw.texts().text(event.argName);
    track.unit = unit == kOnlySeries ? std::string() : unit;
    if (!m_raw.track(processTrack(event.pid)).ownKind) track.parent = 0;
  }

  bool put(const ChromeEvent& event) {
    constexpr std::string_view kTimed = "XBEiICst";
    // Each is small enough that the sum does not overflow.
    if (event.badTime || event.ts + event.dur > trace::kLargestTimeNs) {
      m_problem = "event with a time out of range or a negative duration";
      return false;
    }
    if (!event.hasTime && kTimed.find(event.phase) != std::string_view::npos) {
      m_problem = "event without a time";
      return false;
    }
    switch (event.phase) {
      case 'M': putName(event); return true;
      case 'X': putSlice(event, event.ts + event.dur); return true;
      case 'i':
      case 'I': putSlice(event, event.ts); return true;
      case 'B': describe(m_raw.begin(sliceOf(event)), event); return true;
      case 'E': return putEnd(threadTrack(event), event);
      case 'C':
        for (const auto& [series, value] : event.values) {
          m_raw.point({counterTrack(event, event.name, series), event.ts, value});
        }
        return true;
      case 's':
      case 't':
      case 'f': putFlow(event); return true;
      case 'b':
      case 'n':
      case 'e': return putAsync(event);
      default: return putOther(event);
    }
  }

  bool putEnd(std::uint64_t track, const ChromeEvent& event) {
    const std::uint32_t slice = m_raw.end(track, event.ts);
    if (slice == kNoSlice) {
      m_problem = "end of an event without a start";
      return false;
    }
    EventDetails* const details = m_raw.details();
    if (details != nullptr && !event.argumentText.empty()) {
      std::string_view members;
      if (m_minifier.members(event.argumentText, members)) {
        details->addArguments(slice, members);
      } else {
        details->leaveOut();
      }
    }
    return true;
  }

  /// Objects, samples, marks and other unsupported kinds. A conversion reports them.
  bool putOther(const ChromeEvent& event) {
    if (event.phase != 0 && m_raw.details() != nullptr) ++m_raw.details()->otherKinds[event.phase];
    return event.phase != 0;
  }

  RawSlice sliceOf(const ChromeEvent& event) {
    RawSlice slice;
    slice.startNs = event.ts;
    slice.endNs = event.ts;
    slice.name = event.name;
    slice.category = event.category;
    slice.track = threadTrack(event);
    slice.arguments = event.arguments;
    markAction(slice);
    return slice;
  }

  /// An annotation that identifies an action (docs/reference/formats.md). For GPU work, Kineto has
  /// two: one of the host, which only launches, and one of the GPU.
  void markAction(RawSlice& slice) {
    const std::optional<ActionTag> tag = parseActionTag(m_raw.texts().text(slice.name));
    if (!tag) return;
    const bool onGpu = m_raw.texts().text(slice.category) == "gpu_user_annotation";
    if (!onGpu && tag->device.substr(0, 4) == "cuda") return;
    slice.arguments.action = m_raw.texts().id(tag->action);
    slice.arguments.stage = tag->stage;
    slice.arguments.microBatch = tag->microBatch;
    if (!tag->device.empty()) slice.arguments.device = m_raw.texts().id(tag->device);
  }

  /// Keeps details for a conversion.
  void describe(std::uint32_t slice, const ChromeEvent& event) {
    EventDetails* const details = m_raw.details();
    if (details == nullptr || slice == kNoSlice) return;
    EventDetails::Event said;
    said.isChromes = true;
    said.hasArguments = !event.argumentText.empty();
    said.isInstant = event.phase == 'i' || event.phase == 'I';
    said.hasCategory = event.category != 0;
    said.scope = event.scope;
    said.repeat = m_raw.narrow(event.arguments.repeat);
    said.step = m_raw.narrow(event.arguments.step);
    if (said.hasArguments && !m_minifier.members(event.argumentText, said.arguments)) {
      details->leaveOut();
    }
    details->set(slice, said);
  }

  void putSlice(const ChromeEvent& event, TimeNs endNs) {
    RawSlice slice = sliceOf(event);
    slice.endNs = endNs;
    m_correlated |= slice.arguments.correlation != 0;
    const std::uint32_t number = m_raw.complete(slice);
    describe(number, event);
    for (const std::uint64_t flow : event.flowsOut) m_raw.flow({flow, event.ts, number, false});
    for (const std::uint64_t flow : event.flowsIn) m_raw.flow({flow, event.ts, number, true});
  }

  /// Skips flows that only duplicate correlations (Kineto's, Stagelane's).
  void putFlow(const ChromeEvent& event) {
    const std::string& category = m_raw.texts().text(event.category);
    if (category == "transfer" || category == "stagelane" || (category == "ac2g" && m_correlated)) {
      return;
    }
    const std::uint64_t id = m_flowIds.of(event.category, event.id).first | kForeignFlow;
    const bool ends = event.phase == 'f';
    m_raw.flowOnTrack(threadTrack(event), {id, event.ts, 0, ends}, ends && !event.enclosing);
  }

  /// Async slices of one id have a separate track.
  bool putAsync(const ChromeEvent& event) {
    const std::uint64_t group = m_asyncGroups.of(event.pid, event.category).first;
    const auto [number, isNew] = m_async.of(static_cast<std::uint32_t>(group), event.id);
    if (isNew) {
      const std::uint64_t parent = processTrack(event.pid);
      RawTrack& track = m_raw.track(number);
      track.name = m_raw.texts().text(event.category) + " " + m_raw.texts().text(event.id);
      track.parent = parent;
    }
    if (!event.hasTime) return false;
    if (event.phase == 'e') return putEnd(number, event);
    RawSlice slice;
    slice.startNs = event.ts;
    slice.endNs = event.ts;
    slice.name = event.name;
    slice.category = event.category;
    slice.track = number;
    slice.arguments = event.arguments;
    describe(event.phase == 'b' ? m_raw.begin(slice) : m_raw.complete(slice), event);
    return true;
  }

  void putName(const ChromeEvent& event) {
    const std::string& what = m_raw.texts().text(event.name);
    if (what == "process_name") {
      nameTrack(m_raw.track(processTrack(event.pid)), event);
    } else if (what == "thread_name") {
      RawTrack& track = m_raw.track(threadTrack(event));
      nameTrack(track, event);
      const RawTrack& process = m_raw.track(processTrack(event.pid));
      if (track.ownKind && !process.ownKind) track.parent = 0;
    } else if (what == "counter_name") {
      nameCounter(event);
    } else if (what == "stagelane") {
      m_raw.markReadable();
      m_raw.setPredicted(event.predicted);
      m_raw.addDropped(static_cast<std::uint64_t>(event.dropped));
      for (const auto& [key, value] : event.meta) m_raw.setMetadata(key, value);
    }
  }

  void nameTrack(RawTrack& track, const ChromeEvent& event) {
    if (event.argName != 0 || event.argKind != 0) {
      track.name = trimmed(m_raw.texts().text(event.argName));
    }
    const std::string& kind = m_raw.texts().text(event.argKind);
    const auto* found = std::find(kTrackKindWords.begin(), kTrackKindWords.end(), kind);
    track.hidden = kind == kStepsWord;
    if (found != kTrackKindWords.end()) {
      track.ownKind = true;
      track.kind = static_cast<trace::TrackKind>(found - kTrackKindWords.begin());
      track.name = m_raw.texts().text(event.argName);
    }
    track.ownKind |= track.hidden;
  }

  /// Keeps the ids of other programs' flows apart from those that Stagelane writes on events.
  static constexpr std::uint64_t kForeignFlow = std::uint64_t{1} << 63;
  /// The series that needs no name.
  static constexpr std::string_view kOnlySeries = "value";

  RawTrace& m_raw;
  std::string_view m_problem = kMalformed;
  ChromeEventParser m_parser;
  ChromeEvent m_event;
  JsonMinifier m_minifier;
  std::uint64_t m_nextTrack = 0;
  std::uint64_t m_nextGroup = 0;
  TrackNumbers m_processes{m_nextTrack}, m_threads{m_nextTrack}, m_counters{m_nextTrack},
      m_async{m_nextTrack};
  TrackNumbers m_counterNames{m_nextGroup}, m_counterGroups{m_nextGroup},
      m_asyncGroups{m_nextGroup}, m_flowIds{m_nextGroup};
  bool m_correlated = false;
};

/// Reads the document's other members.
void takeMember(const JsonStream::Member& member, RawTrace& raw) {
  const std::string value(unquoted(trimmed(member.value)));
  if (member.key == "baseTimeNanoseconds") {
    raw.setMetadata("base_time_ns", value);
  } else if (member.key == "traceName") {
    raw.setMetadata("trace_name", value);
  } else if (member.key == "distributedInfo") {
    constexpr std::string_view kRank = "\"rank\":";
    const std::size_t found = member.value.find(kRank);
    if (found != std::string_view::npos) {
      std::string_view rest = member.value.substr(found + kRank.size());
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      raw.setMetadata("rank", std::string(rest.substr(0, rest.find_first_not_of("0123456789"))));
    }
  }
}

/// Keeps other members for a conversion.
void keepMember(const JsonStream::Member& member, RawTrace& raw) {
  constexpr std::size_t kLongest = std::size_t{16} << 20;
  constexpr std::size_t kMost = 64;
  std::string_view value;
  JsonMinifier minifier;
  if (raw.details() == nullptr || member.key == "displayTimeUnit" || member.key == "traceEvents" ||
      member.key.find('\\') != std::string_view::npos) {
    return;
  }
  if (member.value.size() > kLongest || raw.details()->members.size() >= kMost ||
      !minifier.value(member.value, value)) {
    raw.details()->leaveOut();
    return;
  }
  raw.details()->members[std::string(member.key)] = value;
}

std::string noTrace() {
  return "Use a JSON file of Chrome trace events: {\"traceEvents\": […]} or […]";
}

/// Errors contain `name`. @errors Invalid if nothing is readable, with the byte offset
Result<ReadTrace> readChromeSource(ByteSource& source, const std::string& name, Keep keep) {
  JsonStream stream(source);
  RawTrace raw;
  if (keep == Keep::Details) raw.keepDetails();
  ChromeReader reader(raw);
  std::uint64_t good = 0;
  bool found = false;
  while (const std::optional<JsonStream::Member> member = stream.member()) {
    if (!member->isEvents) {
      takeMember(*member, raw);
      keepMember(*member, raw);
      continue;
    }
    found = true;
    while (const std::optional<std::string_view> object = stream.event()) {
      if (!object->empty() && reader.read(*object)) {
        ++good;
      } else {
        const std::string_view problem = object->empty() ? kMalformed : reader.problem();
        raw.lose(
            1, std::string(problem) + " at byte " +
                   std::to_string(object->empty() ? stream.place() - 1 : stream.offsetOf(*object)));
      }
    }
  }
  if (!found) {
    return fail(ErrorCode::Invalid, "No traceEvents array found",
                name + ", byte " + std::to_string(stream.place()), noTrace());
  }
  if (!source.problem().empty()) {
    raw.lose(1, source.problem());
  } else if (stream.cut()) {
    raw.lose(1, "the events are truncated at byte " + std::to_string(stream.place()));
  }
  if (good == 0 && raw.report().lost > 0) {
    return fail(ErrorCode::Invalid, "Cannot read any event: " + raw.report().firstProblem, name,
                "Use a JSON file of Chrome trace events");
  }
  return std::move(raw).finish();
}

Result<ReadTrace> readChromeFile(const std::filesystem::path& path, ReadProgress* progress,
                                 Keep keep) {
  STAGELANE_TRY(source, openFile(path, progress));
  auto read = readChromeSource(**source, path.string(), keep);
  if (progress != nullptr && progress->cancel) return canceledError(path.string());
  return read;
}

}  // namespace

Result<ReadTrace> parseChrome(std::string_view bytes, const std::string& source, Keep keep) {
  const auto memory = memorySource(bytes);
  return readChromeSource(*memory, source, keep);
}

TraceFormat chromeFormat() {
  return {.name = "chrome",
          .title = "Chrome",
          .endings = {".json"},
          .begins = [](std::string_view beginning) { return startOfJson(beginning).has_value(); },
          .read = readChromeFile,
          .parse = parseChrome,
          .write = writeChrome,
          .writesDetails = true};
}

}  // namespace stagelane::formats
