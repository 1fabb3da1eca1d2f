#include "ui/frame/log_dialog.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace stagelane::ui {
namespace {

class LogDialogTest : public testing::Test {
 protected:
  [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("engine.log")); }
  void write(const QByteArray& text) const {
    QFile file(path());
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  [[nodiscard]] static QString text(const LogDialog& dialog) {
    return dialog.findChild<QPlainTextEdit*>(QStringLiteral("logText"))->toPlainText();
  }
  [[nodiscard]] static QString note(const LogDialog& dialog) {
    return dialog.findChild<QLabel*>(QStringLiteral("logNote"))->text();
  }

  QTemporaryDir m_folder;
};

TEST_F(LogDialogTest, ShowsTheLogAndCopiesItsPath) {
  write("loading\nthe last words\n");
  LogDialog dialog(path(), nullptr);
  EXPECT_TRUE(QTest::qWaitFor([&] { return text(dialog).contains(u"the last words"); }));
  EXPECT_TRUE(text(dialog).startsWith(u"loading"));
  EXPECT_EQ(note(dialog).toStdString(), "");
  dialog.findChild<QPushButton*>(QStringLiteral("logCopyPath"))->click();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), path());
}

TEST_F(LogDialogTest, OfALongLogItShowsTheEndFromTheBeginningOfALine) {
  const QByteArray line("a line of a library\n");
  write(line.repeated((2 << 20) / static_cast<int>(line.size())) + "the last words\n");
  LogDialog dialog(path(), nullptr);
  EXPECT_TRUE(QTest::qWaitFor([&] { return text(dialog).contains(u"the last words"); }));
  EXPECT_TRUE(text(dialog).startsWith(u"a line of a library\n"));
  EXPECT_LE(text(dialog).size(), 1 << 20);
  EXPECT_FALSE(note(dialog).isEmpty());
}

TEST_F(LogDialogTest, APipeInPlaceOfTheLogIsNotRead) {
  ASSERT_EQ(::mkfifo(QFile::encodeName(path()).constData(), 0600), 0);
  LogDialog dialog(path(), nullptr);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !note(dialog).isEmpty(); }));
  EXPECT_EQ(text(dialog).toStdString(), "");
}

}  // namespace
}  // namespace stagelane::ui
