#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "engine/base/files.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/detail/json_events.h"
#include "profiler/formats/detail/perfetto_fields.h"
#include "profiler/formats/detail/raw_trace.h"

namespace stagelane::formats {
namespace {

using namespace detail;
namespace ondemand = simdjson::ondemand;

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && (token.back() == ' ' || token.back() == '\n' || token.back() == '\r' ||
                            token.back() == '\t')) {
    token.remove_suffix(1);
  }
  return token;
}

/// A number of µs, or a text of one, as ns: exact for up to three decimals, else rounded.
std::optional<TimeNs> nanoseconds(std::string_view token) {
  constexpr double kNsPerUs = 1000.0;
  if (token.size() >= 2 && token.front() == '"') {
    token = token.substr(1, token.size() - 2);
  }
  const std::size_t point = std::min(token.find('.'), token.size());
  const std::string_view decimals = token.substr(std::min(point + 1, token.size()));
  std::int64_t whole = 0;
  const auto read = std::from_chars(token.data(), token.data() + point, whole);
  const bool plain = read.ec == std::errc() && read.ptr == token.data() + point &&
                     decimals.size() <= 3 &&
                     decimals.find_first_not_of("0123456789") == std::string_view::npos;
  constexpr std::int64_t kMostUs = trace::kLargestTimeNs / 1000;
  if (plain && whole < kMostUs && whole > -kMostUs) {
    std::int64_t rest = 0;
    for (std::size_t digit = 0; digit < 3; ++digit) {
      rest = rest * 10 + (digit < decimals.size() ? decimals[digit] - '0' : 0);
    }
    return whole * 1000 + (token.front() == '-' ? -rest : rest);
  }
  double value = 0.0;
  const auto real = std::from_chars(token.data(), token.data() + token.size(), value);
  const double nanos = value * kNsPerUs;
  if (real.ec != std::errc() || !(std::abs(nanos) < static_cast<double>(trace::kLargestTimeNs))) {
    return std::nullopt;
  }
  return static_cast<TimeNs>(std::llround(nanos));
}

/// One event as its object says it; texts are of the pool.
struct ChromeEvent {
  char phase = 0;
  std::optional<TimeNs> ts;
  TimeNs dur = 0;
  std::uint32_t name = 0;
  std::uint32_t category = 0;
  std::uint32_t pid = 0;
  std::uint32_t tid = 0;
  RawArguments arguments;
  std::uint32_t argName = 0;  ///< args.name of M events
  std::uint32_t argKind = 0;  ///< args.stagelane_kind, Stagelane's own
  std::uint32_t argUnit = 0;  ///< args.unit of counters, Stagelane's own
  bool predicted = false;
  std::int64_t dropped = 0;
  std::vector<std::pair<std::uint32_t, double>> values;  ///< numbers of args, C events
  std::map<std::string, std::string> meta;
};

/// The category word of what other programs call their events.
std::string_view categoryWord(std::string_view category) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"cpu_op", "op"},       {"kernel", "kernel"},  {"gpu_memcpy", "copy"},
      {"gpu_memset", "copy"}, {"cuda_sync", "sync"}, {"concurrent_kernel", "kernel"}};
  for (const auto& [theirs, ours] : kWords) {
    if (category == theirs) {
      return ours;
    }
  }
  return category;
}

/// Turns the objects of a file into a RawTrace.
class ChromeReader {
 public:
  explicit ChromeReader(RawTrace& raw) : m_raw(raw) {}

  /// False when the object is malformed. `space` bytes are readable from its start.
  bool read(std::string_view object, std::size_t space) {
    ChromeEvent event;
    try {
      ondemand::document document = m_parser.iterate(object.data(), object.size(), space);
      for (ondemand::field field : document.get_object()) {
        const std::string_view key = field.unescaped_key();
        readField(key, field.value(), event);
      }
    } catch (const simdjson::simdjson_error&) {
      return false;
    }
    return put(event);
  }

 private:
  std::uint32_t textOf(ondemand::value value) {
    if (value.type() == ondemand::json_type::string) {
      return m_raw.texts().id(value.get_string());
    }
    return m_raw.texts().id(trimmed(value.raw_json_token()));
  }

