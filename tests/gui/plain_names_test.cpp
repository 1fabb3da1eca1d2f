// A name that looks like markup is shown literally: in labels, banners, dialogs and tool tips. Runs
// in this process, because a map of the controls does not tell how a label interprets its text;
// pages are changed with the mouse.

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QTest>
#include <QToolTip>

#include "app/window/main_window.h"
#include "app/window/pages.h"
#include "engine/base/files.h"
#include "tests/gui/experiments.h"
#include "tests/gui/history.h"
#include "tests/gui/window_test.h"
#include "tests/support/paths.h"
#include "ui/kit/style_sheet.h"

namespace stagelane::gui {
namespace {

const QString kName = QStringLiteral("<b>x</b>");

class PlainNames : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    qputenv("STAGELANE_WORKSPACE", path(QStringLiteral("workspace")).toUtf8());
    qputenv("XDG_CONFIG_HOME", path(QStringLiteral("config")).toUtf8());
    QApplication::setStyle(ui::makeStyle());
  }

  /// A run of the toy whose experiment and variants have that name.
  [[nodiscard]] QString namedRun() const {
    const QString run =
        writePastRun(path(QStringLiteral("workspace/runs")),
                     {.folder = QStringLiteral("20261119-104400-toy"), .name = kName});
    const QString file = run + QStringLiteral("/experiment.json");
    QJsonObject experiment = readJson(file);
    QJsonArray variants = experiment.value(QStringLiteral("variants")).toArray();
    for (QJsonValueRef variant : variants) {
      QJsonObject named = variant.toObject();
      named[QStringLiteral("name")] = kName + named.value(QStringLiteral("name")).toString();
      variant = named;
    }
    experiment[QStringLiteral("variants")] = variants;
    EXPECT_TRUE(
        writeFileAtomically(file.toStdString(), QJsonDocument(experiment).toJson().toStdString()));
    return run;
  }

  /// Unsaved edits of that name, as a killed window leaves them.
  void leaveUnsavedWork() const {
    const QString folder = path(QStringLiteral("workspace/unsaved"));
    ASSERT_TRUE(QDir().mkpath(folder));
    const QString toy = QString::fromStdString(checkout::root() + "/resources/presets/toy.json");
    const QJsonObject left{{QStringLiteral("name"), kName},
                           {QStringLiteral("path"), toy},
                           {QStringLiteral("document"), readJson(toy)}};
    ASSERT_TRUE(writeFileAtomically((folder + QStringLiteral("/left.json")).toStdString(),
                                    QJsonDocument(left).toJson().toStdString()));
  }
};

/// The labels of `window` that show the name; fails if one of them shows it as markup.
int expectPlain(const QWidget& window) {
  int shown = 0;
  for (const QLabel* label : window.findChildren<QLabel*>()) {
    if (!label->isVisible() || !label->text().contains(QStringLiteral("<b>"))) continue;
    ++shown;
    EXPECT_EQ(label->textFormat(), Qt::PlainText)
        << label->objectName().toStdString() << ": " << label->text().toStdString();
  }
  return shown;
}

TEST_F(PlainNames, StandOnEveryPageAsTheyWereWritten) {
  leaveUnsavedWork();
  app::WindowOptions options;
  options.file = namedRun().toStdString();
  app::MainWindow window(options);
  ASSERT_TRUE(window.openFirst());
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  for (const std::string& page : app::pageNames()) {
    SCOPED_TRACE(page);
    auto* rail =
        window.findChild<QAbstractButton*>(QStringLiteral("rail.") + QString::fromStdString(page));
    ASSERT_NE(rail, nullptr);
    QTest::mouseClick(rail, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.settled(); }, 30000));
    EXPECT_GT(expectPlain(window), 0) << "the banner at least names it";
  }
}

TEST_F(PlainNames, StandInAToolTipAsTheyWereWritten) {
  QWidget window;
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  QToolTip::showText(window.mapToGlobal(QPoint(5, 5)), kName, &window);
  const QLabel* tip = nullptr;
  for (const QWidget* widget : QApplication::topLevelWidgets()) {
    if (widget->inherits("QTipLabel")) tip = qobject_cast<const QLabel*>(widget);
  }
  ASSERT_NE(tip, nullptr);
  EXPECT_EQ(tip->textFormat(), Qt::PlainText);
  QToolTip::hideText();
}

}  // namespace
}  // namespace stagelane::gui
