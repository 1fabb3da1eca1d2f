#pragma once

/// Shared pointers to objects of c10d, whose own pointers need the complete types. So headers of
/// this folder name c10d's types without including its headers, which take seconds to compile.

#include <c10/util/intrusive_ptr.h>

#include <memory>
#include <utility>

namespace stagelane::run {

template <class T>
[[nodiscard]] std::shared_ptr<T> sharedFrom(c10::intrusive_ptr<T> object) {
  T* const raw = object.get();
  return std::shared_ptr<T>(raw, [object = std::move(object)](T*) mutable { object.reset(); });
}

template <class T>
[[nodiscard]] c10::intrusive_ptr<T> intrusiveFrom(const std::shared_ptr<T>& object) {
  return c10::intrusive_ptr<T>::reclaim_copy(object.get());
}

}  // namespace stagelane::run
