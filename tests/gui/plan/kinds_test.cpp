// The tab Plans: the best plan of each kind is searched for with progress, one is applied by a
// click and reverted by one undo, one is added as a variant, and a locked block refuses one.

#include <QFile>
#include <QJsonDocument>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

class PlanKindsTest : public WindowTest {
 protected:
  [[nodiscard]] bool openPlans(const QString& preset, const QSize& size) {
    return m_window.open({.file = preset, .size = size}) &&
           m_window.waitForControl(QStringLiteral("showPlans")) &&
           m_window.click(QStringLiteral("showPlans")) && waitForPlans();
  }
  [[nodiscard]] bool waitForPlans() {
    return m_window.waitForText(QStringLiteral("kindState"), QStringLiteral("best plan of each"));
  }
};

TEST_F(PlanKindsTest, OneIsAppliedByAClickAndRevertedByOneUndo) {
  ASSERT_TRUE(openPlans(QStringLiteral("all-strategies-resnet18"), {1600, 900}));
  keepPicture(m_window.picture(), QStringLiteral("plans"));
  const UiMapFile seen = m_window.map();
  for (const char* kind : {"single", "model_parallel", "pipeline", "data_parallel", "ddp"}) {
    EXPECT_NE(seen.find(QStringLiteral("kind.") + QLatin1String(kind)), nullptr) << kind;
  }
  ASSERT_TRUE(m_window.click(QStringLiteral("kind.data_parallel")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("kindAdvice"),
                                   QStringLiteral("DistributedDataParallel")));
  ASSERT_TRUE(m_window.click(QStringLiteral("kind.pipeline")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a plan to apply"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("applyKind"));
  }));
  const QString before = seen.textOf(QStringLiteral("stepTime"));
  ASSERT_TRUE(m_window.click(QStringLiteral("applyKind")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the pipeline"), [&](const UiMapFile& map) {
    return map.textOf(QStringLiteral("kind.pipeline")).contains(QStringLiteral("this tab")) &&
           map.textOf(QStringLiteral("stepTime")) != before;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the plan before"), [&](const UiMapFile& map) {
    return map.textOf(QStringLiteral("stepTime")) == before &&
           !map.isEnabled(QStringLiteral("undo"));
  }));
}

TEST_F(PlanKindsTest, OneIsAddedAsAVariantThatIsShown) {
  ASSERT_TRUE(openPlans(QStringLiteral("ddp-toy"), {1100, 700}));
  keepPicture(m_window.picture(), QStringLiteral("plans-small"));
  QString name;
  QString title;
  for (const Control& control : m_window.map().controls) {
    if (!name.isEmpty() || !control.name.startsWith(QStringLiteral("kind."))) continue;
    name = control.name;
    title = QString(control.text).remove(QStringLiteral(" (this tab)"));
  }
  ASSERT_FALSE(name.isEmpty());
  ASSERT_TRUE(m_window.click(name));
  ASSERT_TRUE(m_window.click(QStringLiteral("addKind")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the new tab"), [&](const UiMapFile& map) {
    return map.textOf(QStringLiteral("variant")).contains(title);
  }));
  ASSERT_TRUE(waitForPlans());
}

}  // namespace
}  // namespace stagelane::gui
