#include "ui/session/document/document.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include "engine/search/resolve.h"
#include "ui/session/document/plan_edits.h"

namespace stagelane::ui {
namespace {

Json toy() {
  return Json::parse(R"({
    "stagelane": 1, "name": "toy", "model": {"zoo": "toy"},
    "input": {"shape": [10]}, "data": {"batch_size": 20, "labels": "normal"},
    "devices": ["cpu:0", "cpu:1"], "repeat": 3,
    "variants": [
      {"name": "alone", "strategy": "single", "device": "cpu:0"},
      {"name": "parts", "strategy": "model_parallel", "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}},
      {"name": "sweep", "strategy": "pipeline", "schedule": "1f1b", "split_size": [5, 10], "placement": "same as: parts"}
    ]})");
}

class Document : public testing::Test {
 protected:
  void SetUp() override { m_document.load(toy(), {}, {}); }
  ExperimentDocument m_document;
};

TEST_F(Document, ASweepIsOneTabOfSeveralVariants) {
  ASSERT_EQ(m_document.tabs().size(), 3U);
  EXPECT_EQ(m_document.tabs()[0].variantIds, QStringList{QStringLiteral("alone")});
  EXPECT_TRUE(m_document.tabs()[2].sweep());
  EXPECT_EQ(m_document.tabOfVariant(m_document.tabs()[2].variantIds[1])->id,
            QStringLiteral("sweep"));
  EXPECT_FALSE(m_document.modified());
}

TEST_F(Document, UndoBringsBackExactlyWhatWas) {
  const Json before = m_document.json();
  m_document.apply(QStringLiteral("Repeats 5"), withMember(before, {"repeat"}, 5));
  EXPECT_TRUE(m_document.modified());
  EXPECT_EQ(m_document.experiment()->repeat, 5);
  EXPECT_EQ(m_document.undoStack().undoText(), QStringLiteral("Repeats 5"));
  m_document.undoStack().undo();
  EXPECT_EQ(m_document.json(), before);
  EXPECT_FALSE(m_document.modified());
}

TEST_F(Document, WhatIsInNoFileStaysModifiedUntilItIsSaved) {
  m_document.loadUnsaved(toy(), {}, {});
  EXPECT_TRUE(m_document.modified());
  m_document.apply(QStringLiteral("Repeats 5"), withMember(m_document.json(), {"repeat"}, 5));
  m_document.undoStack().undo();
  EXPECT_TRUE(m_document.modified());
  const QTemporaryDir folder;
  ASSERT_TRUE(m_document.save(folder.filePath(QStringLiteral("new.json"))));
  EXPECT_FALSE(m_document.modified());
}

TEST_F(Document, AnEditThatChangesNothingIsNoStep) {
  m_document.apply(QStringLiteral("nothing"), m_document.json());
  EXPECT_EQ(m_document.undoStack().count(), 0);
}

TEST_F(Document, TypingInOneFieldIsOneStep) {
  for (const int repeats : {4, 5, 6}) {
    m_document.apply(QStringLiteral("Repeats"), withMember(m_document.json(), {"repeat"}, repeats),
                     QStringLiteral("repeat"));
  }
  EXPECT_EQ(m_document.undoStack().count(), 1);
  m_document.undoStack().undo();
  EXPECT_EQ(m_document.json()["repeat"], 3);
}

TEST_F(Document, OneBadVariantLeavesTheOthersReadable) {
  m_document.apply(QStringLiteral("bad"),
                   withVariantMember(m_document.json(), 1, "placement", {{"net1", "cpu:0"}}));
  ASSERT_TRUE(m_document.error().has_value());
  ASSERT_NE(m_document.experiment(), nullptr);
  EXPECT_NE(m_document.experiment()->variantById("alone"), nullptr);
  const VariantTab* bad = m_document.tab(QStringLiteral("parts"));
  ASSERT_TRUE(bad->error.has_value());
  EXPECT_EQ(bad->error->context.rfind("/variants/1", 0), 0U) << bad->error->context;
  EXPECT_TRUE(bad->variantIds.isEmpty());
}

TEST_F(Document, ABrokenDocumentKeepsTheLastReadableModel) {
  m_document.apply(QStringLiteral("broken"),
                   withMember(m_document.json(), {"model"}, {{"zoo", "?"}}));
  EXPECT_EQ(m_document.experiment(), nullptr);
  ASSERT_NE(m_document.lastReadable(), nullptr);
  EXPECT_EQ(m_document.lastReadable()->model->name, "toy");
  m_document.undoStack().undo();
  EXPECT_NE(m_document.experiment(), nullptr);
}

TEST_F(Document, EditsSinceAMarkCountWhatLiesBetween) {
  const auto repeats = [this](int count, const QString& mergeKey = {}) {
    m_document.apply(QStringLiteral("Repeats"), withMember(m_document.json(), {"repeat"}, count),
                     mergeKey);
  };
  repeats(11);
  repeats(12);
  m_document.mark();
  EXPECT_EQ(m_document.editsSinceMark(), 0);
  repeats(13);
  repeats(14);
  EXPECT_EQ(m_document.editsSinceMark(), 2);
  m_document.undoStack().undo();
  EXPECT_EQ(m_document.editsSinceMark(), 1);
  m_document.undoStack().undo();
  m_document.undoStack().undo();
  EXPECT_EQ(m_document.editsSinceMark(), 1) << "one edit before the mark";
  m_document.undoStack().redo();
  EXPECT_EQ(m_document.editsSinceMark(), 0);
  // Another branch: part of the way to the mark is undone, and there are new edits.
  m_document.undoStack().undo();
  repeats(20);
  EXPECT_EQ(m_document.editsSinceMark(), 2);
  repeats(21, QStringLiteral("typing"));
  repeats(210, QStringLiteral("typing"));
  EXPECT_EQ(m_document.editsSinceMark(), 3) << "typing on is one edit";
}

TEST_F(Document, AnEditThatIsTakenBackByTheNextOneOfItsKindIsNoStep) {
  const Json before = m_document.json();
  const auto repeats = [this](int count) {
    m_document.apply(QStringLiteral("Repeats"), withMember(m_document.json(), {"repeat"}, count),
                     QStringLiteral("typing"));
  };
  const int first = before["repeat"].get<int>();
  repeats(first + 1);
  EXPECT_TRUE(m_document.modified());
  EXPECT_EQ(m_document.undoStack().count(), 1);
  repeats(first);
  EXPECT_FALSE(m_document.modified());
  EXPECT_EQ(m_document.undoStack().count(), 0);
  EXPECT_EQ(m_document.editsSinceMark(), 0);
  EXPECT_EQ(m_document.json(), before);
}

TEST_F(Document, SavingMakesItUnmodifiedAndReadable) {
  QTemporaryDir folder;
  m_document.apply(QStringLiteral("Repeats 5"), withMember(m_document.json(), {"repeat"}, 5));
  const QString path = folder.filePath(QStringLiteral("a.json"));
  ASSERT_TRUE(m_document.save(path).has_value());
  EXPECT_FALSE(m_document.modified());
  const auto read = readJsonFile(path.toStdString());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(*read, m_document.json());
}

TEST_F(Document, SavingWhereNothingCanBeWrittenSaysSoAndStaysModified) {
  m_document.apply(QStringLiteral("Repeats 5"), withMember(m_document.json(), {"repeat"}, 5));
  const Status saved = m_document.save(QStringLiteral("/nonexistent/folder/a.json"));
  ASSERT_FALSE(saved.has_value());
  EXPECT_EQ(saved.error().code, ErrorCode::CannotWrite);
  EXPECT_TRUE(m_document.modified());
}

TEST(EmptyDocument, HasNoTabsAndAnError) {
  ExperimentDocument document;
  document.load(Json::object(), {}, {});
  EXPECT_TRUE(document.tabs().empty());
  EXPECT_TRUE(document.error().has_value());
  EXPECT_EQ(document.experiment(), nullptr);
}

/// A placement that takes a while to find.
Json longSearch(int splitSize) {
  Json document = toy();
  document["data"]["batch_size"] = 600;
  document["variants"] = Json::array({{{"name", "best"},
                                       {"strategy", "pipeline"},
                                       {"schedule", "1f1b"},
                                       {"split_size", splitSize},
                                       {"placement", "optimal"}}});
  return document;
}

/// Waits for the results of background searches.
void waitUntilPlanned(const ExperimentDocument& document) {
  QElapsedTimer timer;
  timer.start();
  while (document.planning() && timer.elapsed() < 300000) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  }
  ASSERT_FALSE(document.planning());
}

TEST_F(Document, WhatTakesLongToPlaceIsSearchedForBesideTheWindow) {
  m_document.load(longSearch(1), {}, {});
  EXPECT_TRUE(m_document.planning());
  ASSERT_NE(m_document.experiment(), nullptr) << "there is a plan for the time being";
  int changes = 0;
  QObject::connect(&m_document, &ExperimentDocument::changed, [&] { ++changes; });
  waitUntilPlanned(m_document);
  EXPECT_EQ(changes, 1);
  EXPECT_FALSE(m_document.modified());
  const auto read = plan::readExperiment(longSearch(1), {}, {});
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(m_document.experiment()->variants[0].stages,
            search::resolveStages(*read, nullptr).variants[0].stages);
}

TEST_F(Document, OnlyTheNewestPlacementIsSearchedForAndUndoneOnesAreKnown) {
  m_document.load(longSearch(1), {}, {});
  waitUntilPlanned(m_document);
  for (const int size : {2, 3, 4}) m_document.apply(QStringLiteral("Split"), longSearch(size));
  EXPECT_TRUE(m_document.planning());
  int changes = 0;
  QObject::connect(&m_document, &ExperimentDocument::changed, [&] { ++changes; });
  waitUntilPlanned(m_document);
  EXPECT_EQ(changes, 1) << "what was asked before is not answered";
  EXPECT_EQ(m_document.experiment()->variants[0].splitSize, 4);
  m_document.undoStack().setIndex(0);
  EXPECT_FALSE(m_document.planning()) << "it is remembered";
}

TEST_F(Document, WhatIsQuickToPlaceIsPlacedAtOnce) {
  m_document.load(longSearch(300), {}, {});
  EXPECT_FALSE(m_document.planning());
}

}  // namespace
}  // namespace stagelane::ui
