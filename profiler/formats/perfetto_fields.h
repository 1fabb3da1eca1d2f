#pragma once

/// Field numbers of Perfetto's protobuf messages, and the marks of Stagelane's traces. Internal to
/// profiler/formats.
/// @source protos/perfetto/trace/trace_packet.proto, track_event/*.proto, clock_snapshot.proto

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/trace/trace.h"

namespace stagelane::formats::detail {

using Field = std::uint32_t;

namespace trace_fields {
inline constexpr Field kPacket = 1;
}
namespace packet_fields {
inline constexpr Field kClockSnapshot = 6;
inline constexpr Field kTimestamp = 8;
inline constexpr Field kSequenceId = 10;
inline constexpr Field kTrackEvent = 11;
inline constexpr Field kInternedData = 12;
inline constexpr Field kSequenceFlags = 13;
inline constexpr Field kTimestampClockId = 58;
inline constexpr Field kDefaults = 59;
inline constexpr Field kTrackDescriptor = 60;
}  // namespace packet_fields
namespace sequence_flags {
inline constexpr std::uint32_t kCleared = 1;
inline constexpr std::uint32_t kNeedsState = 2;
}  // namespace sequence_flags
namespace defaults_fields {
inline constexpr Field kTrackEvent = 11;
inline constexpr Field kTimestampClockId = 58;
}  // namespace defaults_fields
namespace descriptor_fields {
inline constexpr Field kUuid = 1;
inline constexpr Field kName = 2;
inline constexpr Field kProcess = 3;
inline constexpr Field kThread = 4;
inline constexpr Field kParentUuid = 5;
inline constexpr Field kCounter = 8;
inline constexpr Field kStaticName = 10;
inline constexpr Field kChildOrdering = 11;
inline constexpr Field kSiblingOrderRank = 12;
inline constexpr Field kDescription = 14;
}  // namespace descriptor_fields
inline constexpr std::int32_t kChildOrderingExplicit = 3;
namespace process_fields {
inline constexpr Field kPid = 1;
inline constexpr Field kName = 6;
}  // namespace process_fields
namespace thread_fields {
inline constexpr Field kPid = 1;
inline constexpr Field kTid = 2;
inline constexpr Field kName = 5;
}  // namespace thread_fields
namespace counter_fields {
inline constexpr Field kUnit = 3;
inline constexpr Field kUnitMultiplier = 4;
inline constexpr Field kIsIncremental = 5;
inline constexpr Field kUnitName = 6;
}  // namespace counter_fields
namespace event_fields {
inline constexpr Field kCategoryIids = 3;
inline constexpr Field kDebugAnnotations = 4;
inline constexpr Field kLegacyEvent = 6;
inline constexpr Field kType = 9;
inline constexpr Field kNameIid = 10;
inline constexpr Field kTrackUuid = 11;
inline constexpr Field kCategories = 22;
inline constexpr Field kName = 23;
inline constexpr Field kCounterValue = 30;
inline constexpr Field kDoubleCounterValue = 44;
inline constexpr Field kOldFlowIds = 36;
inline constexpr Field kOldTerminatingFlowIds = 42;
inline constexpr Field kFlowIds = 47;
inline constexpr Field kTerminatingFlowIds = 48;
inline constexpr Field kCorrelationId = 52;
}  // namespace event_fields
namespace legacy_fields {
inline constexpr Field kPhase = 2;
inline constexpr Field kDurationUs = 3;
}  // namespace legacy_fields
namespace event_types {
inline constexpr std::uint64_t kBegin = 1;
inline constexpr std::uint64_t kEnd = 2;
inline constexpr std::uint64_t kInstant = 3;
inline constexpr std::uint64_t kCounter = 4;
}  // namespace event_types
namespace annotation_fields {
inline constexpr Field kNameIid = 1;
inline constexpr Field kUint = 3;
inline constexpr Field kInt = 4;
inline constexpr Field kDouble = 5;
inline constexpr Field kBool = 2;
inline constexpr Field kString = 6;
inline constexpr Field kLegacyJson = 9;
inline constexpr Field kName = 10;
inline constexpr Field kDictionary = 11;
inline constexpr Field kArray = 12;
inline constexpr Field kStringIid = 17;
}  // namespace annotation_fields
namespace interned_fields {
inline constexpr Field kCategories = 1;
inline constexpr Field kNames = 2;
inline constexpr Field kAnnotationNames = 3;
inline constexpr Field kAnnotationStrings = 29;
inline constexpr Field kIid = 1;   ///< in each entry
inline constexpr Field kText = 2;  ///< in each entry
}  // namespace interned_fields
namespace clock_fields {
inline constexpr Field kClocks = 1;
inline constexpr Field kClockId = 1;
inline constexpr Field kTimestamp = 2;
inline constexpr Field kIsIncremental = 3;
inline constexpr Field kMultiplierNs = 4;
}  // namespace clock_fields

/// Description of a track: kOwnMark + the kind's word, "steps" for the track of steps.
inline constexpr std::string_view kOwnMark = "stagelane:";
inline constexpr std::array<std::string_view, 7> kTrackKindWords = {
    "device", "compute", "copy", "operators", "kernels", "counter", "other"};
inline constexpr std::string_view kStepsWord = "steps";
/// Category of step slices.
inline constexpr std::string_view kStepCategory = "step";
/// Category of the instant with the trace's marks and metadata.
inline constexpr std::string_view kMetadataCategory = "metadata";
/// Prefix of the annotation names of metadata entries.
inline constexpr std::string_view kMetadataPrefix = "meta.";
/// Members of the JSON document that the trace was converted from.
inline constexpr std::string_view kMemberPrefix = "json.";
/// Annotations of a converted Chrome event: its `args`, and the scope of an instant.
inline constexpr std::string_view kChromeArguments = "args";
inline constexpr std::string_view kChromeScope = "scope";
inline constexpr std::array<std::string_view, 3> kChromeScopes = {"g", "p", "t"};
/// Other annotations of the metadata instant.
inline constexpr std::string_view kPredictedKey = "predicted";
inline constexpr std::string_view kDroppedKey = "dropped";
inline constexpr std::string_view kBaseKey = "base_ns";

[[nodiscard]] inline std::string_view kindWord(trace::TrackKind kind) {
  return kTrackKindWords[static_cast<std::size_t>(kind)];
}

}  // namespace stagelane::formats::detail
