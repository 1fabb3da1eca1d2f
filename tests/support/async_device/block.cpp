#include "tests/support/async_device/block.h"

#include <iterator>
#include <utility>

namespace stagelane::async_device {

Block& BlockTable::add(std::unique_ptr<Block> block) {
  const char* const data = block->data;
  std::unique_ptr<Block>& place = m_blocks[data];
  place = std::move(block);
  return *place;
}

void BlockTable::remove(const Block& block) { m_blocks.erase(block.data); }

Block* BlockTable::find(const void* data) const {
  const auto* const address = static_cast<const char*>(data);
  const auto after = m_blocks.upper_bound(address);
  if (after == m_blocks.begin()) return nullptr;
  Block* const block = std::prev(after)->second.get();
  return address < block->data + block->capacity ? block : nullptr;
}

}  // namespace stagelane::async_device
