#include "profiler/formats/perfetto_encoder.h"

#include <algorithm>
#include <protozero/pbf_writer.hpp>
#include <unordered_map>

#include "engine/base/json.h"
#include "profiler/formats/category_words.h"
#include "profiler/formats/json_members.h"
#include "profiler/formats/perfetto_fields.h"
#include "profiler/formats/perfetto_lanes.h"

namespace stagelane::formats::detail {
namespace {

using protozero::pbf_writer;
using trace::EventView;
using trace::Trace;

/// All packets use one sequence.
constexpr std::uint32_t kSequence = 1;
/// FNV-1a over the bytes of a text: gives a track the same identifier in all parts of a file.
/// @source http://www.isthe.com/chongo/tech/comp/fnv/
std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  }
  return hash;
}
constexpr std::uint64_t kFirstHash = 0xcbf29ce484222325ULL;

/// One table of InternedData: texts are written once and then referred to by number.
class Interned {
 public:
  explicit Interned(Field field) : m_field(field) {}

  /// The number of a text; a new one is also written to `data`. `text` must stay alive.
  std::uint64_t id(std::string_view text, std::string& data) {
    const auto [place, isNew] = m_ids.try_emplace(text, m_ids.size() + 1);
    if (isNew) {
      pbf_writer out(data);
      pbf_writer entry(out, m_field);
      entry.add_uint64(interned_fields::kIid, place->second);
      entry.add_string(interned_fields::kText, text.data(), text.size());
    }
    return place->second;
  }

 private:
  Field m_field;
  std::unordered_map<std::string_view, std::uint64_t> m_ids;
};

class Encoder {
 public:
  Encoder(const Trace& trace, const EventDetails* details, std::uint64_t offset, const Sink& sink)
      : m_trace(trace),
        m_details(details),
        m_firstFlow(offset + 1),
        m_sink(sink),
        m_lanes(lanesOf(trace, details == nullptr || !details->stepsAreTold)) {
    for (const Lane& lane : m_lanes) m_uuids.push_back(uuidOf(lane));
    m_base = std::min<TimeNs>(0, earliest());
    const auto variant = trace.metadata().find("variant");
    m_variant = variant == trace.metadata().end() ? std::string_view() : variant->second;
  }

