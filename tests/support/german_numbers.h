#pragma once

/// While it exists, the default locale of Qt is German: a decimal comma, points between groups.

#include <QLocale>

namespace stagelane::test {

class GermanNumbers {
 public:
  GermanNumbers() { QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany)); }
  ~GermanNumbers() { QLocale::setDefault(m_before); }
  GermanNumbers(const GermanNumbers&) = delete;
  GermanNumbers& operator=(const GermanNumbers&) = delete;

 private:
  QLocale m_before;  ///< the default before
};

}  // namespace stagelane::test
