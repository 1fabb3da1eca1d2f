#include "app/window/file_watch.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <fstream>

#include "engine/base/json.h"
#include "tests/app/toy_document.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/file_change.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

class WatchedFile : public testing::Test {
 protected:
  WatchedFile() {
    write(toy().dump());
    m_session.document().load(toy(), file(), {});
  }
  [[nodiscard]] QString file() const { return m_folder.filePath(QStringLiteral("toy.json")); }
  void write(const std::string& text) const { std::ofstream(ui::utf8(file())) << text; }
  static Json toyWithRepeats(int repeats) { return ui::withMember(toy(), {"repeat"}, repeats); }
  void edit(int repeats) {
    m_session.document().apply(QStringLiteral("Repeats"), toyWithRepeats(repeats));
  }
  [[nodiscard]] bool found() const { return m_session.fileChange().found(); }
  static bool waitUntil(const std::function<bool()>& condition) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < 60'000) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return condition();
  }

  QTemporaryDir m_folder;
  ui::Session m_session;
  FileWatch m_watch{&m_session};
};

TEST_F(WatchedFile, WhatTheWindowSavesAndHowAFileIsSpacedAreNoChanges) {
  write(toy().dump(4));
  EXPECT_FALSE(m_watch.differs());
  edit(7);
  EXPECT_FALSE(m_watch.differs());
  ASSERT_TRUE(m_session.document().save(file()));
  EXPECT_FALSE(m_watch.differs());
  QFile::remove(file());
  EXPECT_FALSE(m_watch.differs()) << "saving makes it again";
}

TEST_F(WatchedFile, WhatAnotherProgramWritesIsToldAndLoadedAsAStepThatUndoTakesBack) {
  edit(7);
  write(toyWithRepeats(9).dump());
  ASSERT_TRUE(waitUntil([this] { return found(); }));
  m_session.fileChange().answer(true);
  EXPECT_EQ(m_session.document().json()["repeat"], 9);
  EXPECT_FALSE(m_session.document().modified());
  EXPECT_FALSE(found());
  EXPECT_FALSE(m_watch.differs());
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.document().json()["repeat"], 7);
  EXPECT_TRUE(m_session.document().modified());
}

TEST_F(WatchedFile, PutInThePlaceOfTheOldOneIsSeenAgainAndAgain) {
  for (const int repeats : {9, 11}) {
    const QString fresh = m_folder.filePath(QStringLiteral("fresh"));
    std::ofstream(ui::utf8(fresh)) << toyWithRepeats(repeats).dump();
    ASSERT_EQ(std::rename(ui::utf8(fresh).c_str(), ui::utf8(file()).c_str()), 0);
    ASSERT_TRUE(waitUntil([this] { return found(); })) << repeats;
    m_session.fileChange().answer(false);
    EXPECT_FALSE(found());
    EXPECT_TRUE(m_session.document().modified()) << "the file says something else";
    EXPECT_FALSE(m_watch.differs()) << "known, and to be written over";
  }
}

TEST_F(WatchedFile, WhatCannotBeReadIsNotLoadedAndMayBeWrittenOver) {
  std::string why;
  QObject::connect(&m_watch, &FileWatch::refused,
                   [&why](const Error& error) { why = error.message; });
  write("{ no json");
  ASSERT_TRUE(waitUntil([this] { return found(); }));
  m_session.fileChange().answer(true);
  EXPECT_FALSE(why.empty());
  EXPECT_TRUE(found());
  EXPECT_EQ(m_session.document().json(), toy());
  m_session.fileChange().answer(false);
  EXPECT_FALSE(found());
  EXPECT_FALSE(m_watch.differs());
}

TEST_F(WatchedFile, OfAnotherExperimentIsForgotten) {
  write(toyWithRepeats(9).dump());
  ASSERT_TRUE(waitUntil([this] { return found(); }));
  m_session.document().load(toy(), {}, {});
  EXPECT_FALSE(found());
  EXPECT_FALSE(m_watch.differs());
}

}  // namespace
}  // namespace stagelane::app
