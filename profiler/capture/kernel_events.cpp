#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

#include "engine/trace/memory_set.h"
#include "engine/trace/trace_builder.h"
#include "profiler/capture/kernel_records.h"
#include "profiler/capture/record_owners.h"

namespace stagelane::capture::detail {
namespace {

constexpr const char* kCalls = "CUDA calls";
constexpr const char* kOverhead = "CUPTI overhead";

/// How to treat a record, by its times.
enum class Fate { Fits, WithoutTime, CutOff, WrongTime };

Fate fateOf(std::uint64_t startNs, std::uint64_t endNs, const RecordedTime& time) {
  if (startNs == 0) return Fate::WithoutTime;
  if (endNs == 0) return Fate::CutOff;
  const auto earliest =
      static_cast<std::uint64_t>(std::max<TimeNs>(0, time.startedNs - kClockSlackNs));
  const auto latest =
      static_cast<std::uint64_t>(std::max<TimeNs>(0, time.drainedNs + kClockSlackNs));
  const bool inside = startNs >= earliest && startNs <= endNs && endNs <= latest;
  return inside ? Fate::Fits : Fate::WrongTime;
}

std::string_view wordOf(DeviceWork::Kind kind) {
  switch (kind) {
    case DeviceWork::Kind::Kernel: return "kernel";
    case DeviceWork::Kind::Set: return trace::kMemorySetWord;
    default: return "gpu_memcpy";
  }
}

std::string_view wordOf(HostWork::Kind kind) {
  switch (kind) {
    case HostWork::Kind::RuntimeCall: return "cuda_runtime";
    case HostWork::Kind::DriverCall: return "cuda_driver";
    case HostWork::Kind::Synchronization: return "cuda_sync";
    default: return "overhead";
  }
}

/// Names the tracks of streams. Stream numbers are unique only within a context, so a name includes
/// the context if it is not the GPU's default one.
class StreamNames {
 public:
  explicit StreamNames(const KernelRecords& records) {
    for (const GpuContext& context : records.contexts()) m_contexts[context.context] = context;
    for (const DeviceWork& work : records.deviceWork()) {
      if (!isGreen(work.context)) {
        const auto place = m_ordinary.try_emplace(work.gpu, work.context).first;
        place->second = std::min(place->second, work.context);
      }
    }
  }

  [[nodiscard]] std::string nameOf(const DeviceWork& work) const {
    std::string name = "stream " + std::to_string(work.stream);
    if (isGreen(work.context)) {
      name += ", green context " + std::to_string(work.context);
      const std::uint32_t sms = m_contexts.at(work.context).sms;
      return sms == 0 ? name : name + " (" + std::to_string(sms) + " SMs)";
    }
    return m_ordinary.at(work.gpu) == work.context
               ? name
               : name + ", context " + std::to_string(work.context);
  }

 private:
  [[nodiscard]] bool isGreen(std::uint32_t context) const {
    const auto found = m_contexts.find(context);
    return found != m_contexts.end() && found->second.green;
  }

  std::map<std::uint32_t, GpuContext> m_contexts;
  std::map<std::uint32_t, std::uint32_t> m_ordinary;  ///< by GPU: its first context not green
};

class Placing {
 public:
  Placing(const KernelRecords& records, const CaptureConfig& config, const RecordedTime& time,
          trace::TraceBuilder& into)
      : m_records(records),
        m_config(config),
        m_time(time),
        m_into(into),
        m_owners(records, config.devices),
        m_streams(records) {}

  CaptureReport place() {
    m_report.dropped = m_records.dropped();
    for (const HostWork& work : m_records.hostWork()) {
      if (work.kind == HostWork::Kind::RuntimeCall && isShown(work)) {
        m_runtimeCalls.insert(work.correlation);
      }
    }
    for (const DeviceWork& work : m_records.deviceWork()) placeOne(work);
    for (const HostWork& work : m_records.hostWork()) placeOne(work);
    m_into.addDropped(m_report.dropped);
    m_report.problem = problem();
    return m_report;
  }

 private:
  /// Not a call of the session itself, and with usable times.
  [[nodiscard]] bool isShown(const HostWork& work) const {
    return !isOwn(work) && fateOf(work.startNs, work.endNs, m_time) == Fate::Fits;
  }
  [[nodiscard]] bool isOwn(const HostWork& work) const {
    return work.startNs >= static_cast<std::uint64_t>(m_time.stoppedNs) &&
           work.startNs <= static_cast<std::uint64_t>(m_time.drainedNs + kClockSlackNs);
  }
  /// A launch through the runtime leaves a second record, with the same correlation, of the driver
  /// call inside it.
  [[nodiscard]] bool isInRuntimeCall(const HostWork& work) const {
    return work.kind == HostWork::Kind::DriverCall && m_runtimeCalls.count(work.correlation) != 0;
  }