  void readField(std::string_view key, ondemand::value value, ChromeEvent& event) {
    if (key == "ph") {
      const std::string_view phase = value.get_string();
      event.phase = phase.empty() ? '\0' : phase.front();
    } else if (key == "ts") {
      event.ts = nanoseconds(trimmed(value.raw_json_token()));
    } else if (key == "dur") {
      event.dur = std::max<TimeNs>(0, nanoseconds(trimmed(value.raw_json_token())).value_or(0));
    } else if (key == "name") {
      event.name = textOf(value);
    } else if (key == "cat") {
      event.category = m_raw.texts().id(categoryWord(value.get_string()));
    } else if (key == "pid") {
      event.pid = textOf(value);
    } else if (key == "tid") {
      event.tid = textOf(value);
    } else if (key == "args" && value.type() == ondemand::json_type::object) {
      for (ondemand::field field : value.get_object()) {
        const std::string_view name = field.unescaped_key();
        readArgument(name, field.value(), event);
      }
    }
  }

  void readArgument(std::string_view key, ondemand::value value, ChromeEvent& event) {
    switch (value.type()) {
      case ondemand::json_type::string:
        readTextArgument(key, m_raw.texts().id(value.get_string()), event);
        break;
      case ondemand::json_type::number:
        readNumberArgument(key, trimmed(value.raw_json_token()), event);
        break;
      case ondemand::json_type::object:
        if (key == "meta") {
          for (ondemand::field field : value.get_object()) {
            const std::string name{std::string_view(field.unescaped_key())};
            event.meta[name] = std::string{std::string_view(field.value().get_string())};
          }
        }
        break;
      default: break;
    }
  }

  static void readTextArgument(std::string_view key, std::uint32_t text, ChromeEvent& event) {
    if (key == "name") {
      event.argName = text;
    } else if (key == "stagelane_kind") {
      event.argKind = text;
    } else if (key == "unit") {
      event.argUnit = text;
    }
    event.arguments.take(key, 0, text);
  }

  void readNumberArgument(std::string_view key, std::string_view token, ChromeEvent& event) {
    std::int64_t number = 0;
    double real = 0.0;
    const char* const end = token.data() + token.size();
    const bool whole = std::from_chars(token.data(), end, number).ptr == end;
    std::from_chars(token.data(), end, real);
    event.values.emplace_back(m_raw.texts().id(key), real);
    if (!whole) {
      return;
    }
    if (key == "predicted") {
      event.predicted = number != 0;
    } else if (key == "dropped") {
      event.dropped = std::max<std::int64_t>(0, number);
    }
    const bool device = key == "device";
    const std::uint32_t text =
        device && number >= 0 ? m_raw.texts().id("cuda:" + std::to_string(number)) : 0;
    event.arguments.take(key, number, text);
  }

  std::uint64_t processTrack(std::uint32_t pid) {
    const auto [place, isNew] = m_processes.try_emplace(pid, m_next);
    if (isNew) {
      ++m_next;
      m_raw.track(place->second).name = "process " + m_raw.texts().text(pid);
    }
    return place->second;
  }

  std::uint64_t threadTrack(std::uint32_t pid, std::uint32_t tid) {
    const std::uint64_t parent = processTrack(pid);
    const auto [place, isNew] = m_threads.try_emplace({pid, tid}, m_next);
    if (isNew) {
      ++m_next;
      RawTrack& track = m_raw.track(place->second);
      track.name = "thread " + m_raw.texts().text(tid);
      track.parent = parent;
    }
    return place->second;
  }

  std::uint64_t counterTrack(std::uint32_t pid, std::uint32_t name, std::uint32_t unit) {
    const std::uint64_t parent = processTrack(pid);
    const auto [place, isNew] = m_counters.try_emplace({pid, name, unit}, m_next);
    if (isNew) {
      ++m_next;
      RawTrack& track = m_raw.track(place->second);
      const std::string& series = m_raw.texts().text(unit);
      track.name = m_raw.texts().text(name);
      track.parent = parent;
      track.counter = true;
      track.unit = series == "value" ? std::string() : series;
    }
    return place->second;
  }

  bool put(const ChromeEvent& event) {
    RawSlice slice;
    slice.startNs = event.ts.value_or(0);
    slice.endNs = slice.startNs + event.dur;
    slice.name = event.name;
    slice.category = event.category;
    slice.arguments = event.arguments;
    constexpr std::string_view kTimed = "XBEiIC";
    if (!event.ts && kTimed.find(event.phase) != std::string_view::npos) {
      return false;
    }
    switch (event.phase) {
      case 'M': putName(event); break;
      case 'X':
        slice.track = threadTrack(event.pid, event.tid);
        putComplete(slice);
        break;
      case 'B':
        slice.track = threadTrack(event.pid, event.tid);
        m_raw.begin(slice);
        break;
      case 'E': return m_raw.end(threadTrack(event.pid, event.tid), slice.startNs);
      case 'i':
      case 'I':
        slice.track = threadTrack(event.pid, event.tid);
        slice.endNs = slice.startNs;
        m_raw.complete(slice);
        break;
      case 'C':
        for (const auto& [series, value] : event.values) {
          m_raw.point({counterTrack(event.pid, event.name, series), slice.startNs, value});
        }
        break;
      default:  // flows, async and object events carry nothing that a trace keeps
        return event.phase != 0;
    }
    return true;
  }

