// What holds for all variants, and what one variant chooses, is changed in the window and undone:
// the model, the optimizer, nonsense in a field, placement, recompute and chunks.

#include <vector>

#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class ExperimentSettings : public WindowTest {
 protected:
  [[nodiscard]] bool openPanel(const OpenOptions& options) {
    return m_window.open(options) && m_window.click(QStringLiteral("experiment")) &&
           m_window.waitForControl(QStringLiteral("model"));
  }

  [[nodiscard]] bool gone(const QString& name) {
    return m_window.waitFor(name + QStringLiteral(" to go"),
                            [&](const UiMapFile& map) { return map.find(name) == nullptr; });
  }

  [[nodiscard]] bool chooseInMenu(const QString& item) {
    return m_window.click(QStringLiteral("planSettings")) && m_window.waitForControl(item) &&
           m_window.click(item) && gone(QStringLiteral("planSettingsMenu"));
  }
};

TEST_F(ExperimentSettings, AnotherModelIsOneStepAndSaysWhatBecameOfPlacements) {
  ASSERT_TRUE(openPanel({.file = QStringLiteral("tutorial-resnet50-quick")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.better-cut")));
  QString before;
  const auto predicted = [&before](const UiMapFile& map) {
    const QString text = map.textOf(QStringLiteral("stepTime"));
    return map.isEnabled(QStringLiteral("stepTime")) && text.endsWith(QChar(u's')) &&
           text != before;
  };
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the prediction of the first model"), predicted));
  before = m_window.map().textOf(QStringLiteral("stepTime"));
  ASSERT_TRUE(m_window.choose(QStringLiteral("model"), QStringLiteral("vgg16")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("hint"), QStringLiteral("better cut")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("planSettings"), QStringLiteral("optimal")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the prediction of the second"), predicted));
  keepPicture(m_window.picture(), QStringLiteral("settings-vgg-light"));
  ASSERT_TRUE(m_window.enter(QStringLiteral("input"), QStringLiteral("3x0x8")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("inputProblem")));
  ASSERT_TRUE(m_window.enter(QStringLiteral("input"), QStringLiteral("3x64x64")));
  ASSERT_TRUE(gone(QStringLiteral("inputProblem")));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the first model"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("model")) == QStringLiteral("resnet50") &&
           !map.isEnabled(QStringLiteral("undo"));
  }));
}

TEST_F(ExperimentSettings, AnOptimizerHasItsOwnFieldsAndNonsenseStaysInThem) {
  ASSERT_TRUE(openPanel(
      {.file = QStringLiteral("toy"), .size = {1024, 700}, .theme = QStringLiteral("dark")}));
  for (const char* bad : {"2", "nan", "-1"}) {
    ASSERT_TRUE(m_window.enter(QStringLiteral("momentum"), QString::fromLatin1(bad)));
    ASSERT_TRUE(
        m_window.waitForText(QStringLiteral("momentumProblem"), QStringLiteral("from 0 to 1")));
    EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo"))) << bad;
  }
  keepPicture(m_window.picture(), QStringLiteral("settings-wrong-dark"));
  ASSERT_TRUE(m_window.enter(QStringLiteral("learningRate"), QStringLiteral("0.01")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("another field's edit"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("undo")) && map.find(QStringLiteral("momentumProblem")) &&
           map.valueOf(QStringLiteral("momentum")) == QStringLiteral("-1");
  }));
  ASSERT_TRUE(m_window.enter(QStringLiteral("momentum"), QStringLiteral("0.9")));
  ASSERT_TRUE(gone(QStringLiteral("momentumProblem")));
  ASSERT_TRUE(m_window.choose(QStringLiteral("optimizer"), QStringLiteral("Adam")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("beta2")));
  ASSERT_TRUE(gone(QStringLiteral("momentum")));
  ASSERT_TRUE(m_window.enter(QStringLiteral("beta2"), QStringLiteral("0.99")));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("momentum 0.9"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("momentum")) == QStringLiteral("0.9");
  }));
}

TEST_F(ExperimentSettings, AWholeNumberThatIsRefusedStaysRedAndChangesNothing) {
  ASSERT_TRUE(openPanel({.file = QStringLiteral("toy"), .size = {1024, 700}}));
  struct Refused {
    QString field;
    QString text;
    QString why;
  };
  const std::vector<Refused> fields{
      {QStringLiteral("batchSize"), QStringLiteral("0"), QStringLiteral("from 1 to 1000000")},
      {QStringLiteral("batches"), QStringLiteral("2000000"), QStringLiteral("from 1 to 1000000")},
      {QStringLiteral("seed"), QStringLiteral("-5"), QStringLiteral("at least 0")},
      {QStringLiteral("repeats"), QStringLiteral("0"), QStringLiteral("from 1 to 100000")}};
  for (const Refused& refused : fields) {
    ASSERT_TRUE(m_window.enter(refused.field, refused.text));
    ASSERT_TRUE(m_window.waitForText(refused.field + QStringLiteral("Problem"), refused.why));
    EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("undo"))) << refused.field.toStdString();
  }
  keepPicture(m_window.picture(), QStringLiteral("settings-refused-light-1024"));
  ASSERT_TRUE(m_window.enter(QStringLiteral("batchSize"), QStringLiteral("12")));
  ASSERT_TRUE(gone(QStringLiteral("batchSizeProblem")));
  const UiMapFile map = m_window.map();
  EXPECT_EQ(map.valueOf(QStringLiteral("batchSize")), QStringLiteral("12"));
  for (std::size_t at = 1; at < fields.size(); ++at) {
    EXPECT_EQ(map.valueOf(fields[at].field), fields[at].text) << "another field's edit came";
  }
  // The keys step back into the range.
  ASSERT_TRUE(m_window.click(QStringLiteral("seed")));
  m_window.key(QStringLiteral("Down"));
  ASSERT_TRUE(gone(QStringLiteral("seedProblem")));
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("seed")), QStringLiteral("0"));
}

TEST_F(ExperimentSettings, AVariantChoosesItsPlacementAndWhatIsComputedAgain) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .size = {1024, 700}}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.model-parallel")));
  ASSERT_TRUE(chooseInMenu(QStringLiteral("placement.optimal")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("an undo step"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("undo"));
  }));
  ASSERT_TRUE(chooseInMenu(QStringLiteral("recompute.always")));
  ASSERT_TRUE(m_window.click(QStringLiteral("planSettings")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("recompute.always")));
  keepPicture(m_window.picture(), QStringLiteral("settings-menu-light"));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(gone(QStringLiteral("planSettingsMenu")));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no undo step"), [](const UiMapFile& map) {
    return !map.isEnabled(QStringLiteral("undo"));
  }));
}

}  // namespace
}  // namespace stagelane::gui