  [[nodiscard]] bool fits(std::uint64_t startNs, std::uint64_t endNs) {
    switch (fateOf(startNs, endNs, m_time)) {
      case Fate::Fits: return true;
      case Fate::WithoutTime: ++m_report.withoutTime; break;
      case Fate::CutOff: ++m_report.cutOff; break;
      case Fate::WrongTime: ++m_report.wrongTime; break;
    }
    ++m_report.dropped;
    return false;
  }

  /// The trace's number of a device of the run, or -1.
  [[nodiscard]] std::int32_t inTrace(std::int32_t device) {
    return device < 0 ? -1 : m_into.device(m_config.devices[static_cast<std::size_t>(device)]);
  }

  /// An event with times, name and the action's values; the caller sets the rest.
  template <class Work>
  [[nodiscard]] trace::TraceBuilder::NewEvent eventOf(const Work& work) const {
    const ActionTag action = m_owners.actionOf(work.correlation);
    trace::TraceBuilder::NewEvent event;
    event.startNs = static_cast<TimeNs>(work.startNs) - m_config.originNs;
    event.durationNs = static_cast<TimeNs>(work.endNs - work.startNs);
    if (work.name < m_records.names().size()) event.name = m_records.names()[work.name];
    event.stage = action.stage;
    event.microBatch = action.microBatch;
    event.correlation = work.correlation;
    event.categoryWord = wordOf(work.kind);
    return event;
  }

  void placeOne(const DeviceWork& work) {
    if (!fits(work.startNs, work.endNs)) return;
    const std::int32_t owner = m_owners.deviceOf(work);
    trace::TraceBuilder::NewEvent event = eventOf(work);
    event.category =
        work.kind == DeviceWork::Kind::Kernel ? trace::Category::Kernel : trace::Category::Copy;
    const std::string stream = m_streams.nameOf(work);
    event.track =
        m_into.track(inTrace(owner), trace::TrackKind::Kernels,
                     owner >= 0 ? stream : "cuda:" + std::to_string(work.gpu) + " " + stream);
    if (work.kind != DeviceWork::Kind::Kernel) {
      event.bytes = static_cast<Bytes>(
          std::min(work.bytes, static_cast<std::uint64_t>(std::numeric_limits<Bytes>::max())));
      event.peer = peerOf(work);
    }
    add(event);
  }

  [[nodiscard]] std::int32_t peerOf(const DeviceWork& work) {
    const std::uint32_t other = work.from == work.gpu ? work.to : work.from;
    return work.kind == DeviceWork::Kind::PeerCopy ? inTrace(m_owners.onlyDeviceOf(other)) : -1;
  }

  void placeOne(const HostWork& work) {
    if (isOwn(work) || isInRuntimeCall(work) || !fits(work.startNs, work.endNs)) return;
    trace::TraceBuilder::NewEvent event = eventOf(work);
    if (work.kind == HostWork::Kind::Overhead) {
      event.correlation = 0;  // otherwise it would look like the launch of what its call launched
    }
    event.category = work.kind == HostWork::Kind::Synchronization ? trace::Category::Sync
                                                                  : trace::Category::Other;
    event.track = m_into.track(inTrace(m_owners.deviceOf(work)), trace::TrackKind::Other,
                               work.kind == HostWork::Kind::Overhead ? kOverhead : kCalls);
    add(event);
  }

  void add(const trace::TraceBuilder::NewEvent& event) {
    if (m_into.add(event) != trace::TraceBuilder::kNoEvent) ++m_report.events;
  }

  /// Describes missing records, or "".
  [[nodiscard]] std::string problem() const {
    std::string text;
    const auto say = [&text](std::uint64_t count, const std::string& what) {
      if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + what;
    };
    say(m_records.dropped(), " lost in the buffers");
    say(m_report.withoutTime, " without a time");
    say(m_report.cutOff, " without an end");
    say(m_report.wrongTime, " with a time outside the recording");
    say(m_records.droppedIds(), " launches without a known action");
    return text.empty() ? text : "GPU records are missing: " + text;
  }

  const KernelRecords& m_records;
  const CaptureConfig& m_config;
  RecordedTime m_time;
  trace::TraceBuilder& m_into;
  RecordOwners m_owners;
  StreamNames m_streams;
  std::unordered_set<std::uint32_t> m_runtimeCalls;  ///< correlations
  CaptureReport m_report;
};

}  // namespace

CaptureReport addKernelRecords(const KernelRecords& records, const CaptureConfig& config,
                               const RecordedTime& time, trace::TraceBuilder& into) {
  return Placing(records, config, time, into).place();
}

}  // namespace stagelane::capture::detail
