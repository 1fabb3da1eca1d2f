#include "engine/run/ranks/heartbeats.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <utility>

#include "engine/base/text.h"
#include "engine/run/device/worker.h"
#include "engine/run/ranks/running_time.h"

namespace stagelane::run {
namespace {

constexpr const char* kBye = "bye";

/// A goodbye still has the last state below it.
bool isBye(const std::string& beat) { return beat.substr(0, beat.find('\n')) == kBye; }

std::string keyOf(int rank) { return std::to_string(rank); }

std::string secondsText(TimeNs durationNs) { return humanTime(static_cast<double>(durationNs)); }

/// Shared with the talking thread, which may be left behind.
struct Shared {
  HeartbeatOptions options;
  int rank = 0;
  int storeRank = 0;  ///< the rank that serves the store; −1: the launcher
  std::shared_ptr<c10d::Store> store;
  std::atomic<std::int64_t> answers{0};  ///< completed rounds
  std::mutex mutex;                      ///< guards all below
  std::condition_variable changed;
  std::vector<RankState> states;
  std::string own;
  bool ending = false;
  bool ended = false;
  std::optional<RankLoss> loss;

  void lose(RankLoss one) {
    const std::lock_guard lock(mutex);
    if (!loss) loss = std::move(one);
    changed.notify_all();
  }
};

/// What the talker remembers of another rank.
struct Peer {
  std::string beat;
  TimeNs silentNs = 0;
  bool seen = false;
};

class TalkerLoop {
 public:
  explicit TalkerLoop(Shared& shared)
      : m_shared(shared), m_peers(shared.states.size()), m_clock(shared.options.limitNs / 4) {}

  void run() {
    while (sleepOn()) {
      const Status round = guarded("the store", [this]() -> Status {
        beat();
        listen();
        return {};
      });
      ++m_shared.answers;
      if (!round) {
        storeIsGone(round.error().message);
        return;
      }
    }
    (void)guarded("the store", [this]() -> Status {
      std::string text = std::string(kBye) + "\n";
      {
        const std::lock_guard lock(m_shared.mutex);
        text += m_shared.own;
      }
      m_shared.store->set(keyOf(m_shared.rank), text);
      return {};
    });
  }

 private:
  /// The pause between rounds; false at the end.
  bool sleepOn() {
    std::unique_lock lock(m_shared.mutex);
    const auto pause = std::chrono::nanoseconds(m_round == 0 ? 0 : m_shared.options.intervalNs);
    m_shared.changed.wait_for(lock, pause, [this] { return m_shared.ending || m_shared.loss; });
    return !m_shared.ending && !m_shared.loss;
  }
  void beat() {
    std::string text = std::to_string(++m_round) + "\n";
    {
      const std::lock_guard lock(m_shared.mutex);
      text += m_shared.own;
      m_shared.states[static_cast<std::size_t>(m_shared.rank)] = {m_shared.own,
                                                                  trace::monotonicNs(), false};
    }
    m_shared.store->set(keyOf(m_shared.rank), text);
  }
  void listen() {
    const TimeNs passedNs = m_clock.tick();
    for (std::size_t rank = 0; rank < m_peers.size(); ++rank) {
      if (static_cast<int>(rank) == m_shared.rank || isBye(m_peers[rank].beat)) continue;
      listenTo(static_cast<int>(rank), m_peers[rank], passedNs);
    }
  }
  void listenTo(int rank, Peer& peer, TimeNs passedNs) {
    peer.silentNs += passedNs;
    // Reading a key that is missing would wait for it.
    peer.seen = peer.seen || m_shared.store->check({keyOf(rank)});
    if (peer.seen) {
      std::string beat = m_shared.store->get_to_str(keyOf(rank));
      if (beat != peer.beat) {
        peer.silentNs = 0;
        peer.beat = std::move(beat);
        note(rank, peer.beat);
      }
    }
    const TimeNs limitNs = peer.seen ? m_shared.options.limitNs : m_shared.options.startLimitNs;
    if (peer.silentNs > limitNs && !isBye(peer.beat)) {
      m_shared.lose({rank, "gave no sign for " + secondsText(limitNs)});
    }
  }
  void note(int rank, const std::string& beat) {
    const std::lock_guard lock(m_shared.mutex);
    RankState& state = m_shared.states[static_cast<std::size_t>(rank)];
    state.seenNs = trace::monotonicNs();
    state.left = isBye(beat);
    const std::size_t line = beat.find('\n');
    if (line != std::string::npos) state.text = beat.substr(line + 1);
  }
  void storeIsGone(const std::string& message) {
    const int host = m_shared.storeRank;
    // A rank that ended in order takes its store along.
    if (host >= 0 && isBye(m_peers[static_cast<std::size_t>(host)].beat)) return;
    m_shared.lose({host, "its store is gone (" + message + ")"});
  }

