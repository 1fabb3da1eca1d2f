#include "engine/run/hogwild/data_order.h"

#include <numeric>
#include <utility>

namespace stagelane::run {
namespace {

std::mt19937_64 generatorOf(std::uint64_t seed, int process, int repeat) {
  std::seed_seq seeds{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                      static_cast<std::uint32_t>(process), static_cast<std::uint32_t>(repeat)};
  return std::mt19937_64(seeds);
}

}  // namespace

DataOrder::DataOrder(std::uint64_t seed, int process, int repeat, std::size_t batches)
    : m_random(generatorOf(seed, process, repeat)), m_order(batches), m_next(batches) {
  std::iota(m_order.begin(), m_order.end(), std::size_t{0});
}

std::size_t DataOrder::next() {
  if (m_next == m_order.size()) {
    m_next = 0;
    // A custom shuffle, because std::shuffle differs between libraries.
    for (std::size_t i = m_order.size(); i > 1; --i) {
      std::swap(m_order[i - 1], m_order[m_random() % i]);
    }
  }
  return m_order[m_next++];
}

}  // namespace stagelane::run