  void run() {
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) writeDescriptor(lane);
    writeMetadata();
    for (MergedLanes merged(m_trace, m_lanes); merged.next();) {
      writeMark(merged.lane(), merged.mark());
    }
  }

 private:
  [[nodiscard]] TimeNs earliest() const {
    TimeNs earliestNs = m_trace.rangeNs().first;
    for (const Lane& lane : m_lanes) {
      earliestNs = lane.marks.empty() ? earliestNs : std::min(earliestNs, lane.marks[0].timeNs);
    }
    return earliestNs;
  }

  /// From device, track and the lane's number in it. Never 0, which is the file's default track.
  [[nodiscard]] std::uint64_t uuidOf(const Lane& lane) const {
    std::uint64_t hash = kFirstHash;
    if (lane.track >= 0) {
      const trace::Track& track = m_trace.tracks()[static_cast<std::size_t>(lane.track)];
      const std::string device =
          track.device < 0 ? "" : m_trace.devices()[static_cast<std::size_t>(track.device)];
      hash = hashed(hash, device + '\n' + track.name + '\n' + std::string(kindWord(track.kind)));
    }
    return hashed(hash, '\n' + std::to_string(lane.number)) | 1U;
  }

  [[nodiscard]] std::uint64_t uuid(std::size_t lane) const { return m_uuids[lane]; }

  /// The first lane of a track.
  [[nodiscard]] std::uint64_t uuidOfTrack(std::int32_t track) const {
    const auto found = std::lower_bound(m_lanes.begin(), m_lanes.end(), track,
                                        [](const Lane& lane, std::int32_t wanted) {
                                          return lane.track >= 0 && lane.track < wanted;
                                        });
    return uuid(static_cast<std::size_t>(found - m_lanes.begin()));
  }

  void writePacket(const std::string& packet) {
    m_bytes.clear();
    pbf_writer(m_bytes).add_message(trace_fields::kPacket, packet);
    m_sink(m_bytes);
  }

  void writeDescriptor(std::size_t index) {
    const Lane& lane = m_lanes[index];
    m_packet.clear();
    pbf_writer packet(m_packet);
    packet.add_uint32(packet_fields::kSequenceId, kSequence);
    {
      pbf_writer descriptor(packet, packet_fields::kTrackDescriptor);
      descriptor.add_uint64(descriptor_fields::kUuid, uuid(index));
      if (lane.track < 0) {
        descriptor.add_string(descriptor_fields::kName, std::string(kStepsWord));
        descriptor.add_string(descriptor_fields::kDescription,
                              std::string(kOwnMark) + std::string(kStepsWord));
      } else {
        describeTrack(descriptor, lane);
      }
    }
    writePacket(m_packet);
  }

  void describeTrack(pbf_writer& descriptor, const Lane& lane) {
    const trace::Track& track = m_trace.tracks()[static_cast<std::size_t>(lane.track)];
    descriptor.add_string(descriptor_fields::kName, track.name);
    if (track.parent >= 0) {
      descriptor.add_uint64(descriptor_fields::kParentUuid, uuidOfTrack(track.parent));
    }
    if (track.kind == trace::TrackKind::Counter) {
      pbf_writer counter(descriptor, descriptor_fields::kCounter);
      if (!lane.marks.empty()) {
        counter.add_string(counter_fields::kUnitName, m_trace.counters()[lane.series].unit);
      }
    }
    if (track.kind == trace::TrackKind::Device) {
      descriptor.add_int32(descriptor_fields::kChildOrdering, kChildOrderingExplicit);
    }
    descriptor.add_int32(descriptor_fields::kSiblingOrderRank, lane.track);
    descriptor.add_string(descriptor_fields::kDescription,
                          std::string(kOwnMark) + std::string(kindWord(track.kind)));
  }

  void annotate(pbf_writer& event, std::string_view name, std::int64_t value) {
    pbf_writer annotation(event, event_fields::kDebugAnnotations);
    annotation.add_uint64(annotation_fields::kNameIid, m_annotationNames.id(name, m_data));
    annotation.add_int64(annotation_fields::kInt, value);
  }

  void annotate(pbf_writer& event, std::string_view name, std::string_view value) {
    pbf_writer annotation(event, event_fields::kDebugAnnotations);
    annotation.add_uint64(annotation_fields::kNameIid, m_annotationNames.id(name, m_data));
    annotation.add_uint64(annotation_fields::kStringIid, m_annotationStrings.id(value, m_data));
  }

  void annotateMetadata(pbf_writer& event, const std::string& name, const std::string& value) {
    pbf_writer annotation(event, event_fields::kDebugAnnotations);
    annotation.add_string(annotation_fields::kName, name);
    annotation.add_string(annotation_fields::kString, value);
  }

  /// A packet with m_event and the texts that it needs.
  void writeEvent(TimeNs timeNs) {
    m_packet.clear();
    pbf_writer packet(m_packet);
    packet.add_uint64(packet_fields::kTimestamp, static_cast<std::uint64_t>(timeNs - m_base));
    packet.add_uint32(packet_fields::kSequenceId, kSequence);
    packet.add_uint32(packet_fields::kSequenceFlags,
                      m_first ? sequence_flags::kCleared : sequence_flags::kNeedsState);
    m_first = false;
    if (!m_data.empty()) packet.add_message(packet_fields::kInternedData, m_data);
    packet.add_message(packet_fields::kTrackEvent, m_event);
    writePacket(m_packet);
    m_data.clear();
    m_event.clear();
  }

  void writeMetadata() {
    pbf_writer event(m_event);
    event.add_uint64(event_fields::kType, event_types::kInstant);
    event.add_uint64(event_fields::kTrackUuid, kFirstHash);
    event.add_uint64(event_fields::kCategoryIids, m_categories.id(kMetadataCategory, m_data));
    event.add_uint64(event_fields::kNameIid, m_names.id("Stagelane trace", m_data));
    annotate(event, kPredictedKey, m_trace.predicted() ? 1 : 0);
    annotate(event, kDroppedKey, static_cast<std::int64_t>(m_trace.droppedEvents()));
    annotate(event, kBaseKey, m_base);
    for (const auto& [key, value] : m_trace.metadata()) {
      annotateMetadata(event, std::string(kMetadataPrefix) + key, value);
    }
    if (m_details != nullptr) {
      for (const auto& [key, value] : m_details->members) {
        annotateMetadata(event, std::string(kMemberPrefix) + key, value);
      }
    }
    writeEvent(m_base);
  }

  [[nodiscard]] EventDetails::Event detailsOf(std::size_t event) const {
    return m_details != nullptr ? m_details->at(event) : EventDetails::Event();
  }

  /// Written as one, without an end.
  [[nodiscard]] bool isInstant(std::size_t event) const {
    return detailsOf(event).isInstant && m_trace.durationsNs()[event] == 0;
  }

  void writeMark(std::size_t lane, const Mark& mark) {
    if (mark.kind == MarkKind::End && isInstant(mark.index)) return;
    pbf_writer event(m_event);
    event.add_uint64(event_fields::kTrackUuid, uuid(lane));
    switch (mark.kind) {
      case MarkKind::Begin: encodeBegin(event, mark.index); break;
      case MarkKind::StepBegin: encodeStep(event, m_trace.steps()[mark.index]); break;
      case MarkKind::End:
      case MarkKind::StepEnd: event.add_uint64(event_fields::kType, event_types::kEnd); break;
      case MarkKind::Counter:
        event.add_uint64(event_fields::kType, event_types::kCounter);
        event.add_double(event_fields::kDoubleCounterValue,
                         m_trace.counters()[m_lanes[lane].series].values[mark.index]);
        break;
    }
    writeEvent(mark.timeNs);
  }

  void encodeStep(pbf_writer& event, const trace::Step& step) {
    event.add_uint64(event_fields::kType, event_types::kBegin);
    event.add_uint64(event_fields::kCategoryIids, m_categories.id(kStepCategory, m_data));
    event.add_string(event_fields::kName, "step " + std::to_string(step.repeat) + '.' +
                                              std::to_string(step.step) +
                                              (step.extra ? " (extra)" : ""));
    annotate(event, "repeat", step.repeat);
    annotate(event, "step", step.step);
    annotate(event, "extra", step.extra ? 1 : 0);
  }

  void encodeBegin(pbf_writer& event, std::size_t index) {
    const EventView view = m_trace.event(index);
    const EventDetails::Event said = detailsOf(index);
    event.add_uint64(event_fields::kType,
                     isInstant(index) ? event_types::kInstant : event_types::kBegin);
    if (said.hasCategory) {
      event.add_uint64(event_fields::kCategoryIids, m_categories.id(view.categoryWord, m_data));
    }
    event.add_uint64(event_fields::kNameIid, m_names.id(view.name, m_data));
    if (view.correlation != 0) event.add_uint64(event_fields::kCorrelationId, view.correlation);
    encodeFlows(event, index);
    annotatePlace(event, view, said);
    if (const trace::Transfer* const transfer = m_trace.transferOf(index)) {
      annotate(event, "bytes", transfer->bytes);
      if (transfer->peer >= 0) {
        annotate(event, "peer", m_trace.devices()[static_cast<std::size_t>(transfer->peer)]);
      }
    }
    annotateDetails(event, said);
  }

  /// Chrome's arguments in one annotation, to separate them from Stagelane's.
  void annotateDetails(pbf_writer& event, const EventDetails::Event& said) {
    if (said.isChromes) {
      annotateJson(event, kChromeArguments,
                   said.hasArguments ? '{' + std::string(said.arguments) + '}' : "null");
      if (said.scope != 0) annotateScope(event, said.scope);
      return;
    }
    for (const JsonMember& member : splitMembers(said.arguments)) {
      annotateJson(event, Json::parse('"' + std::string(member.key) + '"').get<std::string>(),
                   std::string(member.value));
    }
  }

  void annotateScope(pbf_writer& event, char scope) {
    for (const std::string_view known : kChromeScopes) {
      if (known.front() == scope) annotate(event, kChromeScope, known);
    }
  }

  void annotateJson(pbf_writer& event, std::string_view name, const std::string& json) {
    pbf_writer annotation(event, event_fields::kDebugAnnotations);
    annotation.add_string(annotation_fields::kName, name.data(), name.size());
    annotation.add_string(annotation_fields::kLegacyJson, json);
  }

  /// Arrow numbers are unique in the file: a part has fewer arrows than bytes, so numbers from its
  /// offset on are free.
  void encodeFlows(pbf_writer& event, std::size_t index) {
    for (const trace::Flow& flow : m_trace.flowsFrom(index)) {
      const auto number = static_cast<std::uint64_t>(&flow - m_trace.flows().data());
      event.add_fixed64(event_fields::kFlowIds, m_firstFlow + number);
    }
    for (const std::uint32_t flow : m_trace.flowsInto(index)) {
      event.add_fixed64(event_fields::kTerminatingFlowIds, m_firstFlow + flow);
    }
  }

  void annotatePlace(pbf_writer& event, const EventView& view, const EventDetails::Event& said) {
    const std::int32_t device = m_trace.tracks()[view.track].device;
    if (device >= 0) annotate(event, "device", m_trace.devices()[static_cast<std::size_t>(device)]);
    if (view.stage.valid()) annotate(event, "stage", view.stage.value);
    if (view.microBatch.valid()) annotate(event, "micro_batch", view.microBatch.value);
    if (trace::actionKindOf(view.category) || categoryOfWord(view.categoryWord) != view.category) {
      annotate(event, "action", word(view.category));
    }
    annotateStep(event, view, said);
    if (!m_variant.empty() && !said.isChromes) annotate(event, "variant", m_variant);
  }

  void annotateStep(pbf_writer& event, const EventView& view, const EventDetails::Event& said) {
    std::int64_t repeat = said.repeat;
    std::int64_t number = said.step;
    const trace::Step* const step = said.isChromes ? nullptr : stepAt(m_trace, view.startNs);
    if (step != nullptr) {
      repeat = step->repeat;
      number = step->step;
    }
    if (repeat >= 0) annotate(event, "repeat", repeat);
    if (number >= 0) annotate(event, "step", number);
  }

  const Trace& m_trace;
  const EventDetails* m_details;  ///< may be null
  std::uint64_t m_firstFlow;
  const Sink& m_sink;
  std::vector<Lane> m_lanes;
  std::vector<std::uint64_t> m_uuids;  ///< by lane
  Interned m_categories{interned_fields::kCategories};
  Interned m_names{interned_fields::kNames};
  Interned m_annotationNames{interned_fields::kAnnotationNames};
  Interned m_annotationStrings{interned_fields::kAnnotationStrings};
  std::string_view m_variant;
  TimeNs m_base = 0;
  bool m_first = true;
  std::string m_event, m_data, m_packet, m_bytes;
};

}  // namespace

void encodePerfetto(const trace::Trace& trace, const EventDetails* details, std::uint64_t offset,
                    const Sink& sink) {
  Encoder(trace, details, offset, sink).run();
}

}  // namespace stagelane::formats::detail
