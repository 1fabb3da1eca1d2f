#include "engine/run/ranks/rank_store.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <utility>

#include "engine/base/text.h"
#include "engine/run/ranks/c10d_share.h"
#include "engine/run/ranks/running_time.h"
#include "engine/run/ranks/sockets.h"
#include "engine/run/ranks/talker.h"

namespace stagelane::run {
namespace {

using Store = c10::intrusive_ptr<c10d::Store>;

std::string placeOf(const World& world) {
  return "the store at " + world.address + ":" + std::to_string(world.port);
}

/// Connects, and serves if there is a listening socket, which c10d then owns.
Store connectTo(const World& world, TimeNs limitNs, std::optional<int> listening) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(world.port);
  options.isServer = listening.has_value();
  options.masterListenFd = listening;
  options.waitWorkers = false;
  options.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(std::max<TimeNs>(limitNs, 1'000'000)));
  return c10::make_intrusive<c10d::TCPStore>(world.address, options);
}

Store withPrefix(const std::string& prefix, const Store& store) {
  return c10::make_intrusive<c10d::PrefixStore>(prefix, store);
}

/// A launcher may keep its store when it starts the ranks again.
std::string prefixOf(const World& world) { return "stagelane/" + std::to_string(world.restart); }

std::string quoted(const std::vector<std::string>& keys) {
  std::vector<std::string> words;
  for (const std::string& key : keys) words.push_back("'" + key + "'");
  return joined(words);
}

}  // namespace

struct RankStore::Impl {
  RankStoreOptions options;
  std::string place;
  Store inMemory;  ///< null for a TCPStore
  Store store;     ///< with the prefix; used in the talker's thread
  Talker talker{"rank store"};

  template <class T, class Body>
  [[nodiscard]] Result<T> call(Body body) {
    return talker.call<T>(place, options.callLimitNs,
                          [store = store, body = std::move(body)]() -> Result<T> {
                            if constexpr (std::is_void_v<T>) {
                              body(*store);
                              return {};
                            } else {
                              return body(*store);
                            }
                          });
  }
};

RankStore::RankStore(World world, std::string ownAddress, std::unique_ptr<Impl> impl)
    : m_world(std::move(world)), m_ownAddress(std::move(ownAddress)), m_impl(std::move(impl)) {}

RankStore::~RankStore() = default;

Result<std::unique_ptr<RankStore>> RankStore::open(const World& world, RankStoreOptions options) {
  World actual = world;
  std::optional<int> listening;
  if (world.rank == 0 && !world.agentStore) {
    STAGELANE_TRY(socket, listenOn(world.address, world.port));
    listening = socket->descriptor;
    actual.port = socket->port;
  }
  auto own = reach(actual.address, actual.port, options.connectLimitNs, options.stopped);
  if (!own) {
    if (listening) ::close(*listening);
    return tl::make_unexpected(std::move(own).error());
  }
  auto impl = std::make_unique<Impl>();
  impl->place = placeOf(actual);
  impl->options = std::move(options);
  const TimeNs limitNs = impl->options.connectLimitNs;
  auto store = impl->talker.call<Store>(
      impl->place, limitNs,
      [actual, limitNs, listening]() -> Result<Store> {
        return withPrefix(prefixOf(actual), connectTo(actual, limitNs, listening));
      },
      impl->options.stopped);
  if (!store) return tl::make_unexpected(std::move(store).error());
  impl->store = std::move(*store);
  return std::unique_ptr<RankStore>(
      new RankStore(std::move(actual), std::move(*own), std::move(impl)));
}

std::vector<std::unique_ptr<RankStore>> RankStore::inProcess(int size) {
  const Store shared = c10::make_intrusive<c10d::HashStore>();
  std::vector<std::unique_ptr<RankStore>> stores;
  for (int rank = 0; rank < size; ++rank) {
    World world;
    world.rank = world.localRank = rank;
    world.size = size;
    world.address = "127.0.0.1";
    world.launcher = "stagelane";
    auto impl = std::make_unique<Impl>();
    impl->place = "the store in memory";
    impl->inMemory = shared;
    impl->store = withPrefix(prefixOf(world), shared);
    stores.push_back(
        std::unique_ptr<RankStore>(new RankStore(world, world.address, std::move(impl))));
  }
  return stores;
}

