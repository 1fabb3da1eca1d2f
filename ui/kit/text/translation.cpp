#include "ui/kit/text/translation.h"

#include <QCoreApplication>
#include <QTranslator>
#include <clocale>

#include "ui/kit/text/formatting.h"

// Only a function outside all namespaces can initialize the resources of a static library.
static void initializeCatalogs() { Q_INIT_RESOURCE(translations); }

namespace stagelane::ui {
namespace {

thread_local int t_fileNumbers = 0;

void install(const QLocale& locale) {
  auto* translator = new QTranslator(QCoreApplication::instance());
  if (!translator->load(locale, u"stagelane"_s, u"_"_s, u":/translations"_s) ||
      !QCoreApplication::installTranslator(translator)) {
    delete translator;
  }
}

}  // namespace

void installTranslations(const QLocale& locale) {
  std::setlocale(LC_NUMERIC, "C");  // QCoreApplication took the system's
  initializeCatalogs();
  install(QLocale(QLocale::English));
  if (locale.language() != QLocale::English) install(locale);
}

QLocale numberLocale() {
  QLocale locale = t_fileNumbers > 0 ? QLocale::c() : QLocale();
  locale.setNumberOptions(QLocale::OmitGroupSeparator | QLocale::RejectGroupSeparator);
  return locale;
}

FileNumbers::FileNumbers() { ++t_fileNumbers; }
FileNumbers::~FileNumbers() { --t_fileNumbers; }

}  // namespace stagelane::ui
