#include "engine/run/ranks/rank_mail.h"

#include <ATen/ops/from_blob.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <utility>
#include <vector>

#include "engine/run/device/worker.h"
#include "engine/run/ranks/mail_layout.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

using Work = c10::intrusive_ptr<c10d::Work>;

constexpr int kHeaderTag = 1;
constexpr int kValuesTag = 2;
/// Time limit of a message: the peer may compute for long, and a limit that is exceeded closes the
/// connections of the whole group.
constexpr std::chrono::milliseconds kForEver = std::chrono::hours(24 * 365);

at::Tensor asTensor(MailHeader& header) {
  return at::from_blob(&header, {static_cast<std::int64_t>(sizeof(header))}, at::kByte);
}

Error aborted(const std::string& what) {
  return {ErrorCode::EngineFailure, what + ": aborted", "", ""};
}

/// Operations that another thread can end. Each thread of the mail has one.
class Abortable {
 public:
  /// Waits for the end of an operation; false if `abort` ended it. Throws what Gloo throws.
  bool wait(const Work& work) {
    {
      const std::lock_guard lock(m_mutex);
      if (m_aborted) return false;
      m_current = work;
    }
    const bool ended = work->wait(kForEver);
    const std::lock_guard lock(m_mutex);
    m_current.reset();
    return ended && !m_aborted;
  }
  void abort() {
    const std::lock_guard lock(m_mutex);
    m_aborted = true;
    if (m_current) m_current->abort();
  }

 private:
  std::mutex m_mutex;  ///< guards both
  Work m_current;
  bool m_aborted = false;
};

struct Peer {
  int rank = 0;
  Abortable sending;
  Abortable receiving;
  std::thread sender;
  std::thread receiver;
  // Guarded by the mutex of the mail:
  std::deque<PackedTensor> outbox;
  bool busy = false;  ///< the sender has a message in its hands
  std::map<std::int64_t, std::deque<Mail>> inbox;
  std::optional<Error> lost;
};

}  // namespace

struct RankMail::Impl {
  std::shared_ptr<RankGroup> group;
  RankMailOptions options;
  std::vector<std::unique_ptr<Peer>> peers;  ///< by group rank; null for this one
  mutable std::mutex mutex;                  ///< guards the marked members of the peers
  std::condition_variable changed;
  std::atomic<bool> ended{false};

  void send(Peer& peer);
  [[nodiscard]] Status sendOne(Peer& peer, PackedTensor& packed) const;
  void receive(Peer& peer);
  [[nodiscard]] Status receiveOne(Peer& peer);
  void lose(Peer& peer, const Error& error);
  [[nodiscard]] std::string nameOf(const Peer& peer) const {
    return "rank " + std::to_string(group->members()[static_cast<std::size_t>(peer.rank)]);
  }
  [[nodiscard]] Result<Peer*> peerOf(int rank) const {
    const bool inside = rank >= 0 && rank < group->size();
    if (inside && rank != group->rank()) return peers[static_cast<std::size_t>(rank)].get();
    return fail(ErrorCode::Invalid,
                "group '" + group->name() + "' has no other member " + std::to_string(rank));
  }
  /// Waits until `ready`, which is called under the lock; checks `stopped` without it.
  [[nodiscard]] Status await(std::unique_lock<std::mutex>& lock, const std::string& what,
                             const StopCheck& stopped, const std::function<bool()>& ready);
};

void RankMail::Impl::lose(Peer& peer, const Error& error) {
  {
    const std::lock_guard lock(mutex);
    if (!peer.lost) peer.lost = error;
  }
  changed.notify_all();
}

Status RankMail::Impl::sendOne(Peer& peer, PackedTensor& packed) const {
  return guarded("sending to " + nameOf(peer), [&]() -> Status {
    const auto& backend = group->backend();
    std::vector<at::Tensor> header{asTensor(packed.header)};
    const Work first = backend->send(header, peer.rank, kHeaderTag);
    Work second;
    if (packed.header.elements > 0) {
      std::vector<at::Tensor> values{packed.values.view(at::kByte)};
      second = backend->send(values, peer.rank, kValuesTag);
    }
    const bool sent = peer.sending.wait(first) && (!second || peer.sending.wait(second));
    if (!sent) return tl::make_unexpected(aborted("sending to " + nameOf(peer)));
    return {};
  });
}

void RankMail::Impl::send(Peer& peer) {
  for (;;) {
    std::unique_lock lock(mutex);
    peer.busy = false;
    changed.notify_all();
    changed.wait(lock, [&] { return ended || peer.lost || !peer.outbox.empty(); });
    if (ended || peer.lost) return;
    PackedTensor packed = std::move(peer.outbox.front());
    peer.outbox.pop_front();
    peer.busy = true;
    lock.unlock();
    if (const Status sent = sendOne(peer, packed); !sent) {
      lose(peer, sent.error());
      return;  // still busy, so that `flush` knows of the message
    }
  }
}

