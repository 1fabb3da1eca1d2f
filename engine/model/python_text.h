#pragma once

/// Formats numbers as Python does, for texts that are compared character for character.

#include <cstdint>
#include <string>

namespace stagelane::model::detail {

/// `repr(float)`: the shortest digits that read back, `1e-05`, `0.1`, `1.0`.
[[nodiscard]] std::string pythonFloat(double value);

/// `"{:,}".format(value)`: `25,557,032`.
[[nodiscard]] std::string withThousands(std::int64_t value);

/// Aligns right without truncating longer texts, as `{:>20}` does.
[[nodiscard]] std::string alignRight(const std::string& text, std::size_t width);

}  // namespace stagelane::model::detail
