#include <algorithm>
#include <map>
#include <set>

#include "engine/model/flow.h"

namespace stagelane::model::detail {
namespace {

/// Tracks temporary storages that autograd does not save.
class Forward {
 public:
  Forward(const Flow& flow, const FlowBlock& block) : m_flow(flow) {
    for (std::size_t call = block.firstCall; call < block.endCall; ++call) {
      for (const std::size_t input : flow.calls[call].inputs) m_lastUse[storageOf(input)] = call;
      m_lastUse[storageOf(flow.calls[call].output)] = call;
    }
    for (const std::size_t output : block.outputs) m_lastUse[storageOf(output)] = block.endCall;
    for (const std::size_t input : block.inputs) enter(input);
    for (std::size_t call = block.firstCall; call < block.endCall; ++call) {
      enter(flow.calls[call].output);
      leaveAfter(call);
    }
  }
  [[nodiscard]] Bytes peak() const { return m_peak; }

 private:
  [[nodiscard]] std::size_t storageOf(std::size_t value) const {
    return m_flow.values[value].storage;
  }
  void enter(std::size_t value) {
    const std::size_t storage = storageOf(value);
    if (m_flow.storages[storage].savedBy || !m_alive.insert(storage).second) return;
    m_bytes += m_flow.storages[storage].bytes;
    m_peak = std::max(m_peak, m_bytes);
  }
  void leaveAfter(std::size_t call) {
    for (auto alive = m_alive.begin(); alive != m_alive.end();) {
      if (m_lastUse[*alive] > call) {
        ++alive;
        continue;
      }
      m_bytes -= m_flow.storages[*alive].bytes;
      alive = m_alive.erase(alive);
    }
  }

  const Flow& m_flow;
  std::map<std::size_t, std::size_t> m_lastUse;
  std::set<std::size_t> m_alive;
  Bytes m_bytes = 0, m_peak = 0;
};

/// Tracks gradients of values during backward, and the new gradient of a layer's parameters before
/// it is accumulated.
class Backward {
 public:
  Backward(const Flow& flow, const FlowBlock& block) : m_flow(flow) {
    for (const std::size_t output : block.outputs) arrive(output, m_nextBuffer++);
    for (std::size_t call = block.endCall; call > block.firstCall; --call) {
      step(flow.calls[call - 1]);
    }
  }
  [[nodiscard]] Bytes peak() const { return m_peak; }

 private:
  void step(const FlowCall& call) {
    const auto own = m_gradients.find(call.output);
    if (own == m_gradients.end()) return;
    const std::size_t buffer = own->second;
    for (const std::size_t input : call.inputs) {
      if (!m_flow.values[input].requiresGrad) continue;
      arrive(input, call.handsGradientOn ? buffer : m_nextBuffer++);
    }
    m_peak = std::max(m_peak, m_bytes + call.parameterBytes + call.backwardScratch);
    m_gradients.erase(call.output);
    release(buffer);
  }

  /// The sum with a second gradient of the same value is computed in a new buffer.
  void arrive(std::size_t value, std::size_t buffer) {
    hold(buffer, m_flow.values[value].bytes);
    const auto [place, isFirst] = m_gradients.emplace(value, buffer);
    if (isFirst) return;
    const std::size_t sum = m_nextBuffer++;
    hold(sum, m_flow.values[value].bytes);
    release(place->second);
    release(buffer);
    place->second = sum;
  }

  void hold(std::size_t buffer, Bytes bytes) {
    Buffer& held = m_buffers[buffer];
    if (held.holders++ > 0) return;
    held.bytes = bytes;
    m_bytes += bytes;
    m_peak = std::max(m_peak, m_bytes);
  }
  void release(std::size_t buffer) {
    const auto held = m_buffers.find(buffer);
    if (--held->second.holders > 0) return;
    m_bytes -= held->second.bytes;
    m_buffers.erase(held);
  }

  struct Buffer {
    int holders = 0;
    Bytes bytes = 0;
  };
  const Flow& m_flow;
  std::map<std::size_t, std::size_t> m_gradients;  ///< value → buffer
  std::map<std::size_t, Buffer> m_buffers;
  std::size_t m_nextBuffer = 0;
  Bytes m_bytes = 0, m_peak = 0;
};

}  // namespace

Bytes temporaryBytes(const Flow& flow, const FlowBlock& block) {
  return std::max(Forward(flow, block).peak(), Backward(flow, block).peak());
}

}  // namespace stagelane::model::detail