  /// Kineto marks steps by annotations "ProfilerStep#N".
  void putComplete(RawSlice& slice) {
    constexpr std::string_view kProfilerStep = "ProfilerStep#";
    const std::string& name = m_raw.texts().text(slice.name);
    const std::string& category = m_raw.texts().text(slice.category);
    if (category == "user_annotation" &&
        name.compare(0, kProfilerStep.size(), kProfilerStep) == 0) {
      slice.category = m_raw.texts().id(kStepCategory);
      std::int64_t number = 0;
      std::from_chars(name.data() + kProfilerStep.size(), name.data() + name.size(), number);
      slice.arguments.repeat = 0;
      slice.arguments.step = number;
    }
    m_raw.complete(slice);
  }

  void putName(const ChromeEvent& event) {
    const std::string& what = m_raw.texts().text(event.name);
    if (what == "process_name") {
      nameTrack(m_raw.track(processTrack(event.pid)), event);
    } else if (what == "thread_name") {
      RawTrack& track = m_raw.track(threadTrack(event.pid, event.tid));
      nameTrack(track, event);
      const RawTrack& process = m_raw.track(processTrack(event.pid));
      if (track.ownKind && !process.ownKind) {
        track.parent = 0;
      }
    } else if (what == "counter_name") {
      RawTrack& track = m_raw.track(counterTrack(event.pid, event.argName, event.argUnit));
      track.ownKind = true;
      track.kind = trace::TrackKind::Counter;
    } else if (what == "stagelane") {
      m_raw.markReadable();
      m_raw.setPredicted(event.predicted);
      m_raw.addDropped(static_cast<std::uint64_t>(event.dropped));
      for (const auto& [key, value] : event.meta) {
        m_raw.setMetadata(key, value);
      }
    }
  }

  void nameTrack(RawTrack& track, const ChromeEvent& event) {
    if (event.argName != 0 || event.argKind != 0) {
      track.name = m_raw.texts().text(event.argName);
    }
    const std::string& kind = m_raw.texts().text(event.argKind);
    const auto* found = std::find(kTrackKindWords.begin(), kTrackKindWords.end(), kind);
    track.hidden = kind == kStepsWord;
    if (found != kTrackKindWords.end()) {
      track.ownKind = true;
      track.kind = static_cast<trace::TrackKind>(found - kTrackKindWords.begin());
    }
    track.ownKind |= track.hidden;
  }

  RawTrace& m_raw;
  ondemand::parser m_parser;
  std::map<std::uint32_t, std::uint64_t> m_processes;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> m_threads;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> m_counters;
  std::uint64_t m_next = 1;
};

}  // namespace

Result<ReadTrace> parseChrome(std::string bytes, const std::string& source) {
  bytes.reserve(bytes.size() + simdjson::SIMDJSON_PADDING);
  const std::size_t readable = bytes.capacity();
  JsonEvents events(bytes);
  if (!events.found()) {
    return fail(ErrorCode::Invalid, "No traceEvents array can be found", source + ", byte 0",
                "Give a JSON file of Chrome trace events: {\"traceEvents\": […]} or […]");
  }
  RawTrace raw;
  ChromeReader reader(raw);
  std::uint64_t good = 0;
  while (const std::optional<std::string_view> object = events.next()) {
    const auto offset =
        object->empty() ? events.place() : static_cast<std::size_t>(object->data() - bytes.data());
    if (!object->empty() && reader.read(*object, readable - offset)) {
      ++good;
    } else {
      raw.lose(1, "malformed event at byte " + std::to_string(offset));
    }
  }
  if (events.cut() && (events.place() < bytes.size() || bytes.front() == '{')) {
    raw.lose(1, "cut short in the events at byte " + std::to_string(events.place()));
  }
  ReadTrace read = std::move(raw).finish();
  if (good == 0 && read.report.lost > 0) {
    return fail(ErrorCode::Invalid, "No event can be read: " + read.report.firstProblem, source,
                "Give a JSON file of Chrome trace events");
  }
  return read;
}

Result<ReadTrace> readChrome(const std::filesystem::path& path) {
  Result<std::string> bytes = readFile(path);
  if (!bytes) {
    return tl::make_unexpected(bytes.error());
  }
  return parseChrome(std::move(*bytes), path.string());
}

}  // namespace stagelane::formats
