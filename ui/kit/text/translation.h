#pragma once

/// The language of the window. Source texts are English, in `tr()`; catalogs are in
/// resources/translations. English has one, too, for the plural forms of "%n block(s)".

#include <QLocale>

namespace stagelane::ui {

/// Installs the catalog of the locale's language and, as its fallback, the English one, and gives
/// printf its decimal point back. Call it once, after creating the application. @thread gui
void installTranslations(const QLocale& locale);

/// The number format on screen: the default locale without group separators; within FileNumbers the
/// C locale. @thread any
[[nodiscard]] QLocale numberLocale();

/// While it exists, this thread's texts use the C locale for numbers. For reports, exported
/// pictures and other files made of the window's texts.
class FileNumbers {
 public:
  FileNumbers();
  ~FileNumbers();
  FileNumbers(const FileNumbers&) = delete;
  FileNumbers& operator=(const FileNumbers&) = delete;
};

}  // namespace stagelane::ui
