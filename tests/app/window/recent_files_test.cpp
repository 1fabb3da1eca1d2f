#include "app/window/recent_files.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <fstream>

namespace stagelane::app {
namespace {

class RecentFilesTest : public testing::Test {
 protected:
  RecentFilesTest() {
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
  }
  [[nodiscard]] QString file(const QString& name) const {
    const QString path = m_folder.filePath(name);
    QFile made(path);
    EXPECT_TRUE(made.open(QIODevice::WriteOnly));
    return path;
  }
  /// As another program would: QSettings objects of one program share their values.
  void writeFromOutside(const QStringList& paths) const {
    std::ofstream(m_folder.filePath(QStringLiteral("stagelane/window.ini")).toStdString())
        << "[General]\nrecentFiles=" << paths.join(QStringLiteral(", ")).toStdString() << "\n";
  }

  QTemporaryDir m_folder;
};

TEST_F(RecentFilesTest, WhatAnotherWindowOpenedStaysInTheList) {
  const QString mine = file(QStringLiteral("mine.json"));
  const QString theirs = file(QStringLiteral("theirs.json"));
  const QString next = file(QStringLiteral("next.json"));
  RecentFiles recents;
  recents.add(mine);
  writeFromOutside({theirs, mine});
  EXPECT_EQ(recents.paths(), QStringList({theirs, mine}));
  recents.add(next);
  EXPECT_EQ(recents.paths(), QStringList({next, theirs, mine}));
}

TEST_F(RecentFilesTest, TheLastOneIsFirstOnceAndWhatIsGoneIsLeftOut) {
  const QString one = file(QStringLiteral("one.json"));
  const QString two = file(QStringLiteral("two.json"));
  RecentFiles recents;
  recents.add(one);
  recents.add(two);
  recents.add(one);
  EXPECT_EQ(recents.paths(), QStringList({one, two}));
  ASSERT_TRUE(QFile::remove(one));
  EXPECT_EQ(recents.paths(), QStringList({two}));
}

}  // namespace
}  // namespace stagelane::app
