#pragma once

/// The default locale of Qt is German while it lives: a decimal comma, points between groups.

#include <QLocale>

namespace stagelane::test {

class GermanNumbers {
 public:
  GermanNumbers() { QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany)); }
  ~GermanNumbers() { QLocale::setDefault(m_before); }
  GermanNumbers(const GermanNumbers&) = delete;
  GermanNumbers& operator=(const GermanNumbers&) = delete;

 private:
  QLocale m_before;  ///< the default when this was made
};

}  // namespace stagelane::test
