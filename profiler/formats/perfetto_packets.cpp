#include "profiler/formats/perfetto_packets.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "profiler/formats/json_members.h"
#include "profiler/formats/json_numbers.h"
#include "profiler/formats/json_text.h"
#include "profiler/formats/perfetto_annotations.h"
#include "profiler/formats/perfetto_clocks.h"
#include "profiler/formats/perfetto_descriptors.h"
#include "profiler/formats/perfetto_fields.h"
#include "profiler/formats/proto_view.h"

namespace stagelane::formats::detail {
namespace {

/// Default track of a writer: its sequence with this bit.
constexpr std::uint64_t kSequenceTrack = std::uint64_t{1} << 63;

/// State shared by the packets of one writer.
struct Sequence {
  Texts categories;
  Texts names;
  Texts annotationNames;
  Texts annotationStrings;
  std::uint64_t defaultTrack = 0;
  std::uint64_t defaultClock = 0;

  [[nodiscard]] std::size_t texts() const {
    return categories.size() + names.size() + annotationNames.size() + annotationStrings.size();
  }
};

struct Packet {
  std::uint64_t timestamp = 0;
  std::uint32_t sequence = 0;
  std::uint64_t flags = 0;
  std::optional<std::uint64_t> clock;
  std::string_view event, interned, descriptor, defaults, clocks;
  bool hasEvent = false;
};

Packet split(std::string_view bytes) {
  Packet packet;
  for (ProtoView view(bytes); view.next();) {
    switch (view.field()) {
      case packet_fields::kTimestamp: packet.timestamp = view.number(); break;
      case packet_fields::kSequenceId:
        packet.sequence = static_cast<std::uint32_t>(view.number());
        break;
      case packet_fields::kSequenceFlags: packet.flags = view.number(); break;
      case packet_fields::kTimestampClockId: packet.clock = view.number(); break;
      case packet_fields::kTrackEvent:
        packet.event = view.bytes();
        packet.hasEvent = true;
        break;
      case packet_fields::kInternedData: packet.interned = view.bytes(); break;
      case packet_fields::kTrackDescriptor: packet.descriptor = view.bytes(); break;
      case packet_fields::kDefaults: packet.defaults = view.bytes(); break;
      case packet_fields::kClockSnapshot: packet.clocks = view.bytes(); break;
      default: break;
    }
  }
  return packet;
}

/// One debug annotation: its name and value.
struct Annotation {
  std::uint32_t name = 0;
  std::optional<std::int64_t> number;  ///< also of a string with an integer
  std::uint32_t text = 0;
  std::string json;  ///< its value, if details are kept
};

/// The used fields of a TrackEvent.
struct Event {
  std::uint64_t type = 0;
  std::uint64_t track = 0;
  std::uint64_t phase = 0;  ///< legacy
  std::int64_t legacyDurationUs = 0;
  double value = 0.0;
  std::uint64_t correlation = 0;
  std::uint32_t name = 0;
  std::uint32_t category = 0;
  std::vector<Annotation> annotations;
  std::vector<std::pair<std::uint64_t, bool>> flows;  ///< number, and whether it ends here
};

}  // namespace

struct PacketDecoder::Impl {
  explicit Impl(RawTrace& rawTrace) : raw(rawTrace) {}

  RawTrace& raw;
  JsonMinifier minifier;
  Clocks clocks;
  std::unordered_map<std::uint32_t, Sequence> sequences;
  std::unordered_map<std::int64_t, std::uint64_t> processes;  ///< pid → track
  /// pid → tracks of threads described before their process.
  std::unordered_map<std::int64_t, std::vector<std::uint64_t>> orphans;
  std::unordered_map<std::uint64_t, double> multipliers;  ///< counters
  std::unordered_map<std::uint64_t, double> running;      ///< incremental counters
  TimeNs baseNs = 0;
  std::uint64_t interned = 0;         ///< texts of all sequences
  std::uint64_t descriptorBytes = 0;  ///< of all descriptors so far

