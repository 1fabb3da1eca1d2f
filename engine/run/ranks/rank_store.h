#pragma once

/// The key-value store that all ranks of a run share: c10d's TCPStore, served by rank 0 or by the
/// launcher. Every call has a time limit, although TCPStore's reads have none. There is no access
/// control, so it must only listen on addresses of trusted networks.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/device/backend.h"
#include "engine/run/ranks/world.h"

namespace c10d {
class Store;
}

namespace stagelane::run {

struct RankStoreOptions {
  TimeNs connectLimitNs = 30'000'000'000;  ///< until rank 0 listens
  TimeNs callLimitNs = 5'000'000'000;      ///< of one call to the store
  StopCheck stopped{};                     ///< ends the wait for a connection early
};

class RankStore {
 public:
  /// Rank 0 serves the store, unless the launcher does; all ranks connect to it. It listens only
  /// on the world's address. Keys of earlier restarts are not seen.
  /// @errors Invalid (port in use, address of another host), EngineFailure (not reachable)
  /// @thread any; blocks for at most the limits
  [[nodiscard]] static Result<std::unique_ptr<RankStore>> open(const World& world,
                                                               RankStoreOptions options = {});
  /// A store in memory for ranks that are threads of one process: one for each rank, in order.
  [[nodiscard]] static std::vector<std::unique_ptr<RankStore>> inProcess(int size);

  ~RankStore();
  RankStore(const RankStore&) = delete;
  RankStore& operator=(const RankStore&) = delete;

  [[nodiscard]] int rank() const { return m_world.rank; }
  [[nodiscard]] int size() const { return m_world.size; }
  /// The world, with the port on which the store listens; port 0 for a store in memory.
  [[nodiscard]] const World& world() const { return m_world; }
  /// The address of this host that reaches the store: others reach this host by it.
  [[nodiscard]] const std::string& ownAddress() const { return m_ownAddress; }

  /// All ranks see the value when this returns. It has at most `kLargestValue` bytes. @errors
  /// EngineFailure, Invalid (too large)
  /// @thread any; blocks for at most the call limit, as do all calls below without a limit
  [[nodiscard]] Status set(const std::string& key, const std::string& value);
  static constexpr std::size_t kLargestValue = std::size_t{8} << 20;  ///< bytes, TCPStore's limit
  /// The value of a key, if it has one. @errors EngineFailure
  [[nodiscard]] Result<std::optional<std::string>> tryGet(const std::string& key);
  /// Waits until the key has a value, for at most `limitNs`. @errors EngineFailure (also stopped)
  [[nodiscard]] Result<std::string> get(const std::string& key, TimeNs limitNs,
                                        const StopCheck& stopped = {});
  /// Waits until all keys have values. @errors EngineFailure (also stopped)
  [[nodiscard]] Status wait(const std::vector<std::string>& keys, TimeNs limitNs,
                            const StopCheck& stopped = {});
  /// The keys that have no value yet. @errors EngineFailure
  [[nodiscard]] Result<std::vector<std::string>> missing(const std::vector<std::string>& keys);
  /// Removes a key, if it is there. @errors EngineFailure
  [[nodiscard]] Status remove(const std::string& key);
  /// Says that this rank needs the store no longer. The host of the store waits for the others,
  /// for at most `limitNs`, because the store ends with it. @errors EngineFailure
  [[nodiscard]] Status leave(TimeNs limitNs, const StopCheck& stopped = {});

  /// A call has not returned: all later ones fail, and the process must end with `_exit`.
  /// @thread any
  [[nodiscard]] bool stuck() const;

  /// A connection of its own with the keys below `prefix`, for c10d's groups and for threads that
  /// must not wait for each other. Its calls have no limit: use it from a Talker.
  /// @errors EngineFailure @thread any; blocks for at most the connect limit
  [[nodiscard]] Result<std::shared_ptr<c10d::Store>> connect(const std::string& prefix);

 private:
  struct Impl;
  RankStore(World world, std::string ownAddress, std::unique_ptr<Impl> impl);

  World m_world;
  std::string m_ownAddress;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::run
