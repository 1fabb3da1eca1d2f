#pragma once

/// The language of the window. Texts are written in English in the code, within `tr()`; catalogues
/// are in resources/translations. English has one too, for the plural forms of "%n block(s)".

#include <QLocale>

namespace stagelane::ui {

/// Installs the catalogue of the locale's language in the application, and below it the English
/// one, which fills in what another language lacks. Call it once, after the application is made.
/// @thread gui
void installTranslations(const QLocale& locale);

/// How numbers are written and read on the screen: the default locale, without group separators.
/// Within FileNumbers the C locale. @thread any
[[nodiscard]] QLocale numberLocale();

/// While one lives, texts that this thread makes have numbers as in files: with a decimal point,
/// whatever the locale. For reports and other files that are made of the window's texts.
class FileNumbers {
 public:
  FileNumbers();
  ~FileNumbers();
  FileNumbers(const FileNumbers&) = delete;
  FileNumbers& operator=(const FileNumbers&) = delete;
};

}  // namespace stagelane::ui
