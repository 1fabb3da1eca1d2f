#include "profiler/capture/operator_events.h"

#include <algorithm>
#include <iterator>

#include "engine/trace/layer_events.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::capture::detail {

std::uint32_t OperatorEvents::nameNumber(const char* name) {
  const auto [place, isNew] =
      m_ids.try_emplace(name == nullptr ? "" : name, static_cast<std::uint32_t>(m_names.size()));
  if (isNew) m_names.push_back(place->first);
  return place->second;
}

void OperatorEvents::push(std::uint32_t name, TimeNs nowNs, bool layer) {
  m_open.push_back({nowNs, nowNs, name, layer});
}

void OperatorEvents::begin(const char* name, TimeNs nowNs) {
  push(nameNumber(name), nowNs, /*layer=*/false);
}

void OperatorEvents::beginLayer(const char* name, TimeNs nowNs, std::uint64_t nextNode) {
  const std::uint32_t number = nameNumber(name);
  push(number, nowNs, /*layer=*/true);
  beginNodesOf(number, nextNode);
}

void OperatorEvents::endLayer(TimeNs nowNs, std::uint64_t nextNode) {
  end(nowNs);
  const bool inLayer = !m_open.empty() && m_open.back().layer;
  beginNodesOf(inLayer ? m_open.back().name : kNoLayer, nextNode);
}

void OperatorEvents::beginNodesOf(std::uint32_t layer, std::uint64_t first) {
  if (!m_nodes.empty() && m_nodes.back().first == first) {
    m_nodes.back().name = layer;  // the previous layer created no nodes
  } else {
    m_nodes.push_back({first, layer});
  }
}

void OperatorEvents::beginNode(const char* name, TimeNs nowNs, std::uint64_t node) {
  const auto next = std::upper_bound(
      m_nodes.begin(), m_nodes.end(), node,
      [](std::uint64_t number, const NodesOfLayer& nodes) { return number < nodes.first; });
  const std::uint32_t layer = next == m_nodes.begin() ? kNoLayer : std::prev(next)->name;
  if (layer == kNoLayer) {
    begin(name, nowNs);
  } else {
    push(layer, nowNs, /*layer=*/true);
  }
}

void OperatorEvents::end(TimeNs nowNs) {
  if (m_open.empty()) return;
  Event event = m_open.back();
  m_open.pop_back();
  if (m_ended.size() >= m_most) {
    ++m_dropped;
    return;
  }
  event.endNs = nowNs;
  m_ended.push_back(event);
}

std::uint64_t OperatorEvents::addTo(trace::TraceBuilder& builder,
                                    const CaptureConfig& config) const {
  const bool known = m_device >= 0 && static_cast<std::size_t>(m_device) < config.devices.size();
  const std::int32_t device =
      known ? builder.device(config.devices[static_cast<std::size_t>(m_device)]) : -1;
  const std::uint16_t track = builder.track(device, trace::TrackKind::Operators, "ops");
  for (const Event& event : m_ended) {
    builder.add({event.startNs - config.originNs,
                 event.endNs - event.startNs,
                 m_names[event.name],
                 event.layer ? trace::Category::Other : trace::Category::Operator,
                 track,
                 {},
                 {},
                 0,
                 0,
                 -1,
                 event.layer ? trace::kLayerWord : std::string_view()});
  }
  return m_ended.size();
}

}  // namespace stagelane::capture::detail