  Shared& m_shared;
  std::vector<Peer> m_peers;
  RunningTime m_clock;
  std::int64_t m_round = 0;
};

void talk(const std::shared_ptr<Shared>& shared) {
  pthread_setname_np(pthread_self(), "rank heartbeat");
  TalkerLoop(*shared).run();
  const std::lock_guard lock(shared->mutex);
  shared->ended = true;
  shared->changed.notify_all();
}

/// Calls back for a loss that the talker has found, or if the talker gets no answer. Talks to
/// nobody, so it can always act.
void watch(const std::shared_ptr<Shared>& shared, const std::function<void(RankLoss)>& lost) {
  constexpr auto kSlice = std::chrono::milliseconds(20);
  pthread_setname_np(pthread_self(), "rank watcher");
  RunningTime quiet(shared->options.limitNs / 4);
  TimeNs quietNs = 0;
  std::int64_t answers = -1;
  std::unique_lock lock(shared->mutex);
  while (!shared->ending && !shared->loss) {
    shared->changed.wait_for(lock, kSlice);
    const std::int64_t now = shared->answers;
    quietNs = now == answers && !shared->ended ? quietNs + quiet.tick() : 0;
    if (now != answers) quiet.tick();
    answers = now;
    if (quietNs > shared->options.limitNs + shared->options.intervalNs) {
      shared->loss = RankLoss{shared->storeRank, "its store gave no answer for " +
                                                     secondsText(shared->options.limitNs)};
      shared->changed.notify_all();
    }
  }
  if (shared->ending || !shared->loss) return;
  const RankLoss loss = *shared->loss;
  lock.unlock();
  if (lost) lost(loss);
}

}  // namespace

struct Heartbeats::Impl {
  std::shared_ptr<Shared> shared;
  std::thread talker;
  std::thread watcher;
  bool free = true;  ///< the talker has ended
};

Heartbeats::Heartbeats(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

Heartbeats::~Heartbeats() { (void)end(); }

Result<std::unique_ptr<Heartbeats>> Heartbeats::start(RankStore& store,
                                                      const HeartbeatOptions& options,
                                                      std::function<void(RankLoss)> lost) {
  STAGELANE_TRY(connection, store.connect("beat"));
  auto impl = std::make_unique<Impl>();
  impl->shared = std::make_shared<Shared>();
  impl->shared->options = options;
  impl->shared->rank = store.rank();
  impl->shared->storeRank = store.world().agentStore ? -1 : 0;
  impl->shared->store = std::move(*connection);
  impl->shared->states.resize(static_cast<std::size_t>(store.size()));
  impl->talker = std::thread([shared = impl->shared] { talk(shared); });
  impl->watcher =
      std::thread([shared = impl->shared, lost = std::move(lost)] { watch(shared, lost); });
  return std::unique_ptr<Heartbeats>(new Heartbeats(std::move(impl)));
}

void Heartbeats::say(std::string state) {
  const std::lock_guard lock(m_impl->shared->mutex);
  m_impl->shared->own = std::move(state);
}

std::vector<RankState> Heartbeats::states() const {
  const std::lock_guard lock(m_impl->shared->mutex);
  return m_impl->shared->states;
}

bool Heartbeats::end() {
  constexpr auto kGrace = std::chrono::milliseconds(500);
  if (!m_impl->watcher.joinable()) return m_impl->free;
  {
    std::unique_lock lock(m_impl->shared->mutex);
    m_impl->shared->ending = true;
    m_impl->shared->changed.notify_all();
    m_impl->free =
        m_impl->shared->changed.wait_for(lock, kGrace, [this] { return m_impl->shared->ended; });
  }
  m_impl->watcher.join();
  if (m_impl->free) {
    m_impl->talker.join();
  } else {
    m_impl->talker.detach();
  }
  return m_impl->free;
}

}  // namespace stagelane::run
