#include "engine/tokenizer/merge_table.h"

#include <bit>

namespace stagelane::tokenizer {
namespace {

std::uint64_t keyOf(TokenId left, TokenId right) {
  return static_cast<std::uint64_t>(left) << 32U | static_cast<std::uint64_t>(right);
}

/// Spreads close keys: multiplies by 2^64 divided by the golden ratio, and takes high bits.
std::uint64_t mixed(std::uint64_t key) { return key * 0x9E3779B97F4A7C15ULL >> 32U; }

}  // namespace

MergeTable::MergeTable(std::size_t pairs) : m_slots(std::bit_ceil(2 * pairs + 2)) {}

std::size_t MergeTable::placeOf(std::uint64_t key) const {
  const std::size_t last = m_slots.size() - 1;
  std::size_t place = mixed(key) & last;
  while (m_slots[place].key != key && m_slots[place].key != kFree) place = (place + 1) & last;
  return place;
}

void MergeTable::set(TokenId left, TokenId right, Merge merge) {
  const std::uint64_t key = keyOf(left, right);
  m_slots[placeOf(key)] = {key, merge};
}

const Merge* MergeTable::find(TokenId left, TokenId right) const {
  const Slot& slot = m_slots[placeOf(keyOf(left, right))];
  return slot.key == kFree ? nullptr : &slot.merge;
}

}  // namespace stagelane::tokenizer
