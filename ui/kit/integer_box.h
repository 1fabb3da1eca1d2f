#pragma once

/// A field for a whole number that takes any number that is typed, so that a refused one stays in
/// sight and can be told; keys and the wheel step within the range.

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
  /// What is wrong with the number, as a field says it below itself; empty: nothing.
  [[nodiscard]] QString problem() const;

 private:
  int m_least;
  int m_most;
};

}  // namespace stagelane::ui