bool RankStore::stuck() const { return m_impl->talker.stuck(); }

Status RankStore::set(const std::string& key, const std::string& value) {
  if (value.size() > kLargestValue) {
    return fail(ErrorCode::Invalid, "'" + key + "': a value of " +
                                        humanBytes(static_cast<Bytes>(value.size())) +
                                        " is too large for the store (at most " +
                                        humanBytes(static_cast<Bytes>(kLargestValue)) + ")");
  }
  return m_impl->call<void>([key, value](c10d::Store& store) {
    store.set(key, value);
    // TCPStore's `set` has no reply. A reply to a later request means that others see the value.
    store.check({key});
  });
}

Result<std::optional<std::string>> RankStore::tryGet(const std::string& key) {
  using Value = std::optional<std::string>;
  return m_impl->call<Value>([key](c10d::Store& store) -> Value {
    // Reading a missing key would wait.
    if (!store.check({key})) return std::nullopt;
    return store.get_to_str(key);
  });
}

Result<std::vector<std::string>> RankStore::missing(const std::vector<std::string>& keys) {
  using Keys = std::vector<std::string>;
  return m_impl->call<Keys>([keys](c10d::Store& store) {
    Keys absent;
    if (keys.empty() || store.check(keys)) return absent;
    for (const std::string& key : keys) {
      if (!store.check({key})) absent.push_back(key);
    }
    return absent;
  });
}

Status RankStore::wait(const std::vector<std::string>& keys, TimeNs limitNs,
                       const StopCheck& stopped) {
  constexpr auto kShortest = std::chrono::milliseconds(1);
  constexpr auto kLongest = std::chrono::milliseconds(16);
  auto pause = kShortest;
  RunningTime waited;
  for (;;) {
    STAGELANE_TRY(absent, missing(keys));
    if (absent->empty()) return {};
    if (stopped && stopped()) {
      return fail(ErrorCode::EngineFailure, "stopped while waiting for " + quoted(*absent));
    }
    if (waited.elapsedNs() >= limitNs) {
      return fail(ErrorCode::EngineFailure,
                  "no rank has set " + quoted(*absent) + " within " +
                      humanTime(static_cast<double>(limitNs)),
                  "", "", {FailureKind::Stalled});
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongest);
  }
}

Result<std::string> RankStore::get(const std::string& key, TimeNs limitNs,
                                   const StopCheck& stopped) {
  STAGELANE_CHECK(wait({key}, limitNs, stopped));
  STAGELANE_TRY(value, tryGet(key));
  if (!*value) return fail(ErrorCode::EngineFailure, "'" + key + "' was removed while reading it");
  return std::move(**value);
}

Status RankStore::remove(const std::string& key) {
  return m_impl->call<void>([key](c10d::Store& store) { store.deleteKey(key); });
}

Status RankStore::leave(TimeNs limitNs, const StopCheck& stopped) {
  const auto keyOf = [](int rank) { return "left/" + std::to_string(rank); };
  STAGELANE_CHECK(set(keyOf(rank()), ""));
  if (rank() != 0 || m_world.agentStore) return {};
  std::vector<std::string> keys;
  for (int other = 1; other < size(); ++other) keys.push_back(keyOf(other));
  return wait(keys, limitNs, stopped);
}

Result<std::shared_ptr<c10d::Store>> RankStore::connect(const std::string& prefix) {
  using Shared = std::shared_ptr<c10d::Store>;
  const std::string whole = prefixOf(m_world) + "/" + prefix;
  if (m_impl->inMemory) return sharedFrom<c10d::Store>(withPrefix(whole, m_impl->inMemory));
  const TimeNs limitNs = m_impl->options.connectLimitNs;
  return m_impl->talker.call<Shared>(
      m_impl->place, limitNs, [world = m_world, whole, limitNs]() -> Result<Shared> {
        return sharedFrom<c10d::Store>(withPrefix(whole, connectTo(world, limitNs, {})));
      });
}

}  // namespace stagelane::run
