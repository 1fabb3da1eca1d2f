#pragma once

/// Cost of each block of a model on a device at a micro-batch size: interpolated from a cost table,
/// or estimated, with the changes of a what-if. Plans, cuts and searches all read block costs here.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/model/shapes.h"
#include "engine/plan/experiment.h"
#include "engine/predict/all_reduce.h"
#include "engine/predict/cost_table.h"
#include "engine/predict/what_if.h"

namespace stagelane::predict {

/// One block on one device at one micro-batch size. @units nanoseconds and bytes, not rounded
struct BlockTimes {
  double forward = 0.0;
  double backwardInput = 0.0;
  double backwardWeight = 0.0;
  double backward = 0.0;
  double accumulate = 0.0;  ///< added to W and B of all micro-batches but the first
  double optimizer = 0.0;
  double savedBytes = 0.0;
  double temporaryBytes = 0.0;
  double outputBytes = 0.0;
  std::optional<BlockMemory> memory;
};

/// The device and thread count for a query.
struct Place {
  DeviceId device;
  int threads = 0;  ///< for a CPU worker; 0: the experiment's
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// Caches its results. Single-threaded. The experiment and the table must outlive it.
class BlockCostSource {
 public:
  /// `table` may be null: estimates.
  BlockCostSource(const plan::Experiment& experiment, const CostTable* table, WhatIf whatIf = {});

  /// Whether the table has points for this thread count; if not, use a source without the table.
  [[nodiscard]] bool covers(const Place& place) const;
  [[nodiscard]] Basis basis() const;

  /// Times of all blocks of the model, in order; valid as long as the source.
  /// @errors Invalid: the table lacks a block on this device; the input does not fit the model
  [[nodiscard]] Result<const std::vector<BlockTimes>*> blocks(const Place& place,
                                                              std::int64_t samples);
  /// LOSS of one micro-batch; 0 if unknown.
  [[nodiscard]] double lossNs(const Place& place, std::int64_t samples);
  [[nodiscard]] double transferNs(const DeviceId& from, const DeviceId& to, double bytes) const {
    return linkOf(from, to).ns(bytes);
  }
  /// Between devices of different ranks that of processes.
  [[nodiscard]] LinkRate linkOf(const DeviceId& from, const DeviceId& to) const;
  /// The same between processes, which share no memory.
  [[nodiscard]] LinkRate linkOfProcesses(const DeviceId& from, const DeviceId& to) const;
  /// Puts these devices on ranks, for a variant that is dealt to processes. Others have the rank in
  /// their name. @pre as many ranks as devices
  void dealTo(const std::vector<DeviceId>& devices, const std::vector<int>& ranks);
  [[nodiscard]] bool acrossRanks(const DeviceId& from, const DeviceId& to) const {
    return rankOf(from) != rankOf(to);
  }
  /// A link between processes was asked for that the table does not have, so it is estimated.
  [[nodiscard]] bool estimatedProcesses() const { return m_estimatedProcesses; }
  /// Sums between processes with CPU workers; empty if the table has none, or a network for them.
  [[nodiscard]] std::optional<ProcessSums> processSums() const;
  /// Factor on the durations of CPU workers while so many are busy; 1 if unknown.
  [[nodiscard]] double contention(int busy) const;
  /// Estimated time to read and write bytes of memory.
  [[nodiscard]] double streamNs(const Place& place, double bytes) const;
  /// For an imagined device the one that it is like.
  [[nodiscard]] DeviceId realDevice(const DeviceId& device) const {
    return resolved({device, 0}).first.device;
  }
  /// Shapes of the model at a micro-batch size; valid as long as the source. @errors Invalid
  [[nodiscard]] Result<const model::ModelShapes*> shapes(std::int64_t samples);

 private:
  /// Devices of one kind and speed share their costs: real place, factor of times, samples.
  using Key = std::tuple<Place, double, std::int64_t>;
  [[nodiscard]] Result<std::vector<BlockTimes>> fromTable(const Place& place, std::int64_t samples,
                                                          const model::ModelShapes& shapes) const;
  [[nodiscard]] std::vector<BlockTimes> estimated(const Place& place,
                                                  const model::ModelShapes& shapes) const;
  [[nodiscard]] const BlockCosts* entryOf(const std::string& block, const Place& place) const;
  [[nodiscard]] double estimatedLossNs(const Place& place, std::int64_t samples);
  [[nodiscard]] static LinkRate estimatedLink(const DeviceId& from, const DeviceId& to);
  [[nodiscard]] static LinkRate estimatedLinkOfProcesses(const DeviceId& from, const DeviceId& to);
  [[nodiscard]] double estimatedStreamNs(const Place& place, double bytes) const;
  /// The link of the table; empty if it has none.
  [[nodiscard]] std::optional<LinkRate> listedLink(const DeviceId& from, const DeviceId& to) const;
  /// The same between processes: a calibration measures the links of CPU workers in one process,
  /// which share memory.
  [[nodiscard]] std::optional<LinkRate> listedLinkOfProcesses(const DeviceId& from,
                                                              const DeviceId& to) const;
  [[nodiscard]] std::optional<LinkRate> listedProcessLink(const DeviceId& from,
                                                          const DeviceId& to) const;
  [[nodiscard]] int rankOf(const DeviceId& device) const;
  [[nodiscard]] LinkRate changed(LinkRate link) const {
    return {link.latencyNs * m_whatIf.links, link.nsPerByte * m_whatIf.links};
  }
  void change(double onDevice, std::vector<BlockTimes>& blocks) const;
  /// Replaces an imagined device by the one it is like, and returns the factor on its times.
  [[nodiscard]] std::pair<Place, double> resolved(const Place& place) const;

  const plan::Experiment& m_experiment;
  const CostTable* m_table;
  WhatIf m_whatIf;
  /// Devices by name, and links by the names of both ends: plans may have thousands.
  std::unordered_map<std::string_view, std::size_t> m_devices;
  std::map<std::pair<std::string_view, std::string_view>, LinkRate> m_links;
  std::map<std::pair<std::string_view, std::string_view>, LinkRate> m_processLinks;
  std::optional<LinkRate> m_anyProcessLink;  ///< of CPU workers without a link of their own
  std::map<std::string, int> m_ranks;        ///< of devices that are dealt
  mutable bool m_estimatedProcesses = false;
  std::map<std::int64_t, model::ModelShapesPtr> m_shapes;
  std::map<Key, std::vector<BlockTimes>> m_blocks;
};

}  // namespace stagelane::predict
