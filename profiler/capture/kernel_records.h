#pragma once

/// What a GPU tells of a recording, as plain values, and how that becomes events of a trace. Knows
/// neither CUDA nor CUPTI (cupti_records.h fills it), so that all of it is tested without a GPU.
/// Internal to profiler/capture.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"

namespace stagelane::capture::detail {

inline constexpr std::uint32_t kNoNumber = 0xFFFFFFFFU;

/// Work of a GPU. Times are CLOCK_MONOTONIC nanoseconds as they came, 0 where there was none.
struct DeviceWork {
  enum class Kind : std::uint8_t { Kernel, Copy, PeerCopy, Set };
  Kind kind = Kind::Kernel;
  std::uint64_t startNs = 0;
  std::uint64_t endNs = 0;
  std::uint64_t bytes = 0;
  std::uint32_t gpu = 0;      ///< CUDA's number of the GPU
  std::uint32_t context = 0;  ///< green contexts have numbers of their own
  std::uint32_t stream = 0;   ///< unique within its context only
  std::uint32_t correlation = 0;
  std::uint32_t name = 0;          ///< index into `names`
  std::uint32_t from = kNoNumber;  ///< peer copies: GPUs by CUDA's number
  std::uint32_t to = kNoNumber;
};

/// What the processor did for it.
struct HostWork {
  enum class Kind : std::uint8_t { RuntimeCall, DriverCall, Synchronization, Overhead };
  Kind kind = Kind::RuntimeCall;
  std::uint64_t startNs = 0;
  std::uint64_t endNs = 0;
  std::uint32_t thread = 0;  ///< of calls only; 0: not known
  std::uint32_t correlation = 0;
  std::uint32_t name = 0;
};

/// The work of this correlation belongs to an action (see action_id.h).
struct ExternalId {
  std::uint32_t correlation = 0;
  std::uint64_t action = 0;
};

struct GpuContext {
  std::uint32_t context = 0;
  std::uint32_t gpu = 0;
  std::uint32_t sms = 0;     ///< multiprocessors it may use, 0: not known
  std::uint32_t parent = 0;  ///< of a green context: the context that it is a part of
  bool green = false;
};

/// All of one recording. Beyond `most` of a kind records are counted and not kept, so that a long
/// recording cannot fill the memory.
class KernelRecords {
 public:
  explicit KernelRecords(std::size_t most) : m_most(most) {}

  void add(const DeviceWork& work);
  void add(const HostWork& work);
  void add(const ExternalId& id);
  void add(const GpuContext& context) { m_contexts.push_back(context); }
  /// Equal names have equal numbers. Kernels' names come mangled and are kept demangled.
  [[nodiscard]] std::uint32_t nameNumber(std::string_view name);
  /// Records that are lost for a reason of the recorder's own.
  void addDropped(std::uint64_t count) { m_dropped += count; }

  [[nodiscard]] const std::vector<DeviceWork>& deviceWork() const { return m_deviceWork; }
  [[nodiscard]] const std::vector<HostWork>& hostWork() const { return m_hostWork; }
  [[nodiscard]] const std::vector<ExternalId>& externalIds() const { return m_externalIds; }
  [[nodiscard]] const std::vector<GpuContext>& contexts() const { return m_contexts; }
  [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
  [[nodiscard]] std::uint64_t dropped() const { return m_dropped; }
  /// Work whose action is not known because its id was not kept.
  [[nodiscard]] std::uint64_t droppedIds() const { return m_droppedIds; }

 private:
  std::size_t m_most;
  std::vector<DeviceWork> m_deviceWork;
  std::vector<HostWork> m_hostWork;
  std::vector<ExternalId> m_externalIds;
  std::vector<GpuContext> m_contexts;
  std::vector<std::string> m_names;
  std::unordered_map<std::string, std::uint32_t> m_numbers;  ///< by the name as it came
  std::uint64_t m_dropped = 0;
  std::uint64_t m_droppedIds = 0;
};

/// CLOCK_MONOTONIC. What the processor does after `stoppedNs` is the session's own.
struct RecordedTime {
  TimeNs startedNs = 0;
  TimeNs stoppedNs = 0;
  TimeNs drainedNs = 0;  ///< when all that was launched before the stop had ended
};
/// Work may lie this much before `startedNs` or after `drainedNs`: GPUs have clocks of their own,
/// and CUPTI's conversion is not exact. Another clock (CLOCK_REALTIME) is years away.
inline constexpr TimeNs kClockSlackNs = 100'000'000;

/// `_Z3addPf` → `add(float*)`; a name that is not mangled stays as it is.
[[nodiscard]] std::string demangled(const std::string& name);

/// Puts the records below the devices of `config`: kernels, copies and sets on tracks `stream N`,
/// calls and synchronisations on `CUDA calls`. Work of an action is put on the action's device,
/// if that is on the GPU which did it, and gets its stage and micro-batch; other work on the device
/// that its green context belongs to, or the only device of its GPU, else on a track of no device.
/// A record with no time, an end before its start, no end or a time outside `time` is counted in
/// the report and in the trace, and not placed. Equal correlations join launches to what they
/// launched.
[[nodiscard]] CaptureReport addKernelRecords(const KernelRecords& records,
                                             const CaptureConfig& config, const RecordedTime& time,
                                             trace::TraceBuilder& into);

}  // namespace stagelane::capture::detail
