#include "engine/checkpoint/quoted_name.h"

#include <cstddef>

namespace stagelane::checkpoint {

std::string quotedName(std::string_view name) {
  constexpr std::size_t kShown = 120;
  if (name.size() <= 2 * kShown) return '"' + std::string(name) + '"';
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(name[at]) & 0xC0U) == 0x80U;
  };
  std::size_t head = kShown, tail = name.size() - kShown;
  while (head > 0 && continues(head)) --head;
  while (tail < name.size() && continues(tail)) ++tail;
  return '"' + std::string(name.substr(0, head)) + "…" + std::string(name.substr(tail)) + '"';
}

}  // namespace stagelane::checkpoint
