#pragma once

/// A GPU's records as plain values, and their conversion to events of a trace. Independent of CUDA
/// and CUPTI (cupti_records.h fills it), so that it can be tested without a GPU. Internal to
/// profiler/capture.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"

namespace stagelane::capture::detail {

inline constexpr std::uint32_t kNoNumber = 0xFFFFFFFFU;

/// Work of a GPU. Times are unchanged CLOCK_MONOTONIC nanoseconds, 0 if missing.
struct DeviceWork {
  enum class Kind : std::uint8_t { Kernel, Copy, PeerCopy, Set };
  Kind kind = Kind::Kernel;
  std::uint64_t startNs = 0;
  std::uint64_t endNs = 0;
  std::uint64_t bytes = 0;
  std::uint32_t gpu = 0;      ///< CUDA's number of the GPU
  std::uint32_t context = 0;  ///< green contexts have separate numbers
  std::uint32_t stream = 0;   ///< unique only within its context
  std::uint32_t correlation = 0;
  std::uint32_t name = 0;          ///< index into `names`
  std::uint32_t from = kNoNumber;  ///< peer copies: GPUs by CUDA's number
  std::uint32_t to = kNoNumber;
};

/// Related activity of the CPU.
struct HostWork {
  enum class Kind : std::uint8_t { RuntimeCall, DriverCall, Synchronization, Overhead };
  Kind kind = Kind::RuntimeCall;
  std::uint64_t startNs = 0;
  std::uint64_t endNs = 0;
  std::uint32_t thread = 0;  ///< of calls only; 0 if unknown
  std::uint32_t correlation = 0;
  std::uint32_t name = 0;
};

/// Assigns the work of a correlation to an action (see action_id.h).
struct ExternalId {
  std::uint32_t correlation = 0;
  std::uint64_t action = 0;
};

struct GpuContext {
  std::uint32_t context = 0;
  std::uint32_t gpu = 0;
  std::uint32_t sms = 0;     ///< multiprocessors it may use, 0 if unknown
  std::uint32_t parent = 0;  ///< of a green context: its parent context
  bool green = false;
};

/// All records of one recording. Keeps at most `most` of each kind and counts the rest, so that a
/// long recording cannot fill the memory.
class KernelRecords {
 public:
  explicit KernelRecords(std::size_t most) : m_most(most) {}

  void add(const DeviceWork& work);
  void add(const HostWork& work);
  void add(const ExternalId& id);
  void add(const GpuContext& context) { m_contexts.push_back(context); }
  /// The number of a name; equal names have equal numbers. Demangles kernel names.
  [[nodiscard]] std::uint32_t nameNumber(std::string_view name);
  /// Adds records that the recorder lost.
  void addDropped(std::uint64_t count) { m_dropped += count; }

  [[nodiscard]] const std::vector<DeviceWork>& deviceWork() const { return m_deviceWork; }
  [[nodiscard]] const std::vector<HostWork>& hostWork() const { return m_hostWork; }
  [[nodiscard]] const std::vector<ExternalId>& externalIds() const { return m_externalIds; }
  [[nodiscard]] const std::vector<GpuContext>& contexts() const { return m_contexts; }
  [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
  [[nodiscard]] std::uint64_t dropped() const { return m_dropped; }
  /// Work with an unknown action because its id was dropped.
  [[nodiscard]] std::uint64_t droppedIds() const { return m_droppedIds; }

 private:
  std::size_t m_most;
  std::vector<DeviceWork> m_deviceWork;
  std::vector<HostWork> m_hostWork;
  std::vector<ExternalId> m_externalIds;
  std::vector<GpuContext> m_contexts;
  std::vector<std::string> m_names;
  std::unordered_map<std::string, std::uint32_t> m_numbers;  ///< by the original name
  std::uint64_t m_dropped = 0;
  std::uint64_t m_droppedIds = 0;
};

/// CLOCK_MONOTONIC. CPU activity after `stoppedNs` is caused by the session.
struct RecordedTime {
  TimeNs startedNs = 0;
  TimeNs stoppedNs = 0;
  TimeNs drainedNs = 0;  ///< when all work launched before the stop had ended
};
/// Tolerance for work before `startedNs` or after `drainedNs`, because CUPTI's conversion of GPU
/// clocks is not exact. A wrong clock (CLOCK_REALTIME) is off by years.
inline constexpr TimeNs kClockSlackNs = 100'000'000;

/// `_Z3addPf` → `add(float*)`. Other names are unchanged.
[[nodiscard]] std::string demangled(const std::string& name);

/// Adds the records to the devices of `config`: kernels, copies and sets on tracks `stream N`,
/// calls and synchronizations on `CUDA calls`. Work of an action is added to the action's device if
/// that is on the same GPU, with its stage and micro-batch; other work to the device of its green
/// context, or the only device of its GPU, else to a track without a device. Records with no time,
/// no end, an end before the start, or a time outside `time` are only counted, in the report and
/// the trace. Equal correlations join launches to what they launched; of a runtime call and the
/// driver call inside it, which share one, only the runtime call is added.
[[nodiscard]] CaptureReport addKernelRecords(const KernelRecords& records,
                                             const CaptureConfig& config, const RecordedTime& time,
                                             trace::TraceBuilder& into);

}  // namespace stagelane::capture::detail
