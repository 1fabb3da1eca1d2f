#pragma once

/// The events of one thread: a stack of running ones and a list of ended ones. Written only by its
/// thread, without locks. A layer is an event around the operators of its forward. An autograd node
/// belongs to the layer whose forward created it, found by its sequence number: a thread's sequence
/// numbers increase. Internal to profiler/capture.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/ids.h"
#include "engine/trace/trace_builder.h"
#include "profiler/capture/capture_session.h"

namespace stagelane::capture::detail {

class OperatorEvents {
 public:
  OperatorEvents(std::int32_t device, std::size_t most) : m_device(device), m_most(most) {}

  void begin(const char* name, TimeNs nowNs);
  /// @param nextNode the number of the thread's next node
  void beginLayer(const char* name, TimeNs nowNs, std::uint64_t nextNode);
  /// Starts the backward of node number `node`. The event has the name of its layer, else `name`.
  void beginNode(const char* name, TimeNs nowNs, std::uint64_t node);
  /// Ends the innermost open event, if any.
  void end(TimeNs nowNs);
  void endLayer(TimeNs nowNs, std::uint64_t nextNode);

  /// Adds the ended events to a track and drops open ones; returns their number.
  std::uint64_t addTo(trace::TraceBuilder& builder, const CaptureConfig& config) const;
  [[nodiscard]] std::uint64_t dropped() const { return m_dropped + m_open.size(); }

 private:
  static constexpr std::uint32_t kNoLayer = 0xFFFFFFFFU;
  struct Event {
    TimeNs startNs;
    TimeNs endNs;
    std::uint32_t name;
    bool layer;
  };
  /// The layer's nodes start at this number and end before the next entry's.
  struct NodesOfLayer {
    std::uint64_t first;
    std::uint32_t name;
  };
  [[nodiscard]] std::uint32_t nameNumber(const char* name);
  void push(std::uint32_t name, TimeNs nowNs, bool layer);
  void beginNodesOf(std::uint32_t layer, std::uint64_t first);
  std::int32_t m_device;
  std::size_t m_most;
  std::unordered_map<std::string, std::uint32_t> m_ids;
  std::vector<std::string> m_names;
  std::vector<Event> m_open;
  std::vector<Event> m_ended;
  std::vector<NodesOfLayer> m_nodes;  ///< by `first`
  std::uint64_t m_dropped = 0;
};

}  // namespace stagelane::capture::detail
