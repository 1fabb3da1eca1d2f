#include "app/window/unsaved_changes.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <fstream>

#include "engine/base/json.h"
#include "tests/app/toy_document.h"
#include "tests/support/german_numbers.h"
#include "ui/session/document/document.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/document/unsaved_work.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

class Unsaved : public testing::Test {
 protected:
  [[nodiscard]] QString folder() const { return m_folder.filePath(QStringLiteral("unsaved")); }
  [[nodiscard]] QStringList files() const {
    return QDir(folder()).entryList({QStringLiteral("*.json")}, QDir::Files);
  }
  /// Opens the toy and changes its number of repeats.
  static void edit(ui::Session& session) {
    session.document().load(toy(), QStringLiteral("/somewhere/toy.json"), {});
    session.document().apply(QStringLiteral("Repeats 7"),
                             ui::withMember(session.document().json(), {"repeat"}, 7));
  }
  /// What a killed window leaves: the file, without a lock.
  void leaveBehind(const char* name) const {
    ASSERT_TRUE(QDir().mkpath(folder()));
    Json document = toy();
    document["repeat"] = 7;
    std::ofstream(folder().toStdString() + "/" + name)
        << Json{{"name", "t"}, {"path", "/somewhere/toy.json"}, {"document", document}};
  }
  static bool waitUntil(const std::function<bool()>& condition) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < 300'000) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return condition();
  }

 private:
  QTemporaryDir m_folder;
};

TEST_F(Unsaved, EditsAreKeptUntilTheyAreUndoneOrTheWindowCloses) {
  ui::Session session;
  UnsavedChanges unsaved(&session, folder());
  edit(session);
  EXPECT_TRUE(waitUntil([this] { return files().size() == 1; }));
  session.document().undoStack().undo();
  unsaved.settle();
  EXPECT_TRUE(files().isEmpty());
  session.document().undoStack().redo();
  EXPECT_TRUE(waitUntil([this] { return files().size() == 1; }));
  unsaved.forget();
  EXPECT_TRUE(QDir(folder()).entryList(QDir::Files).isEmpty());
}

TEST_F(Unsaved, EditsOfAWindowThatLivesAreNotOfferedToAnother) {
  ui::Session session;
  UnsavedChanges unsaved(&session, folder());
  edit(session);
  ASSERT_TRUE(waitUntil([this] { return files().size() == 1; }));
  ui::Session other;
  UnsavedChanges second(&other, folder());
  second.look();
  EXPECT_FALSE(other.unsaved().work());
}

TEST_F(Unsaved, EditsOfAWindowThatWasKilledAreBroughtBack) {
  leaveBehind("1-old.json");
  ui::Session session;
  session.document().load(toy(), {}, {});
  UnsavedChanges unsaved(&session, folder());
  unsaved.look();
  ASSERT_TRUE(session.unsaved().work());
  EXPECT_EQ(session.unsaved().work()->name.toStdString(), "t");
  unsaved.answer(true);
  EXPECT_EQ(session.document().json()["repeat"], 7);
  EXPECT_EQ(session.document().path().toStdString(), "/somewhere/toy.json");
  EXPECT_TRUE(session.document().modified());
  EXPECT_FALSE(session.unsaved().work());
  ASSERT_EQ(files().size(), 1) << "of this window, for the case that it is killed too";
  EXPECT_NE(files().front().toStdString(), "1-old.json");
}

TEST_F(Unsaved, EditsAreOfADateInEnglishInEveryLocale) {
  const test::GermanNumbers german;
  leaveBehind("1-old.json");
  QFile file(folder() + QStringLiteral("/1-old.json"));
  ASSERT_TRUE(file.open(QIODevice::ReadWrite));
  ASSERT_TRUE(file.setFileTime(QDateTime(QDate(2026, 12, 24), QTime(10, 31)),
                               QFileDevice::FileModificationTime));
  file.close();
  ui::Session session;
  UnsavedChanges unsaved(&session, folder());
  unsaved.look();
  ASSERT_TRUE(session.unsaved().work());
  EXPECT_EQ(session.unsaved().work()->when.toStdString(), "24 Dec 2026, 10:31");
}

TEST_F(Unsaved, EditsThatAreNotWantedGo) {
  leaveBehind("1-old.json");
  ui::Session session;
  session.document().load(toy(), {}, {});
  UnsavedChanges unsaved(&session, folder());
  unsaved.look();
  unsaved.answer(false);
  EXPECT_TRUE(files().isEmpty());
  EXPECT_FALSE(session.unsaved().work());
  EXPECT_FALSE(session.document().modified());
}

TEST_F(Unsaved, AFileThatIsNoneOfOursIsPassedOver) {
  ASSERT_TRUE(QDir().mkpath(folder()));
  std::ofstream(folder().toStdString() + "/torn.json") << "{\"document\": ";
  std::ofstream(folder().toStdString() + "/other.json") << "[1, 2]";
  ui::Session session;
  UnsavedChanges unsaved(&session, folder());
  unsaved.look();
  EXPECT_FALSE(session.unsaved().work());
}

}  // namespace
}  // namespace stagelane::app
