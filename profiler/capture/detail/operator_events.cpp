#include "profiler/capture/detail/operator_events.h"
#include "profiler/trace/trace_builder.h"

namespace stagelane::capture::detail {

void OperatorEvents::begin(const char* name, TimeNs nowNs) {
  const auto [place, isNew] =
      m_ids.try_emplace(name == nullptr ? "" : name, static_cast<std::uint32_t>(m_names.size()));
  if (isNew) {
    m_names.push_back(place->first);
  }
  m_open.push_back({nowNs, nowNs, place->second});
}

void OperatorEvents::end(TimeNs nowNs) {
  if (m_open.empty()) {
    return;
  }
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
                 trace::Category::Operator,
                 track,
                 {},
                 {}});
  }
  return m_ended.size();
}

}  // namespace stagelane::capture::detail
