#pragma once

/// The events of one thread: a stack of what runs now and a list of what has ended. Written by its
/// thread only, without locks. A layer is an event around the operators of its forward; a node of
/// the autograd graph is the layer's too when it was made in that forward, which its sequence
/// number says: the numbers that a thread gives its nodes only grow. Internal to profiler/capture.

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
  /// @param nextNode the number that the thread's next node gets
  void beginLayer(const char* name, TimeNs nowNs, std::uint64_t nextNode);
  /// A node of the graph, of which `node` is the number, does its backward. Named by its layer, and
  /// by `name` where it has none.
  void beginNode(const char* name, TimeNs nowNs, std::uint64_t node);
  /// Ends the innermost; does nothing when none is open.
  void end(TimeNs nowNs);
  void endLayer(TimeNs nowNs, std::uint64_t nextNode);

  /// Adds the ended events to a track; returns how many. What is still open is dropped.
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
  /// Nodes from this number on, up to that of the next one, are of this layer.
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
