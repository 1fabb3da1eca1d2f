#pragma once

/// Looking through a list from its front: for one that answers with a place, see <algorithm>.

#include <algorithm>
#include <functional>
#include <iterator>

namespace stagelane {

template <class Range, class Value>
[[nodiscard]] bool contains(const Range& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

/// The first that `test` holds for; null for none.
template <class Range, class Test>
[[nodiscard]] auto findIf(Range& range, Test test) -> decltype(&*std::begin(range)) {
  const auto found = std::find_if(std::begin(range), std::end(range), test);
  return found == std::end(range) ? nullptr : &*found;
}

/// The first whose member (or the answer of whose function) is `value`; null for none.
template <class Range, class Member, class Value>
[[nodiscard]] auto findBy(Range& range, Member member, const Value& value) {
  return findIf(range, [&](const auto& one) { return std::invoke(member, one) == value; });
}

}  // namespace stagelane
