#include "ui/session/document/variant_choices.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "ui/session/document/document.h"

namespace stagelane::ui {
namespace {

Json four() {
  return Json::parse(R"({
    "stagelane": 1, "name": "mlp", "model": {"zoo": "mlp", "depth": 6, "width": 8, "in": 8},
    "input": {"shape": [8]}, "data": {"batch_size": 16}, "devices": {"auto": 2},
    "variants": [
      {"name": "single", "strategy": "single", "device": "#0"},
      {"name": "parts", "strategy": "model_parallel", "placement": {"": "#0", "fc6": "#1"}},
      {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 4,
       "placement": "same as: parts"},
      {"name": "loop", "strategy": "pipeline", "schedule": "interleaved-1f1b", "split_size": 4}
    ]})");
}

VariantChoice choiceCalled(const char* name) {
  const auto all = allVariantChoices();
  return *std::find_if(all.begin(), all.end(), [&](const VariantChoice& choice) {
    return choice.name() == QString::fromLatin1(name);
  });
}

class Choices : public testing::Test {
 protected:
  void SetUp() override { m_document.load(four(), {}, {}); }

  [[nodiscard]] const plan::Variant& variant(std::size_t index) const {
    return *m_document.experiment()->variantById(utf8(m_document.tabs()[index].variantIds.front()));
  }
  [[nodiscard]] Json with(std::size_t index, const char* name) const {
    const model::Model& model = *m_document.experiment()->model;
    return withChoice(m_document.json(), index, choiceCalled(name), model,
                      shapeOf(variant(index).stages, model.blocks.size()));
  }
  void apply(std::size_t index, const char* name) {
    m_document.apply(choiceCalled(name).step(), with(index, name));
  }
  static std::string utf8(const QString& text) { return text.toStdString(); }

  ExperimentDocument m_document;
};

TEST_F(Choices, SayWhatTheDocumentHas) {
  const Json& document = m_document.json();
  EXPECT_EQ(currentWord(document, 1, VariantMember::Placement), QStringLiteral("custom"));
  EXPECT_EQ(currentWord(document, 2, VariantMember::Placement), QStringLiteral("same as: parts"));
  EXPECT_EQ(currentWord(document, 3, VariantMember::Placement), QStringLiteral("optimal"));
  EXPECT_EQ(currentWord(document, 3, VariantMember::Recompute), QStringLiteral("never"));
  EXPECT_EQ(currentWord(document, 3, VariantMember::Chunks), QString());
}

TEST_F(Choices, AreOfferedWhereTheVariantCanHaveThem) {
  const auto offers = [&](std::size_t index, const char* name) {
    return offered(m_document.json(), index, choiceCalled(name));
  };
  EXPECT_FALSE(offers(0, "placement.optimal"));
  EXPECT_TRUE(offers(0, "recompute.always"));
  EXPECT_TRUE(offers(1, "placement.optimal"));
  EXPECT_FALSE(offers(1, "chunks.own"));
  EXPECT_FALSE(offers(2, "chunks.own"));
  EXPECT_FALSE(offers(2, "chunks.2"));
  EXPECT_TRUE(offers(3, "chunks.3"));
}

TEST_F(Choices, AreStepsThatChangeThePlanAndCanBeUndone) {
  apply(3, "chunks.3");
  EXPECT_EQ(m_document.undoStack().undoText(), QStringLiteral("Chunks: 3 per device"));
  EXPECT_EQ(variant(3).stages.size(), 6U);
  apply(3, "recompute.always");
  EXPECT_EQ(variant(3).recompute, plan::Recompute::Always);
  apply(3, "chunks.own");
  EXPECT_EQ(variant(3).stages.size(), 4U);
  apply(2, "placement.balanced");
  EXPECT_EQ(m_document.json()["variants"][2]["placement"], "balanced");
  ASSERT_FALSE(m_document.error().has_value()) << m_document.error()->message;
  m_document.undoStack().setIndex(0);
  EXPECT_EQ(m_document.json(), four());
}

TEST_F(Choices, CustomWritesDownThePlanAsItIs) {
  const auto before = variant(2).stages;
  apply(2, "placement.custom");
  EXPECT_TRUE(m_document.json()["variants"][2]["placement"].is_object());
  EXPECT_EQ(variant(2).stages, before);
  EXPECT_EQ(with(1, "placement.custom"), m_document.json());
}

TEST_F(Choices, ThatThePlanCannotHaveSayWhy) {
  Json small = four();
  small["model"] = {{"zoo", "toy"}};
  small["input"]["shape"] = {10};
  small["variants"] = Json::array({small["variants"][3]});
  m_document.load(small, {}, {});
  Json chunked = small;
  chunked["variants"][0]["chunks"] = 4;
  EXPECT_TRUE(refusalOf(chunked, 0, "").contains(QStringLiteral("3 blocks")))
      << refusalOf(chunked, 0, "").toStdString();
  EXPECT_EQ(refusalOf(four(), 3, ""), QString());
}

}  // namespace
}  // namespace stagelane::ui
