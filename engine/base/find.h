#pragma once

/// Searches in lists that return a pointer or a bool. <algorithm> has those that return an
/// iterator.

#include <algorithm>
#include <functional>
#include <iterator>

namespace stagelane {

template <class Range, class Value>
[[nodiscard]] bool contains(const Range& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

/// The first item that passes the test; null for none.
template <class Range, class Test>
[[nodiscard]] auto findIf(Range& range, Test test) -> decltype(&*std::begin(range)) {
  const auto found = std::find_if(std::begin(range), std::end(range), test);
  return found == std::end(range) ? nullptr : &*found;
}

/// The first item with a member (or a result of a member function) equal to `value`; null for none.
template <class Range, class Member, class Value>
[[nodiscard]] auto findBy(Range& range, Member member, const Value& value) {
  return findIf(range, [&](const auto& one) { return std::invoke(member, one) == value; });
}

}  // namespace stagelane
