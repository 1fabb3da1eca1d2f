#pragma once

/// A field for a whole number. It accepts any typed number so that an invalid one stays visible
/// with its error; keys and the wheel stay within the range.

#include <QSpinBox>

namespace stagelane::ui {

class IntegerBox final : public QSpinBox {
  Q_OBJECT

 public:
  IntegerBox(int least, int most, QWidget* parent = nullptr);
  void stepBy(int steps) override;
  [[nodiscard]] bool within() const { return value() >= m_least && value() <= m_most; }
  /// "a whole number from 1 to 64".
  [[nodiscard]] QString words() const;
  /// The error for the current number, shown below the field; empty if it is valid.
  [[nodiscard]] QString problem() const;

 private:
  int m_least;
  int m_most;
};

}  // namespace stagelane::ui
