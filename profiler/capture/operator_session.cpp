#include <ATen/SequenceNumber.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/trace/recorder.h"
#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"
#include "profiler/capture/operator_events.h"

namespace stagelane::capture {
namespace {

using detail::OperatorEvents;

/// Owns one buffer per thread.
class Buffers {
 public:
  explicit Buffers(std::size_t most) : m_most(most), m_generation(nextGeneration()) {}

  /// @thread any; takes the lock only at a thread's first event
  OperatorEvents& mine() {
    struct Slot {
      std::uint64_t generation = 0;
      OperatorEvents* events = nullptr;
    };
    thread_local Slot slot;
    if (slot.generation != m_generation) {
      const std::lock_guard<std::mutex> lock(m_mutex);
      m_all.push_back(std::make_unique<OperatorEvents>(trace::threadDevice(), m_most));
      slot = {m_generation, m_all.back().get()};
    }
    return *slot.events;
  }
  /// @pre no thread is recording
  [[nodiscard]] const std::vector<std::unique_ptr<OperatorEvents>>& all() const { return m_all; }

 private:
  static std::uint64_t nextGeneration() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  std::size_t m_most;
  std::uint64_t m_generation;
  std::mutex m_mutex;  ///< guards m_all while threads are added
  std::vector<std::unique_ptr<OperatorEvents>> m_all;
};

/// The current session. Static because LibTorch's callbacks are plain functions.
std::atomic<Buffers*> s_recording{nullptr};

std::unique_ptr<at::ObserverContext> onStart(const at::RecordFunction& function) {
  Buffers* const buffers = s_recording.load(std::memory_order_acquire);
  if (buffers == nullptr) return nullptr;
  OperatorEvents& events = buffers->mine();
  const TimeNs nowNs = trace::monotonicNs();
  switch (function.scope()) {
    case at::RecordScope::USER_SCOPE:
      events.beginLayer(function.name(), nowNs, at::sequence_number::peek());
      break;
    case at::RecordScope::BACKWARD_FUNCTION:
      events.beginNode(function.name(), nowNs, static_cast<std::uint64_t>(function.seqNr()));
      break;
    default: events.begin(function.name(), nowNs); break;
  }
  return nullptr;
}

void onEnd(const at::RecordFunction& function, at::ObserverContext* /*context*/) {
  const TimeNs nowNs = trace::monotonicNs();
  Buffers* const buffers = s_recording.load(std::memory_order_acquire);
  if (buffers == nullptr) return;
  if (function.scope() == at::RecordScope::USER_SCOPE) {
    buffers->mine().endLayer(nowNs, at::sequence_number::peek());
  } else {
    buffers->mine().end(nowNs);
  }
}

class OperatorSession final : public CaptureSession {
 public:
  OperatorSession() = default;
  OperatorSession(const OperatorSession&) = delete;
  OperatorSession& operator=(const OperatorSession&) = delete;
  ~OperatorSession() override { detach(); }

  Status configure(const CaptureConfig& config) override {
    m_config = config;
    return {};
  }

  Status start() override {
    auto buffers = std::make_unique<Buffers>(m_config.mostEventsPerThread);
    Buffers* none = nullptr;
    if (!s_recording.compare_exchange_strong(none, buffers.get())) {
      return fail(ErrorCode::EngineFailure, "operators are already being recorded", {},
                  "stop the other recording first");
    }
    m_buffers = std::move(buffers);
    m_handle =
        at::addGlobalCallback(at::RecordFunctionCallback(&onStart, &onEnd)
                                  .scopes({at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE,
                                           at::RecordScope::BACKWARD_FUNCTION}));
    m_attached = true;
    return {};
  }

  Result<CaptureReport> stop(trace::TraceBuilder& into) override {
    if (!m_attached) return fail(ErrorCode::EngineFailure, "operator recording was not started");
    detach();
    CaptureReport report;
    for (const auto& events : m_buffers->all()) {
      report.events += events->addTo(into, m_config);
      report.dropped += events->dropped();
    }
    if (report.dropped > 0) {
      report.problem = std::to_string(report.dropped) + " operators did not fit the buffers";
    }
    into.addDropped(report.dropped);
    m_buffers.reset();
    return report;
  }

 private:
  void detach() {
    if (m_attached) {
      at::removeCallback(m_handle);
      s_recording.store(nullptr, std::memory_order_release);
      m_attached = false;
    }
  }

  CaptureConfig m_config;
  std::unique_ptr<Buffers> m_buffers;
  at::CallbackHandle m_handle = 0;
  bool m_attached = false;
};

}  // namespace

double operatorCostNs() {
  constexpr int kCount = 20000;
  constexpr int kRounds = 5;
  const auto nsOfAll = [] {
    const TimeNs start = trace::monotonicNs();
    for (int i = 0; i < kCount; ++i) {
      RECORD_FUNCTION("stagelane::cost", c10::ArrayRef<const c10::IValue>{});
    }
    return static_cast<double>(trace::monotonicNs() - start);
  };
  CaptureConfig config;
  config.devices = {"cost"};
  // Use the minimum: other load on the machine only adds time.
  double without = std::numeric_limits<double>::infinity();
  double with = without;
  for (int round = 0; round < kRounds; ++round) {
    without = std::min(without, nsOfAll());
    OperatorSession session;
    if (!session.configure(config) || !session.start()) return 0.0;
    with = std::min(with, nsOfAll());
    trace::TraceBuilder thrownAway;
    static_cast<void>(session.stop(thrownAway));
  }
  return std::max(0.0, (with - without) / kCount);
}

std::unique_ptr<CaptureSession> makeOperatorSession() {
  return std::make_unique<OperatorSession>();
}

}  // namespace stagelane::capture
