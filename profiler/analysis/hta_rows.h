#pragma once

/// The rows that HTA keeps from a Kineto JSON file, and the exceptions that it raises for invalid
/// ones. Internal to profiler/analysis.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagelane::analysis::detail {

/// HTA 0.5.0's kinds of kernels, by name.
enum class HtaKind : std::uint8_t { Communication, Memory, Computation, Other };
/// @source HTA 0.5.0 hta/utils/utils.py, get_kernel_type
[[nodiscard]] HtaKind htaKindOf(std::string_view name);

/// One event with a duration and a category. HTA works in (rounded) microseconds.
struct HtaRow {
  double startUs = 0.0;
  double endUs = 0.0;
  double correlation = -1.0;  ///< -1: none
  std::int64_t stream = -1;   ///< -1: not on a GPU
  std::uint32_t index = 0;    ///< place in traceEvents
  std::uint32_t name = 0;
  std::uint32_t category = 0;
  std::uint32_t device = 0;  ///< text
  [[nodiscard]] bool gpu() const { return stream != -1; }
};

/// The exception that HTA raises, with our message.
struct HtaException {
  std::string type;
  std::string message;
};

struct HtaTable {
  std::vector<HtaRow> rows;
  std::vector<std::string> texts;
  std::optional<HtaException> refused;  ///< HTA cannot load the file
};

/// Reallocates `bytes` to add padding.
[[nodiscard]] HtaTable readHtaRows(std::string& bytes);

}  // namespace stagelane::analysis::detail