Status RankMail::Impl::receiveOne(Peer& peer) {
  const std::string what = "receiving from " + nameOf(peer);
  return guarded(what, [&]() -> Status {
    const auto& backend = group->backend();
    MailHeader header;
    std::vector<at::Tensor> first{asTensor(header)};
    if (!peer.receiving.wait(backend->recv(first, peer.rank, kHeaderTag))) {
      return tl::make_unexpected(aborted(what));
    }
    if (!isSound(header)) return fail(ErrorCode::EngineFailure, what + ": not a message");
    const at::Tensor values = emptyValues(header);
    if (header.elements > 0) {
      std::vector<at::Tensor> second{values.view(at::kByte)};
      if (!peer.receiving.wait(backend->recv(second, peer.rank, kValuesTag))) {
        return tl::make_unexpected(aborted(what));
      }
    }
    const TimeNs arrivedNs = trace::monotonicNs();
    Mail mail{unpackTensor(header, values), static_cast<Bytes>(values.nbytes()), header.readyNs,
              arrivedNs};
    {
      const std::lock_guard lock(mutex);
      peer.inbox[header.tag].push_back(std::move(mail));
    }
    changed.notify_all();
    if (options.onArrival) options.onArrival(peer.rank, header.tag);
    return {};
  });
}

void RankMail::Impl::receive(Peer& peer) {
  if (options.enterThread) options.enterThread();
  while (!ended) {
    if (const Status received = receiveOne(peer); !received) {
      lose(peer, received.error());
      return;
    }
  }
}

Status RankMail::Impl::await(std::unique_lock<std::mutex>& lock, const std::string& what,
                             const StopCheck& stopped, const std::function<bool()>& ready) {
  constexpr auto kSlice = std::chrono::milliseconds(20);
  while (!ready()) {
    if (ended) return tl::make_unexpected(aborted(what));
    changed.wait_for(lock, kSlice);
    if (!stopped) continue;
    lock.unlock();
    const bool stop = stopped();
    lock.lock();
    if (stop && !ready()) return fail(ErrorCode::EngineFailure, what + ": stopped");
  }
  return {};
}

RankMail::RankMail(std::shared_ptr<RankGroup> group, RankMailOptions options)
    : m_impl(std::make_unique<Impl>()) {
  m_impl->group = std::move(group);
  m_impl->options = std::move(options);
  for (int rank = 0; rank < m_impl->group->size(); ++rank) {
    if (rank == m_impl->group->rank()) {
      m_impl->peers.push_back(nullptr);
      continue;
    }
    auto peer = std::make_unique<Peer>();
    peer->rank = rank;
    m_impl->peers.push_back(std::move(peer));
  }
  for (const auto& peer : m_impl->peers) {
    if (!peer) continue;
    peer->sender = std::thread([impl = m_impl.get(), one = peer.get()] {
      pthread_setname_np(pthread_self(), "rank sender");
      impl->send(*one);
    });
    peer->receiver = std::thread([impl = m_impl.get(), one = peer.get()] {
      pthread_setname_np(pthread_self(), "rank receiver");
      impl->receive(*one);
    });
  }
}

RankMail::~RankMail() {
  abort();
  for (const auto& peer : m_impl->peers) {
    if (!peer) continue;
    peer->sender.join();
    peer->receiver.join();
  }
}

void RankMail::abort() {
  {
    const std::lock_guard lock(m_impl->mutex);
    m_impl->ended = true;
  }
  m_impl->changed.notify_all();
  for (const auto& peer : m_impl->peers) {
    if (!peer) continue;
    peer->sending.abort();
    peer->receiving.abort();
  }
}

Status RankMail::post(int to, std::int64_t tag, const at::Tensor& tensor, TimeNs readyNs) {
  STAGELANE_TRY(peer, m_impl->peerOf(to));
  STAGELANE_TRY(packed, packTensor(tensor));
  packed->header.tag = tag;
  packed->header.readyNs = readyNs;
  {
    const std::lock_guard lock(m_impl->mutex);
    if ((*peer)->lost) return tl::make_unexpected(*(*peer)->lost);
    if (m_impl->ended) return tl::make_unexpected(aborted("sending"));
    (*peer)->outbox.push_back(std::move(*packed));
  }
  m_impl->changed.notify_all();
  return {};
}

Result<Mail> RankMail::take(int from, std::int64_t tag, const StopCheck& stopped) {
  STAGELANE_TRY(peer, m_impl->peerOf(from));
  std::unique_lock lock(m_impl->mutex);
  std::deque<Mail>& inbox = (*peer)->inbox[tag];
  STAGELANE_CHECK(m_impl->await(lock, "receiving from " + m_impl->nameOf(**peer), stopped,
                                [&] { return !inbox.empty() || (*peer)->lost; }));
  if (inbox.empty()) return tl::make_unexpected(*(*peer)->lost);
  Mail mail = std::move(inbox.front());
  inbox.pop_front();
  return mail;
}

bool RankMail::arrived(int from, std::int64_t tag) const {
  const auto peer = m_impl->peerOf(from);
  if (!peer) return false;
  const std::lock_guard lock(m_impl->mutex);
  const auto found = (*peer)->inbox.find(tag);
  return found != (*peer)->inbox.end() && !found->second.empty();
}

Status RankMail::flush(const StopCheck& stopped) {
  std::unique_lock lock(m_impl->mutex);
  for (const auto& peer : m_impl->peers) {
    if (!peer) continue;
    STAGELANE_CHECK(m_impl->await(lock, "sending to " + m_impl->nameOf(*peer), stopped, [&] {
      return peer->lost || (peer->outbox.empty() && !peer->busy);
    }));
    if (peer->lost && (peer->busy || !peer->outbox.empty())) {
      return tl::make_unexpected(*peer->lost);
    }
  }
  return {};
}

}  // namespace stagelane::run