  void decode(std::string_view bytes, std::size_t offset);
  void readInterned(std::string_view message, Sequence& sequence);
  void readTexts(std::string_view entry, Texts& texts);
  static void readDefaults(std::string_view message, Sequence& sequence);
  void adopt(std::int64_t pid, std::uint64_t uuid);
  void readDescriptor(std::string_view message);
  Event readEvent(std::string_view message, const Sequence& sequence);
  Annotation readAnnotation(std::string_view message, const Sequence& sequence);
  static void readLegacy(std::string_view message, Event& event);
  void put(Event event, TimeNs timeNs, std::size_t offset);
  void putMetadata(const Event& event);
  void putMember(const std::string& key, const std::string& value);
  void putPoint(const Event& event, TimeNs timeNs);
  RawArguments arguments(const Event& event);
  void describe(std::uint32_t slice, const Event& event, const RawArguments& given);
};

PacketDecoder::PacketDecoder(RawTrace& trace) : m_impl(std::make_unique<Impl>(trace)) {}
PacketDecoder::~PacketDecoder() = default;

std::uint64_t PacketDecoder::memoryBytes() const {
  // Nodes of hash tables with their buckets. Tracks keep the names of their descriptors.
  constexpr std::uint64_t kPerSequence = sizeof(Sequence) + 64;
  constexpr std::uint64_t kPerText = 48;
  return m_impl->sequences.size() * kPerSequence + m_impl->interned * kPerText +
         m_impl->descriptorBytes;
}

bool PacketDecoder::decode(std::string_view packet, std::size_t offset) {
  try {
    m_impl->decode(packet, offset);
    return true;
  } catch (const protozero::exception&) {
    m_impl->raw.lose(1, "malformed packet at byte " + std::to_string(offset));
    return false;
  }
}

void PacketDecoder::Impl::decode(std::string_view bytes, std::size_t offset) {
  const Packet packet = split(bytes);
  Sequence& sequence = sequences[packet.sequence];
  if ((packet.flags & sequence_flags::kCleared) != 0) {
    interned -= sequence.texts();
    sequence = Sequence{};
  }
  clocks.snapshot(packet.sequence, packet.clocks);
  readDefaults(packet.defaults, sequence);
  readInterned(packet.interned, sequence);
  if (!packet.descriptor.empty()) {
    readDescriptor(packet.descriptor);
    raw.markReadable();
  }
  if (!packet.hasEvent) return;
  raw.markReadable();
  Event event = readEvent(packet.event, sequence);
  if (event.track == 0) {
    event.track =
        sequence.defaultTrack != 0 ? sequence.defaultTrack : (packet.sequence | kSequenceTrack);
  }
  const std::optional<TimeNs> timeNs = clocks.timeOf(
      packet.sequence, packet.clock.value_or(sequence.defaultClock), packet.timestamp);
  if (!timeNs) {
    raw.lose(1, "time out of range in the packet at byte " + std::to_string(offset));
    return;
  }
  put(std::move(event), *timeNs, offset);
}

void PacketDecoder::Impl::readTexts(std::string_view entry, Texts& texts) {
  std::uint64_t iid = 0;
  std::string_view text;
  for (ProtoView view(entry); view.next();) {
    if (view.field() == interned_fields::kIid) {
      iid = view.number();
    } else if (view.field() == interned_fields::kText) {
      text = view.bytes();
    }
  }
  interned += texts.insert_or_assign(iid, raw.texts().id(text)).second ? 1 : 0;
}

void PacketDecoder::Impl::readInterned(std::string_view message, Sequence& sequence) {
  for (ProtoView view(message); view.next();) {
    switch (view.field()) {
      case interned_fields::kCategories: readTexts(view.bytes(), sequence.categories); break;
      case interned_fields::kNames: readTexts(view.bytes(), sequence.names); break;
      case interned_fields::kAnnotationNames:
        readTexts(view.bytes(), sequence.annotationNames);
        break;
      case interned_fields::kAnnotationStrings:
        readTexts(view.bytes(), sequence.annotationStrings);
        break;
      default: break;
    }
  }
}

void PacketDecoder::Impl::readDefaults(std::string_view message, Sequence& sequence) {
  for (ProtoView view(message); view.next();) {
    if (view.field() == defaults_fields::kTimestampClockId) {
      sequence.defaultClock = view.number();
    } else if (view.field() == defaults_fields::kTrackEvent) {
      for (ProtoView inner(view.bytes()); inner.next();) {
        if (inner.field() == event_fields::kTrackUuid) sequence.defaultTrack = inner.number();
      }
    }
  }
}

/// Makes `uuid` the track of the process.
void PacketDecoder::Impl::adopt(std::int64_t pid, std::uint64_t uuid) {
  processes[pid] = uuid;
  const auto waiting = orphans.find(pid);
  if (waiting == orphans.end()) return;
  for (const std::uint64_t thread : waiting->second) {
    RawTrack& track = raw.track(thread);
    if (track.parent == 0 && thread != uuid) track.parent = uuid;
  }
  orphans.erase(waiting);
}

void PacketDecoder::Impl::readDescriptor(std::string_view message) {
  TrackDescriptor descriptor = readTrackDescriptor(message);
  descriptorBytes += message.size();
  if (descriptor.processPid) adopt(*descriptor.processPid, descriptor.uuid);
  if (descriptor.parent == 0 && descriptor.threadPid) {
    const auto process = processes.find(*descriptor.threadPid);
    if (process != processes.end()) {
      descriptor.parent = process->second;
    } else {
      orphans[*descriptor.threadPid].push_back(descriptor.uuid);
    }
  }
  RawTrack& track = raw.track(descriptor.uuid);
  if (descriptor.isNamed || !descriptor.name.empty()) {
    track.name = descriptor.name;
    track.isNamed = true;
  }
  if (descriptor.processPid) track.process = std::to_string(*descriptor.processPid);
  track.parent = descriptor.parent == descriptor.uuid ? 0 : descriptor.parent;
  takeOwnKind(descriptor.description, track);
  if (!descriptor.counter) return;
  track.counter = true;
  track.unit = descriptor.counter->unit;
  if (descriptor.counter->multiplier) {
    multipliers[descriptor.uuid] = *descriptor.counter->multiplier;
  }
  if (descriptor.counter->incremental) running.try_emplace(descriptor.uuid, 0.0);
}

Annotation PacketDecoder::Impl::readAnnotation(std::string_view message, const Sequence& sequence) {
  Annotation annotation;
  for (ProtoView view(message); view.next();) {
    switch (view.field()) {
      case annotation_fields::kNameIid:
        annotation.name = lookUp(sequence.annotationNames, view.number());
        break;
      case annotation_fields::kName: annotation.name = raw.texts().id(view.bytes()); break;
      case annotation_fields::kUint:
      case annotation_fields::kInt: annotation.number = view.integer(); break;
      case annotation_fields::kString: annotation.text = raw.texts().id(view.bytes()); break;
      case annotation_fields::kStringIid:
        annotation.text = lookUp(sequence.annotationStrings, view.number());
        break;
      default: break;
    }
  }
  if (raw.details() != nullptr) {
    annotation.json =
        AnnotationJson(raw.texts(), minifier, sequence.annotationNames, sequence.annotationStrings)
            .of(message);
  }
  if (!annotation.number) annotation.number = wholeNumber(raw.texts().text(annotation.text));
  return annotation;
}

void PacketDecoder::Impl::readLegacy(std::string_view message, Event& event) {
  for (ProtoView view(message); view.next();) {
    if (view.field() == legacy_fields::kPhase) {
      event.phase = view.number();
    } else if (view.field() == legacy_fields::kDurationUs) {
      event.legacyDurationUs = view.integer();
    }
  }
}

Event PacketDecoder::Impl::readEvent(std::string_view message, const Sequence& sequence) {
  Event event;
  for (ProtoView view(message); view.next();) {
    switch (view.field()) {
      case event_fields::kType: event.type = view.number(); break;
      case event_fields::kTrackUuid: event.track = view.number(); break;
      case event_fields::kNameIid: event.name = lookUp(sequence.names, view.number()); break;
      case event_fields::kName: event.name = raw.texts().id(view.bytes()); break;
      case event_fields::kCategoryIids:
        event.category = lookUp(sequence.categories, view.number());
        break;
      case event_fields::kCategories: event.category = raw.texts().id(view.bytes()); break;
      case event_fields::kDebugAnnotations:
        event.annotations.push_back(readAnnotation(view.bytes(), sequence));
        break;
      case event_fields::kCounterValue: event.value = static_cast<double>(view.integer()); break;
      case event_fields::kDoubleCounterValue: event.value = view.real(); break;
      case event_fields::kCorrelationId: event.correlation = view.number(); break;
      case event_fields::kFlowIds:
      case event_fields::kOldFlowIds: event.flows.emplace_back(view.number(), false); break;
      case event_fields::kTerminatingFlowIds:
      case event_fields::kOldTerminatingFlowIds:
        event.flows.emplace_back(view.number(), true);
        break;
      case event_fields::kLegacyEvent: readLegacy(view.bytes(), event); break;
      default: break;
    }
  }
  return event;
}

RawArguments PacketDecoder::Impl::arguments(const Event& event) {
  RawArguments out;
  out.correlation = event.correlation;
  for (const Annotation& annotation : event.annotations) {
    out.take(raw.texts().text(annotation.name), annotation.number, annotation.text);
  }
  return out;
}

/// Keeps details for a conversion: Chrome's arguments if the trace was converted from Chrome, else
/// the annotations that are not Stagelane's.
void PacketDecoder::Impl::describe(std::uint32_t slice, const Event& event,
                                   const RawArguments& given) {
  if (raw.details() == nullptr || slice == kNoSlice) return;
  EventDetails::Event said;
  std::string members;
  for (const Annotation& annotation : event.annotations) {
    const std::string& name = raw.texts().text(annotation.name);
    const std::string_view json = annotation.json;
    if (name == kChromeArguments && (json == "null" || json.substr(0, 1) == "{")) {
      said.isChromes = true;
      said.hasArguments = json != "null";
      members = said.hasArguments ? json.substr(1, json.size() - 2) : "";
      break;
    }
    if (!json.empty() && !RawArguments::isKnown(name) && name != "variant") {
      members += (members.empty() ? "" : ",") + jsonText(name) + ':' + annotation.json;
    }
  }
  for (const Annotation& annotation : event.annotations) {
    const std::string& scope = raw.texts().text(annotation.text);
    if (said.isChromes && raw.texts().text(annotation.name) == kChromeScope && scope.size() == 1) {
      said.scope = scope.front();
    }
  }
  said.arguments = members;
  said.isInstant = event.type == event_types::kInstant || event.phase == 'i' || event.phase == 'I';
  said.hasCategory = event.category != 0;
  said.repeat = RawTrace::narrow(given.repeat);
  said.step = RawTrace::narrow(given.step);
  raw.details()->set(slice, said);
}

void PacketDecoder::Impl::putMetadata(const Event& event) {
  for (const Annotation& annotation : event.annotations) {
    const std::string& name = raw.texts().text(annotation.name);
    if (name == kPredictedKey) {
      raw.setPredicted(annotation.number.value_or(0) != 0);
    } else if (name == kDroppedKey) {
      raw.addDropped(
          static_cast<std::uint64_t>(std::max<std::int64_t>(0, annotation.number.value_or(0))));
    } else if (name == kBaseKey) {
      const TimeNs number = annotation.number.value_or(0);
      const bool sane = number <= 0 && number >= -trace::kLargestTimeNs;
      baseNs = sane ? number : 0;
    } else if (name.compare(0, kMetadataPrefix.size(), kMetadataPrefix) == 0) {
      raw.setMetadata(name.substr(kMetadataPrefix.size()), raw.texts().text(annotation.text));
    } else if (raw.details() != nullptr &&
               name.compare(0, kMemberPrefix.size(), kMemberPrefix) == 0) {
      putMember(name.substr(kMemberPrefix.size()), raw.texts().text(annotation.text));
    }
  }
}

/// A member of the JSON document that the trace was converted from.
void PacketDecoder::Impl::putMember(const std::string& key, const std::string& value) {
  std::string_view minified;
  const bool isKey =
      key.find_first_of("\"\\") == std::string::npos && jsonText(key) == '"' + key + '"';
  if (isKey && key != "traceEvents" && minifier.value(value, minified)) {
    raw.details()->members[key] = minified;
  }
}

void PacketDecoder::Impl::putPoint(const Event& event, TimeNs timeNs) {
  const auto factor = multipliers.find(event.track);
  double value = event.value * (factor == multipliers.end() ? 1.0 : factor->second);
  const auto sum = running.find(event.track);
  if (sum != running.end()) {
    sum->second += value;
    value = sum->second;
  }
  raw.track(event.track).counter = true;
  raw.point({event.track, timeNs, value});
}

void PacketDecoder::Impl::put(Event event, TimeNs fileNs, std::size_t offset) {
  if (raw.texts().text(event.category) == kMetadataCategory &&
      event.type == event_types::kInstant) {
    putMetadata(event);
    return;
  }
  const TimeNs timeNs = fileNs + baseNs;
  RawTrack& track = raw.track(event.track);
  if (track.name.empty() && !track.isNamed) {
    track.name = "track " + std::to_string(event.track & ~kSequenceTrack);
  }
  if (event.type == event_types::kCounter) {
    putPoint(event, timeNs);
    return;
  }
  RawSlice slice;
  slice.startNs = timeNs;
  slice.endNs = timeNs;
  slice.track = event.track;
  slice.name = event.name;
  slice.category = event.category;
  std::uint32_t number = kNoSlice;
  if (event.type == event_types::kBegin || event.phase == 'B') {
    slice.arguments = arguments(event);
    number = raw.begin(slice);
  } else if (event.type == event_types::kEnd || event.phase == 'E') {
    if (raw.end(event.track, timeNs) == kNoSlice) {
      raw.lose(1, "end without a start in the packet at byte " + std::to_string(offset));
    }
  } else if (event.phase == 'X') {
    constexpr std::int64_t kNsPerUs = 1000;
    const std::int64_t most = trace::kLargestTimeNs / kNsPerUs;
    slice.arguments = arguments(event);
    slice.endNs += std::clamp<std::int64_t>(event.legacyDurationUs, 0, most) * kNsPerUs;
    number = raw.complete(slice);
  } else if (event.type == event_types::kInstant || event.phase == 'i' || event.phase == 'I') {
    slice.arguments = arguments(event);
    number = raw.complete(slice);
  }
  describe(number, event, slice.arguments);
  for (const auto& [flow, ends] : event.flows) {
    if (number != kNoSlice) raw.flow({flow, timeNs, number, ends});
  }
}

}  // namespace stagelane::formats::detail
