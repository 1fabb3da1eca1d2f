#pragma once

/// The order in which a process of Hogwild takes the batches of a repeat: pass after pass over all
/// of them, each pass in a random order of its own. Pure; the same arguments give the same order.

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace stagelane::run {

class DataOrder {
 public:
  /// The generator is seeded with the experiment's seed, the process and the repeat, so processes
  /// and repeats differ from each other. @pre batches > 0
  DataOrder(std::uint64_t seed, int process, int repeat, std::size_t batches);

  /// The next batch's index.
  [[nodiscard]] std::size_t next();

 private:
  std::mt19937_64 m_random;
  std::vector<std::size_t> m_order;
  std::size_t m_next;
};

}  // namespace stagelane::run
