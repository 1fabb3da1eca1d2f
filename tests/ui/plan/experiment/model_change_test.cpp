#include "ui/plan/experiment/model_change.h"

#include <gtest/gtest.h>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "ui/session/document/document.h"
#include "ui/session/page_requests.h"
#include "ui/session/session.h"

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

TEST(AModelChange, IsOneStepOrSaysWhyNot) {
  Session session;
  session.document().load(four(), {}, {});
  QString hint;
  QObject::connect(&session.pages(), &PageRequests::hintChanged,
                   [&](const QString& text) { hint = text; });
  const Json gpt = beginningWith("gpt").model.definition;
  EXPECT_EQ(changeModel(session, {gpt, {8}}, InputOf::Model).text, QString());
  EXPECT_EQ(session.document().experiment()->input, model::Shape{128});
  EXPECT_TRUE(hint.contains(QStringLiteral("parts"))) << hint.toStdString();
  EXPECT_EQ(session.document().undoStack().count(), 1);
  EXPECT_EQ(modelOf(session.document()).definition, gpt);
  const ModelRefusal refusal = changeModel(session, {gpt, {4000}}, InputOf::Choice);
  EXPECT_TRUE(refusal.ofInput);
  EXPECT_FALSE(refusal.text.isEmpty());
  EXPECT_FALSE(
      changeModel(session, {Json{{"file", "/nowhere.json"}}, {8}}, InputOf::Choice).text.isEmpty());
  EXPECT_EQ(session.document().undoStack().count(), 1);
  session.document().undoStack().undo();
  EXPECT_EQ(session.document().json(), four());
}

}  // namespace
}  // namespace stagelane::ui
