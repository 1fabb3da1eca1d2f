// A run in several processes: their number is chosen in the menu of Run, and the table of ranks
// shows what each does while the run goes on.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class Ranks : public WindowTest {
 protected:
  /// The long toy with only its pipeline.
  [[nodiscard]] QString longPipeline() {
    const QString path = writeLongToy(m_window.folder());
    QJsonObject toy = readJson(path);
    toy[QStringLiteral("variants")] = QJsonArray{toy[QStringLiteral("variants")].toArray().at(1)};
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(toy).toJson());
    return path;
  }
  [[nodiscard]] bool choose(const QString& entry) {
    return m_window.click(QStringLiteral("runMenu")) &&
           m_window.click(QStringLiteral("ranksOfRun")) && m_window.click(entry);
  }
};

TEST_F(Ranks, AreChosenInTheMenuOfRunAndShownWhileItGoesOn) {
  ASSERT_TRUE(m_window.open({.file = longPipeline(), .size = {1600, 900}}));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("Run"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("run"));
  }));
  ASSERT_TRUE(choose(QStringLiteral("ranks.2")));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("ranks"), QStringLiteral("2 ranks")));
  ASSERT_TRUE(m_window.click(QStringLiteral("ranks")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("rankTable")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("their repeats"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("rank.1")).contains(QStringLiteral(" of 20000"));
  }));
  keepPicture(m_window.picture(), QStringLiteral("ranks"));
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("canceled")));
  const QJsonObject result =
      readJson(m_window.runFolders().front() + QStringLiteral("/result.json"));
  EXPECT_EQ(result[QStringLiteral("ranks")].toInt(), 2);
}

TEST_F(Ranks, AreNoChoiceWhereNothingIsDealtToThem) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("hogwild-mlp")}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("runMenu")));
  ASSERT_TRUE(m_window.click(QStringLiteral("runMenu")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("runThis")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("ranksOfRun")), nullptr);
}

}  // namespace
}  // namespace stagelane::gui
