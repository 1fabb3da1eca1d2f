#pragma once

/// Groups of ranks that communicate with each other through Gloo. A group is created by its members
/// alone, all with the same name, and connects each with all others.

#include <memory>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/device/backend.h"
#include "engine/run/ranks/rank_store.h"

namespace c10d {
class Backend;
class ProcessGroup;
}  // namespace c10d

namespace stagelane::run {

struct RankGroupOptions {
  std::string address;              ///< of this host; empty: the one that reaches the store
  TimeNs limitNs = 30'000'000'000;  ///< of the creation and of each operation
  int threads = 2;                  ///< for collective operations
};

/// @thread any, but all members must call the collective operations of a group in the same order
class RankGroup {
 public:
  /// `members` are ranks of the run, different ones, the same list on all members.
  /// @errors Invalid (this rank is not a member), EngineFailure (a member is missing, or stopped:
  /// then the process must end with `_exit`, see talker.h)
  /// @thread any; blocks until all members call it, for at most the limit
  [[nodiscard]] static Result<std::shared_ptr<RankGroup>> create(RankStore& store,
                                                                 const std::string& name,
                                                                 std::vector<int> members,
                                                                 const RankGroupOptions& options,
                                                                 const StopCheck& stopped = {});
  ~RankGroup();
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  [[nodiscard]] const std::string& name() const { return m_name; }
  /// Position of this rank in `members`; all ranks in interfaces of groups are such positions.
  [[nodiscard]] int rank() const { return m_rank; }
  [[nodiscard]] int size() const { return static_cast<int>(m_members.size()); }
  [[nodiscard]] const std::vector<int>& members() const { return m_members; }

  /// Waits until all members have called it. @errors EngineFailure @thread any; blocks
  [[nodiscard]] Status barrier(const StopCheck& stopped = {});
  /// Closes the connections: operations in progress end with an error, on this rank at once and on
  /// the others too. The group cannot be used afterwards. @thread any; returns within 100 ms
  void abort();
  [[nodiscard]] bool aborted() const;

  /// For the parts of this folder that use c10d.
  [[nodiscard]] const std::shared_ptr<c10d::Backend>& backend() const;
  /// The group as c10d's Reducer needs it.
  [[nodiscard]] const std::shared_ptr<c10d::ProcessGroup>& front() const;

 private:
  struct Impl;
  RankGroup(std::string name, int rank, std::vector<int> members, std::unique_ptr<Impl> impl);

  std::string m_name;
  int m_rank;
  std::vector<int> m_members;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::run
