#include "engine/run/ranks/rank_mail.h"

#include <ATen/ops/from_blob.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/run/device/worker.h"
#include "engine/run/ranks/mail_frames.h"
#include "engine/run/ranks/mail_layout.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

constexpr int kFrameTag = 1;
constexpr int kValuesTag = 2;
/// Values up to this size travel in the frames that the receiver has asked for; longer ones are a
/// message of their own, which is received in place.
constexpr std::size_t kFramedBytes = kFramesAhead * kFrameBytes - sizeof(MailHeader);
/// Of the values in the first frame, behind the header.
constexpr std::size_t kFirstBytes = kFrameBytes - sizeof(MailHeader);

Error aborted(const std::string& what) {
  return {ErrorCode::EngineFailure, what + ": aborted", "", ""};
}

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
  [[nodiscard]] Status receiveOne(Peer& peer, FrameReader& frames);
  /// False if it was aborted. `first`: the frame with the header.
  [[nodiscard]] bool receiveValues(Peer& peer, FrameReader& frames, const std::byte* first,
                                   const at::Tensor& values) const;
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
  const std::string what = "sending to " + nameOf(peer);
  return guarded(what, [&]() -> Status {
    const auto send = [&](const at::Tensor& message, int tag) {
      std::vector<at::Tensor> messages{message};
      return peer.sending.wait(group->backend()->send(messages, peer.rank, tag));
    };
    const at::Tensor values = packed.values.view(at::kByte);
    const auto bytes = static_cast<std::size_t>(values.numel());
    const bool framed = bytes <= kFramedBytes;
    std::size_t sent = framed ? std::min(bytes, kFirstBytes) : 0;
    std::vector<std::byte> first(sizeof(MailHeader) + sent);
    std::memcpy(first.data(), &packed.header, sizeof(MailHeader));
    if (sent > 0) std::memcpy(first.data() + sizeof(MailHeader), values.const_data_ptr(), sent);
    bool goesOn =
        send(at::from_blob(first.data(), {static_cast<std::int64_t>(first.size())}, at::kByte),
             kFrameTag);
    while (goesOn && sent < bytes) {
      const std::size_t part = framed ? std::min(bytes - sent, kFrameBytes) : bytes;
      goesOn =
          send(values.narrow(0, static_cast<std::int64_t>(sent), static_cast<std::int64_t>(part)),
               framed ? kFrameTag : kValuesTag);
      sent += part;
    }
    if (!goesOn) return tl::make_unexpected(aborted(what));
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

bool RankMail::Impl::receiveValues(Peer& peer, FrameReader& frames, const std::byte* first,
                                   const at::Tensor& values) const {
  const std::size_t bytes = values.nbytes();
  if (bytes > kFramedBytes) {
    std::vector<at::Tensor> message{values.view(at::kByte)};
    return peer.receiving.wait(group->backend()->recv(message, peer.rank, kValuesTag));
  }
  auto* to = static_cast<std::byte*>(values.mutable_data_ptr());
  std::size_t received = std::min(bytes, kFirstBytes);
  if (received > 0) std::memcpy(to, first + sizeof(MailHeader), received);
  while (received < bytes) {
    const std::byte* const frame = frames.next();
    if (frame == nullptr) return false;
    const std::size_t part = std::min(bytes - received, kFrameBytes);
    std::memcpy(to + received, frame, part);
    received += part;
  }
  return true;
}

Status RankMail::Impl::receiveOne(Peer& peer, FrameReader& frames) {
  const std::string what = "receiving from " + nameOf(peer);
  const std::byte* const first = frames.next();
  if (first == nullptr) return tl::make_unexpected(aborted(what));
  MailHeader header;
  std::memcpy(&header, first, sizeof(header));
  if (!isSound(header)) return fail(ErrorCode::EngineFailure, what + ": not a message");
  const at::Tensor values = emptyValues(header);
  if (!receiveValues(peer, frames, first, values)) return tl::make_unexpected(aborted(what));
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
}

void RankMail::Impl::receive(Peer& peer) {
  if (options.enterThread) options.enterThread();
  const Status received = guarded("receiving from " + nameOf(peer), [&]() -> Status {
    FrameReader frames(*group->backend(), peer.rank, kFrameTag, peer.receiving);
    while (!ended) STAGELANE_CHECK(receiveOne(peer, frames));
    return {};
  });
  if (!received) lose(peer, received.error());
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
