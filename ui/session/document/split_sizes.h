#pragma once

/// Parses a typed split size: one number, or several for a sweep ("4, 8, 16").

#include <QString>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::ui {

/// A number that a field asks for.
struct CountRange {
  QString what;  ///< "replicas"
  std::int64_t least = 1;
  std::int64_t most = 1;
};
/// @errors Invalid: not a number of the range
[[nodiscard]] Result<std::int64_t> countFromText(const QString& text, const CountRange& range);

/// A number or an array of numbers, as in the experiment file. @errors Invalid: not a number, or
/// outside 1 … `batch`
[[nodiscard]] Result<Json> splitFromText(const QString& text, std::int64_t batch);
[[nodiscard]] QString splitText(const Json& split);
/// The default of a new pipeline: four micro-batches. At least 1.
[[nodiscard]] std::int64_t firstSplitSize(std::int64_t batch);

}  // namespace stagelane::ui
