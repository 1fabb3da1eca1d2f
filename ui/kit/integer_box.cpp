#include "ui/kit/integer_box.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "ui/kit/text/typed_numbers.h"

namespace stagelane::ui {
namespace {

/// Valid numbers are shorter than the numbers that the box accepts.
constexpr int kLeastWidth = 56;

}  // namespace

IntegerBox::IntegerBox(int least, int most, QWidget* parent)
    : QSpinBox(parent), m_least(least), m_most(most) {
  setRange(std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
  setMinimumWidth(kLeastWidth);
  setFocusPolicy(Qt::StrongFocus);
}

void IntegerBox::stepBy(int steps) {
  const std::int64_t value = std::int64_t{this->value()} + steps;
  setValue(static_cast<int>(std::clamp<std::int64_t>(value, m_least, m_most)));
}

QString IntegerBox::words() const { return integersInWords(m_least, m_most); }

QString IntegerBox::problem() const { return within() ? QString() : tr("Enter %1").arg(words()); }

}  // namespace stagelane::ui
