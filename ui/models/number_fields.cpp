#include "ui/models/number_fields.h"

#include <cmath>

#include "ui/models/formatting.h"

namespace stagelane::ui {

Result<double> numberFromText(const QString& label, const QString& text, double low, double high) {
  bool isNumber = false;
  const double value = text.trimmed().toDouble(&isNumber);
  if (isNumber && std::isfinite(value) && value >= low && value <= high) {
    return value;
  }
  return fail(ErrorCode::Invalid, utf8(QStringLiteral("%1: \"%2\" is no number from %3 to %4")
                                           .arg(label, text.trimmed())
                                           .arg(low)
                                           .arg(high)));
}

}  // namespace stagelane::ui
