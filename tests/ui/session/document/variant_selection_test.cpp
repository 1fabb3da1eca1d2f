#include "ui/session/document/variant_selection.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "engine/base/json.h"

namespace stagelane::ui {
namespace {

Json threeVariants() {
  return Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8, "batches": 1},
    "devices": ["cpu:0", "cpu:1"], "repeat": 1,
    "variants": [{"name": "a", "strategy": "single", "device": "cpu:0"},
                 {"name": "b", "strategy": "single", "device": "cpu:1"},
                 {"name": "c", "strategy": "single", "device": "cpu:0"}]})");
}

class VariantSelectionTest : public testing::Test {
 protected:
  void SetUp() override { m_document.load(threeVariants(), {}, {}); }
  void rename(std::size_t index, const char* name) {
    Json json = m_document.json();
    json["variants"][index]["name"] = name;
    m_document.apply(QStringLiteral("Rename"), json);
  }

  ExperimentDocument m_document;
  VariantSelection m_selection{&m_document};
};

TEST_F(VariantSelectionTest, BeginsWithTheFirstTab) {
  EXPECT_EQ(m_selection.tabId(), QStringLiteral("a"));
  ASSERT_NE(m_selection.variant(), nullptr);
  EXPECT_EQ(m_selection.variant()->id, "a");
  EXPECT_FALSE(m_selection.error());
}

TEST_F(VariantSelectionTest, TellsOnceThatAnotherTabIsSelected) {
  const QSignalSpy changed(&m_selection, &VariantSelection::changed);
  m_selection.setTab(QStringLiteral("c"));
  m_selection.setTab(QStringLiteral("c"));
  m_selection.setTab(QStringLiteral("nowhere"));
  EXPECT_EQ(changed.size(), 1);
  EXPECT_EQ(m_selection.variantId(), QStringLiteral("c"));
}

TEST_F(VariantSelectionTest, KeepsItsPlaceWhenTheTabIsRenamed) {
  m_selection.setTab(QStringLiteral("b"));
  rename(1, "other");
  EXPECT_EQ(m_selection.tabId(), QStringLiteral("other"));
}

TEST_F(VariantSelectionTest, GoesToTheNeighborOfARemovedTab) {
  m_selection.setTab(QStringLiteral("c"));
  Json json = m_document.json();
  json["variants"].erase(2);
  m_document.apply(QStringLiteral("Remove"), json);
  EXPECT_EQ(m_selection.tabId(), QStringLiteral("b"));
}

TEST_F(VariantSelectionTest, ShowsWhatAnUndoAndARedoChange) {
  m_selection.setTab(QStringLiteral("b"));
  rename(1, "other");
  m_selection.setTab(QStringLiteral("a"));
  m_document.undoStack().undo();
  EXPECT_EQ(m_selection.tabId(), QStringLiteral("b"));
  m_selection.setTab(QStringLiteral("a"));
  m_document.undoStack().redo();
  EXPECT_EQ(m_selection.tabId(), QStringLiteral("other"));
}

TEST_F(VariantSelectionTest, SaysWhyTheVariantCannotBeRead) {
  Json json = m_document.json();
  json["variants"][0]["strategy"] = "nothing";
  m_document.apply(QStringLiteral("Strategy"), json);
  EXPECT_EQ(m_selection.variant(), nullptr);
  EXPECT_TRUE(m_selection.error());
}

}  // namespace
}  // namespace stagelane::ui
