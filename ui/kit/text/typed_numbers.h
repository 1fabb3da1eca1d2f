#pragma once

/// Parses typed numbers and shapes, with the locale's decimal sign or a point. If a text is
/// invalid, the field shows the reason and changes nothing.

#include <QString>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/model/shapes.h"

namespace stagelane::ui {

struct NumberRange {
  double least = 0.0;
  double most = 1e6;
  bool leastExcluded = false;  ///< as for a norm, which is > 0
  bool mostExcluded = false;   ///< as for a share, which is < 1
};

/// A finite number within the range. @errors Invalid, with a message for the field
[[nodiscard]] Result<double> numberFromText(const QString& text, const NumberRange& range);
/// "a number from 0 to 1", "a number above 0".
[[nodiscard]] QString rangeInWords(const NumberRange& range);
/// "a whole number from 1 to 1000", "a whole number of at least 0".
[[nodiscard]] QString integersInWords(int least, int most);

/// "8 GiB", "500mb": units in any case. The unit is required because a bare number is ambiguous:
/// people mean gigabytes, files mean bytes. @errors Invalid
[[nodiscard]] Result<Bytes> bytesFromText(const QString& text);

/// "3×128×128", also with x, commas or spaces: one to four sizes. @errors Invalid
[[nodiscard]] Result<model::Shape> shapeFromText(const QString& text);

}  // namespace stagelane::ui
