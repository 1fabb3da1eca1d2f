#pragma once

/// Integer sums and products that detect overflow instead of wrapping. Sizes come from files, so
/// the product of three may exceed 2^63.

#include <cstdint>
#include <optional>
#include <vector>

namespace stagelane::model::detail {

/// Largest size that a model file may contain. The product of two does not overflow.
inline constexpr std::int64_t kMaxSize = 2147483647;
/// Largest number of elements of one tensor (2^48: a pebibyte in float32), so that the byte totals
/// of thousands of tensors fit 64 bits.
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 48;

/// A running value that stays invalid once it overflows.
class Checked {
 public:
  explicit Checked(std::int64_t start = 0) : m_value(start) {}
  Checked& add(std::int64_t term) {
    m_overflow = __builtin_add_overflow(m_value, term, &m_value) || m_overflow;
    return *this;
  }
  Checked& multiply(std::int64_t factor) {
    m_overflow = __builtin_mul_overflow(m_value, factor, &m_value) || m_overflow;
    return *this;
  }
  /// Empty after an overflow.
  [[nodiscard]] std::optional<std::int64_t> value() const {
    if (m_overflow) return std::nullopt;
    return m_value;
  }

 private:
  std::int64_t m_value;
  bool m_overflow = false;
};

/// Product of the sizes (1 for a scalar); empty above kMaxElements.
[[nodiscard]] inline std::optional<std::int64_t> elementCount(
    const std::vector<std::int64_t>& shape) {
  Checked product(1);
  for (const std::int64_t size : shape) product.multiply(size);
  const std::optional<std::int64_t> count = product.value();
  if (count && *count > kMaxElements) return std::nullopt;
  return count;
}

}  // namespace stagelane::model::detail
