#pragma once

/// While it exists, every text in tr() is between ⟦ and ⟧, so that a test sees which parts of a
/// text are translated, and that no code searches for English words.

#include <QCoreApplication>
#include <QTranslator>

namespace stagelane::test {

class MarkedTexts final : public QTranslator {
 public:
  MarkedTexts() { QCoreApplication::installTranslator(this); }
  ~MarkedTexts() override { QCoreApplication::removeTranslator(this); }
  MarkedTexts(const MarkedTexts&) = delete;
  MarkedTexts& operator=(const MarkedTexts&) = delete;

  [[nodiscard]] bool isEmpty() const override { return false; }
  QString translate(const char* /*context*/, const char* source, const char* /*disambiguation*/,
                    int /*count*/) const override {
    return QStringLiteral("⟦%1⟧").arg(QString::fromUtf8(source));
  }
};

}  // namespace stagelane::test
