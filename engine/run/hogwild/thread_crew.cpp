#include <atomic>
#include <chrono>
#include <thread>

#include "engine/run/device/allocator.h"
#include "engine/run/hogwild/crew.h"
#include "engine/run/hogwild/worker.h"

namespace stagelane::run {
namespace {

constexpr std::chrono::milliseconds kGrace{500};
constexpr std::chrono::milliseconds kSlice{2};
/// Threads whose memory is counted. The workers of a run's devices have the lowest owners.
constexpr int kCounted = kMaxOwners / 2;

/// What the threads use. One that never returns keeps it.
struct Parts {
  plan::Experiment experiment;
  plan::Variant variant;
  std::shared_ptr<SharedState> shared;
  std::atomic<int> running{0};
};

class ThreadCrew final : public Crew {
 public:
  explicit ThreadCrew(std::shared_ptr<Parts> parts) : m_parts(std::move(parts)) {
    const auto count = static_cast<int>(m_parts->shared->header().processes);
    m_parts->running.store(count);
    for (int i = 0; i < count; ++i) {
      m_threads.emplace_back([kept = m_parts, i] {
        const int owner = i < kCounted ? kMaxOwners - 1 - i : 0;
        HogwildWorker(kept->experiment, kept->variant, *kept->shared, i).serve(owner);
        kept->running.fetch_sub(1);
      });
    }
  }
  ~ThreadCrew() override { end(); }
  ThreadCrew(const ThreadCrew&) = delete;
  ThreadCrew& operator=(const ThreadCrew&) = delete;

  [[nodiscard]] std::optional<LostWorker> lost() override { return std::nullopt; }
  void end() override;
  [[nodiscard]] bool threadsLeft() const override { return m_left; }
  [[nodiscard]] std::string nameOf(int process) const override {
    return "thread " + std::to_string(process);
  }

 private:
  std::shared_ptr<Parts> m_parts;
  std::vector<std::thread> m_threads;
  bool m_left = false;
};

void ThreadCrew::end() {
  if (m_threads.empty()) return;
  tellToQuit(m_parts->shared->header());
  const auto until = std::chrono::steady_clock::now() + kGrace;
  while (m_parts->running.load() > 0 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kSlice);
  }
  m_left = m_parts->running.load() > 0;
  for (std::thread& thread : m_threads) {
    if (m_left) {
      thread.detach();
    } else {
      thread.join();
    }
  }
  m_threads.clear();
}

}  // namespace

Result<std::unique_ptr<Crew>> startThreads(const plan::Experiment& experiment,
                                           const plan::Variant& variant,
                                           const std::shared_ptr<SharedState>& shared) {
  auto parts = std::make_shared<Parts>();
  parts->experiment = experiment;
  parts->variant = variant;
  parts->shared = shared;
  return std::make_unique<ThreadCrew>(std::move(parts));
}

}  // namespace stagelane::run
