#include "profiler/formats/perfetto_descriptors.h"

#include <algorithm>
#include <array>

#include "profiler/formats/perfetto_fields.h"
#include "profiler/formats/proto_view.h"

namespace stagelane::formats::detail {
namespace {

void readProcess(std::string_view message, TrackDescriptor& out) {
  out.processPid = 0;
  for (ProtoView view(message); view.next();) {
    if (view.field() == process_fields::kPid) {
      out.processPid = view.integer();
    } else if (view.field() == process_fields::kName && out.name.empty()) {
      out.name = view.bytes();
    }
  }
  if (out.name.empty()) out.name = "process " + std::to_string(*out.processPid);
}

void readThread(std::string_view message, TrackDescriptor& out) {
  out.threadPid = 0;
  std::int64_t tid = 0;
  for (ProtoView view(message); view.next();) {
    if (view.field() == thread_fields::kPid) {
      out.threadPid = view.integer();
    } else if (view.field() == thread_fields::kTid) {
      tid = view.integer();
    } else if (view.field() == thread_fields::kName && out.name.empty()) {
      out.name = view.bytes();
    }
  }
  if (out.name.empty()) out.name = "thread " + std::to_string(tid);
}

CounterDescriptor readCounter(std::string_view message) {
  constexpr std::array<std::string_view, 4> kUnits = {"", "ns", "", "B"};
  CounterDescriptor counter;
  for (ProtoView view(message); view.next();) {
    switch (view.field()) {
      case counter_fields::kUnit: {
        const std::uint64_t known = view.number();
        counter.unit = known < kUnits.size() ? kUnits[known] : std::string_view();
        break;
      }
      case counter_fields::kUnitName: counter.unit = view.bytes(); break;
      case counter_fields::kUnitMultiplier:
        counter.multiplier = static_cast<double>(view.integer());
        break;
      case counter_fields::kIsIncremental: counter.incremental = view.number() != 0; break;
      default: break;
    }
  }
  return counter;
}

void readField(ProtoView& view, TrackDescriptor& out) {
  switch (view.field()) {
    case descriptor_fields::kUuid: out.uuid = view.number(); break;
    case descriptor_fields::kName:
    case descriptor_fields::kStaticName:
      out.name = view.bytes();
      out.isNamed = true;
      break;
    case descriptor_fields::kParentUuid: out.parent = view.number(); break;
    case descriptor_fields::kDescription: out.description = view.bytes(); break;
    case descriptor_fields::kCounter: out.counter = readCounter(view.bytes()); break;
    case descriptor_fields::kProcess: readProcess(view.bytes(), out); break;
    case descriptor_fields::kThread: readThread(view.bytes(), out); break;
    default: break;
  }
}

}  // namespace

TrackDescriptor readTrackDescriptor(std::string_view message) {
  TrackDescriptor descriptor;
  for (ProtoView view(message); view.next();) readField(view, descriptor);
  return descriptor;
}

void takeOwnKind(std::string_view description, RawTrack& track) {
  if (description.substr(0, kOwnMark.size()) != kOwnMark) return;
  const std::string_view kind = description.substr(kOwnMark.size());
  const auto* found = std::find(kTrackKindWords.begin(), kTrackKindWords.end(), kind);
  track.hidden = kind == kStepsWord;
  track.ownKind = track.hidden || found != kTrackKindWords.end();
  if (found != kTrackKindWords.end()) {
    track.kind = static_cast<trace::TrackKind>(found - kTrackKindWords.begin());
  }
}

}  // namespace stagelane::formats::detail
