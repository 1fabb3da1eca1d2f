// From an empty window to a prediction: a model of the zoo, its sizes and input; invalid values are
// reported at their field; no unsaved work is lost.

#include "tests/gui/ui_map_rules.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class NewExperiment : public WindowTest {
 protected:
  [[nodiscard]] bool openDialog() {
    m_window.key(QStringLiteral("ctrl+n"));
    return m_window.waitForControl(QStringLiteral("newExperimentDialog"));
  }

  [[nodiscard]] bool says(const QString& name, const QString& part) {
    return m_window.waitForText(name, part);
  }

  [[nodiscard]] bool gone(const QString& name) {
    return m_window.waitFor(name + QStringLiteral(" to go"),
                            [&](const UiMapFile& map) { return map.find(name) == nullptr; });
  }
};

TEST_F(NewExperiment, GoesFromAModelToAPrediction) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .size = {1024, 700}}));
  ASSERT_TRUE(openDialog());
  ASSERT_TRUE(m_window.choose(QStringLiteral("modelChoice"), QStringLiteral("gpt")));
  ASSERT_TRUE(says(QStringLiteral("modelInput"), QStringLiteral("128")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("modelSize.layers"), QStringLiteral("4")));
  ASSERT_TRUE(says(QStringLiteral("newSummary"), QStringLiteral("6 blocks")));
  keepPicture(m_window.picture(), QStringLiteral("new-gpt-light"));
  ASSERT_TRUE(m_window.click(QStringLiteral("newCreate")));
  ASSERT_TRUE(gone(QStringLiteral("newExperimentDialog")));
  ASSERT_TRUE(says(QStringLiteral("experimentMenu"), QStringLiteral("gpt, 2 devices ●")));
  for (const char* variant : {"variant.single", "variant.model-parallel", "variant.pipeline"}) {
    EXPECT_TRUE(m_window.waitForControl(QString::fromLatin1(variant))) << variant;
  }
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  ASSERT_TRUE(says(QStringLiteral("speedup"), QStringLiteral("×")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chip.head")));
  keepPicture(m_window.picture(), QStringLiteral("new-gpt-plan-light"));
  // It is not saved to a file, so closing the window asks.
  m_window.key(QStringLiteral("ctrl+n"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("unsavedDialog")));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(gone(QStringLiteral("unsavedDialog")));
}

TEST_F(NewExperiment, SaysAtTheFieldWhatIsWrongAndMakesNothingOfIt) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .theme = QStringLiteral("dark")}));
  ASSERT_TRUE(openDialog());
  ASSERT_TRUE(m_window.choose(QStringLiteral("modelChoice"), QStringLiteral("vgg16")));
  ASSERT_TRUE(says(QStringLiteral("newSummary"), QStringLiteral("39 blocks")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("modelInput"), QStringLiteral("3 by 4")));
  ASSERT_TRUE(says(QStringLiteral("modelInputProblem"), QStringLiteral("not a dimension")));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("newCreate")));
  keepPicture(m_window.picture(), QStringLiteral("new-wrong-dark"));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("modelInput"), QStringLiteral("3x16x16")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("modelInputProblem")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("modelInput"), QStringLiteral("3x64x64")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("Create"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("newCreate"));
  }));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(gone(QStringLiteral("newExperimentDialog")));
  EXPECT_TRUE(m_window.map()
                  .textOf(QStringLiteral("experimentMenu"))
                  .contains(QStringLiteral("Toy model")));
}

TEST_F(NewExperiment, TakesAnyNumberThatIsTypedAndSaysWhichItNeeds) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .size = {1024, 700}}));
  ASSERT_TRUE(openDialog());
  ASSERT_TRUE(m_window.choose(QStringLiteral("modelChoice"), QStringLiteral("gpt")));
  const auto createIs = [&](bool enabled) {
    return m_window.waitFor(QStringLiteral("Create"), [&](const UiMapFile& map) {
      return map.isEnabled(QStringLiteral("newCreate")) == enabled;
    });
  };
  const struct {
    const char* field;
    const char* wrong;
    const char* words;
    const char* right;
  } kTyped[]{{"newDevices", "200", "from 1 to 64", "3"},
             {"newBatchSize", "20000000", "from 1 to 1000000", "8"},
             {"modelSize.layers", "200000000", "from 1 to 10000000", "4"},
             {"modelSize.dropout", "1.5", "from 0 to below 1", "0.125"}};
  for (const auto& typed : kTyped) {
    SCOPED_TRACE(typed.field);
    const QString field = QString::fromLatin1(typed.field);
    const QString problem = field + QStringLiteral("Problem");
    ASSERT_TRUE(createIs(true));
    ASSERT_TRUE(m_window.replaceText(field, QString::fromLatin1(typed.wrong)));
    ASSERT_TRUE(says(field, QString::fromLatin1(typed.wrong)));
    ASSERT_TRUE(says(problem, QString::fromLatin1(typed.words)));
    ASSERT_TRUE(createIs(false));
    expectSound(m_window.map());
    keepPicture(m_window.picture(), QStringLiteral("new-typed-") + field);
    ASSERT_TRUE(m_window.replaceText(field, QString::fromLatin1(typed.right)));
    ASSERT_TRUE(says(field, QString::fromLatin1(typed.right)));
    ASSERT_TRUE(gone(problem));
  }
  ASSERT_TRUE(createIs(true));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(gone(QStringLiteral("newExperimentDialog")));
}

}  // namespace
}  // namespace stagelane::gui
