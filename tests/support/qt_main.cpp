// The main() of tests that use Qt: a QApplication around GoogleTest, and a listener that fails the
// test during which Qt printed a warning, because Qt reports most misuse of its API only this way.

#include <QApplication>
#include <QByteArray>
#include <QMutex>
#include <QMutexLocker>
#include <QString>
#include <QStringList>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "ui/kit/text/translation.h"

namespace {

/// Warnings seen since the last call of take(). Any thread may print one.
class WarningLog {
 public:
  void add(const QString& text) {
    const QMutexLocker lock(&m_mutex);
    m_warnings.append(text);
  }

  QStringList take() {
    const QMutexLocker lock(&m_mutex);
    QStringList warnings;
    warnings.swap(m_warnings);
    return warnings;
  }

 private:
  QMutex m_mutex;  // guards m_warnings
  QStringList m_warnings;
};

// A message handler is a plain function, so what it writes to cannot be a local of main().
WarningLog& warningLog() {
  static WarningLog log;
  return log;
}

// About the machine, not the program: a container has no XDG_RUNTIME_DIR, and the offscreen
// platform lacks some features of a desktop.
bool isAboutTheMachine(const QString& text) {
  return text.contains(QLatin1String("XDG_RUNTIME_DIR")) ||
         text.contains(QLatin1String("This plugin does not support"));
}

void handleMessage(QtMsgType type, const QMessageLogContext& context, const QString& text) {
  std::fprintf(stderr, "%s\n", qFormatLogMessage(type, context, text).toLocal8Bit().constData());
  const bool isWarning = type == QtWarningMsg || type == QtCriticalMsg;
  if (isWarning && !isAboutTheMachine(text)) warningLog().add(text);
}

class WarningsFailTests final : public testing::EmptyTestEventListener {
 private:
  void OnTestStart(const testing::TestInfo& /*info*/) override { warningLog().take(); }

  void OnTestEnd(const testing::TestInfo& /*info*/) override {
    for (const QString& warning : warningLog().take()) {
      ADD_FAILURE() << "Qt warned: " << warning.toStdString();
    }
  }
};

// ctest lists the tests of a program on a machine that may have no display.
bool onlyLists(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](const char* argument) {
    return std::string_view(argument) == "--gtest_list_tests";
  });
}

}  // namespace

int main(int argc, char** argv) {
  const bool listing = onlyLists(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  if (listing) return RUN_ALL_TESTS();
  const QApplication application(argc, argv);
  stagelane::ui::installTranslations(QLocale::c());
  qInstallMessageHandler(handleMessage);
  testing::UnitTest::GetInstance()->listeners().Append(new WarningsFailTests);
  return RUN_ALL_TESTS();
}
