// What a person expects of any program: every action can be found and done from the keyboard, files
// come back, code is exported, and what is dropped on the window opens.

#include <QDeadlineTimer>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QSettings>
#include <QTest>
#include <QThread>
#include <QToolButton>
#include <QUrl>
#include <fstream>

#include "app/main_window.h"
#include "tests/gui/ui_map_rules.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class Manners : public WindowTest {
 protected:
  [[nodiscard]] bool doFromPalette(const QString& letters) {
    m_window.key(QStringLiteral("ctrl+shift+p"));
    if (!m_window.waitForControl(QStringLiteral("paletteSearch"))) return false;
    m_window.type(letters);
    if (!m_window.waitForText(QStringLiteral("paletteSearch"), letters)) return false;
    if (letters == QStringLiteral("zoom")) {
      keepPicture(m_window.picture(), QStringLiteral("palette-light"));
    }
    m_window.key(QStringLiteral("Return"));
    return m_window.waitFor(QStringLiteral("the palette to close"), [](const UiMapFile& map) {
      return map.find(QStringLiteral("commandPalette")) == nullptr;
    });
  }

  [[nodiscard]] bool saysExperiment(const QString& part) {
    return m_window.waitForText(QStringLiteral("experimentMenu"), part);
  }

  /// Types a path into the file dialog that has opened.
  [[nodiscard]] bool nameFile(const QString& path) {
    if (!m_window.waitForControl(QStringLiteral("fileNameEdit"))) return false;
    m_window.key(QStringLiteral("ctrl+a"));
    m_window.type(path);
    if (!m_window.waitForText(QStringLiteral("fileNameEdit"), path)) return false;
    m_window.key(QStringLiteral("Return"));
    return m_window.waitFor(QStringLiteral("the file dialog to close"), [](const UiMapFile& map) {
      return map.find(QStringLiteral("fileNameEdit")) == nullptr;
    });
  }

  [[nodiscard]] QString copiedExample() {
    const QString copy = path(QStringLiteral("kept.json"));
    EXPECT_TRUE(
        QFile::copy(QStringLiteral(STAGELANE_SOURCE_DIR "/resources/presets/toy-wide.json"), copy));
    return copy;
  }
};

TEST_F(Manners, APaletteFindsActionsOfEveryPageByAFewLetters) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  ASSERT_TRUE(doFromPalette(QStringLiteral("splitsize")));
  m_window.type(QStringLiteral("2"));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(
      m_window.waitFor(QStringLiteral("the split size, from keys"), [](const UiMapFile& map) {
        return map.valueOf(QStringLiteral("splitSize")) == QStringLiteral("2");
      }));
  ASSERT_TRUE(doFromPalette(QStringLiteral("zoom")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the page of the action"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("timeline");
  }));
  ASSERT_TRUE(doFromPalette(QStringLiteral("swidark")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("dark"), [this](const UiMapFile&) {
    const QImage picture = m_window.picture();
    return picture.pixelColor(20, picture.height() - 100).lightnessF() < 0.5;
  }));
}

TEST_F(Manners, ThePaletteShowsWhatAnActionIsCalledAndItsKeyAndAClickDoesIt) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  m_window.key(QStringLiteral("ctrl+shift+p"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("palette.0")));
  expectSound(m_window.map());
  m_window.type(QStringLiteral("show charts"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("palette.0"), QStringLiteral("Show Charts")));
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("palette.0")), QStringLiteral("Ctrl+3"));
  ASSERT_TRUE(m_window.click(QStringLiteral("palette.0")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the page"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("charts");
  }));
}

TEST_F(Manners, ExamplesAndRecentFilesOpenFromTheKeyboard) {
  const QString kept = copiedExample();
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  m_window.key(QStringLiteral("ctrl+o"));
  ASSERT_TRUE(nameFile(kept));
  ASSERT_TRUE(saysExperiment(QStringLiteral("wide")));
  ASSERT_TRUE(doFromPalette(QStringLiteral("resnet tutorial quick")));
  ASSERT_TRUE(saysExperiment(QStringLiteral("ResNet-50")));
  ASSERT_TRUE(doFromPalette(QStringLiteral("kept.json")));
  ASSERT_TRUE(saysExperiment(QStringLiteral("wide")));
}

TEST_F(Manners, ThePlanIsSavedAsCode) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  m_window.key(QStringLiteral("ctrl+shift+e"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("codeDialog")));
  ASSERT_TRUE(m_window.choose(QStringLiteral("codeForm"),
                              QStringLiteral("torch.distributed.pipelining, a process a device")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the code"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("codeSave"));
  }));
  keepPicture(m_window.picture(), QStringLiteral("code-light"));
  ASSERT_TRUE(m_window.click(QStringLiteral("codeSave")));
  const QString script = path(QStringLiteral("plan.py"));
  ASSERT_TRUE(nameFile(script));
  QFile file(script);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_TRUE(file.readAll().contains("PipelineStage"));
}

TEST_F(Manners, ChangesAreNotLeftWithoutAsking) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.enter(QStringLiteral("repeats"), QStringLiteral("7")));
  ASSERT_TRUE(saysExperiment(QStringLiteral("●")));
  ASSERT_TRUE(doFromPalette(QStringLiteral("resnet tutorial quick")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("unsavedDialog")));
  keepPicture(m_window.picture(), QStringLiteral("unsaved-light"));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the question to go"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("unsavedDialog")) == nullptr;
  }));
  EXPECT_TRUE(m_window.map()
                  .textOf(QStringLiteral("experimentMenu"))
                  .contains(QStringLiteral("Toy model")));
  // Undone, there is nothing to ask about.
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(doFromPalette(QStringLiteral("resnet tutorial quick")));
  ASSERT_TRUE(saysExperiment(QStringLiteral("ResNet-50")));
}

TEST_F(Manners, EditsOfAWindowThatWasKilledAreOfferedByTheNext) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.enter(QStringLiteral("repeats"), QStringLiteral("7")));
  ASSERT_TRUE(saysExperiment(QStringLiteral("●")));
  const QDir kept(path(QStringLiteral("workspace/unsaved")));
  const QDeadlineTimer deadline(WindowDriver::kPatienceMs);
  while (kept.entryList({QStringLiteral("*.json")}).isEmpty() && !deadline.hasExpired()) {
    QThread::msleep(20);
  }
  ASSERT_FALSE(kept.entryList({QStringLiteral("*.json")}).isEmpty()) << "no edit was kept";
  m_window.kill();
  // The pages of a window are remembered: the offer stands on whichever is shown first.
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .page = QStringLiteral("charts")}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("restoreUnsaved")));
  keepPicture(m_window.picture(), QStringLiteral("restore-light"));
  ASSERT_TRUE(m_window.click(QStringLiteral("restoreUnsaved")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the edit"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("repeats")) == QStringLiteral("7") &&
           map.find(QStringLiteral("restoreUnsaved")) == nullptr;
  }));
  ASSERT_TRUE(saysExperiment(QStringLiteral("●")));
}

TEST_F(Manners, WhatAnotherProgramSavesIsNotWrittenOverUnasked) {
  const QString file = copiedExample();
  Json theirs = readJsonFile(file.toStdString()).value();
  const auto repeatsAre = [this](int repeats) {
    return m_window.waitFor(QStringLiteral("%1 repeats").arg(repeats), [=](const UiMapFile& map) {
      return map.valueOf(QStringLiteral("repeats")) == QString::number(repeats);
    });
  };
  ASSERT_TRUE(m_window.open({.file = file}));
  ASSERT_TRUE(m_window.enter(QStringLiteral("repeats"), QStringLiteral("7")));
  ASSERT_TRUE(saysExperiment(QStringLiteral("●")));
  theirs["repeat"] = 9;
  std::ofstream(file.toStdString()) << theirs.dump();
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("loadFile")));
  keepPicture(m_window.picture(), QStringLiteral("changed-file-light"));
  m_window.key(QStringLiteral("ctrl+s"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("changedFileDialog")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the question to go"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("changedFileDialog")) == nullptr;
  }));
  EXPECT_EQ(readJsonFile(file.toStdString()).value(), theirs) << "Enter is the careful answer";
  ASSERT_TRUE(m_window.click(QStringLiteral("loadFile")));
  ASSERT_TRUE(repeatsAre(9));
  EXPECT_EQ(m_window.map().find(QStringLiteral("loadFile")), nullptr);
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(repeatsAre(7));
  m_window.key(QStringLiteral("ctrl+s"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the file"), [&](const UiMapFile&) {
    return readJsonFile(file.toStdString()).value_or(Json::object()).value("repeat", 0) == 7;
  }));
}

TEST_F(Manners, UndoAndRedoOfAPlanWorkFromTheFieldThatChangedIt) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  const QString before = m_window.map().valueOf(QStringLiteral("splitSize"));
  ASSERT_TRUE(m_window.enter(QStringLiteral("splitSize"), QStringLiteral("2")));
  ASSERT_TRUE(m_window.enter(QStringLiteral("repeats"), QStringLiteral("7")));
  ASSERT_TRUE(saysExperiment(QStringLiteral("●")));
  const auto says = [this](const char* name, const QString& value) {
    return m_window.waitFor(value, [&](const UiMapFile& map) {
      return map.valueOf(QString::fromLatin1(name)) == value;
    });
  };
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(says("repeats", QStringLiteral("5")));
  m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(says("splitSize", before));
  m_window.key(QStringLiteral("ctrl+shift+z"));
  ASSERT_TRUE(says("splitSize", QStringLiteral("2")));
}

/// In this process: what a window keeps for the next start is not kept for scripts.
class NextStart : public Manners {
 protected:
  void SetUp() override {
    Manners::SetUp();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, path(QStringLiteral("config")));
  }
};

TEST_F(NextStart, FindsTheWindowAsItWasLeft) {
  app::WindowOptions options;
  options.file = "toy";
  {
    app::MainWindow window(options);
    ASSERT_TRUE(window.openFirst().has_value());
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    window.resize(1180, 740);
    ASSERT_TRUE(window.shell().showPage(QStringLiteral("charts")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.size() == QSize(1180, 740); }));
    EXPECT_TRUE(window.close());
  }
  app::MainWindow again(options);
  ASSERT_TRUE(again.openFirst().has_value());
  again.show();
  EXPECT_EQ(again.shell().currentPageName(), QStringLiteral("charts"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return again.size() == QSize(1180, 740); }));
}

TEST_F(NextStart, FollowsTheDesktopUntilAPersonChoosesATheme) {
  /// What a window begins with on a light desktop, which then does `action` and is closed.
  const auto begunWith = [](const char* action, const std::string& theme = {}) {
    QApplication::setPalette(QPalette(Qt::lightGray));
    app::WindowOptions options;
    options.file = "toy";
    options.theme = theme;
    app::MainWindow window(options);
    EXPECT_TRUE(window.openFirst().has_value());
    window.show();
    const ui::ThemeKind begun = window.session().themeKind();
    if (action != nullptr) {
      window.findChild<QAction*>(QString::fromLatin1(action))->trigger();
    }
    EXPECT_TRUE(window.close());
    return begun;
  };
  EXPECT_EQ(begunWith(nullptr, "dark"), ui::ThemeKind::Dark);
  EXPECT_EQ(begunWith("themeAction"), ui::ThemeKind::Light) << "said for one start only";
  EXPECT_EQ(begunWith(nullptr), ui::ThemeKind::Dark) << "chosen";
  EXPECT_EQ(begunWith(nullptr, "light"), ui::ThemeKind::Light);
  EXPECT_EQ(begunWith("desktopThemeAction"), ui::ThemeKind::Dark) << "still chosen";
  EXPECT_EQ(begunWith(nullptr), ui::ThemeKind::Light);
}

TEST_F(NextStart, FindsWhatAPersonOpenedAndClosed) {
  app::WindowOptions options;
  options.file = "toy";
  const auto action = [](app::MainWindow& window, const char* name) {
    return window.findChild<QAction*>(QString::fromLatin1(name));
  };
  {
    app::MainWindow window(options);
    ASSERT_TRUE(window.openFirst().has_value());
    window.show();
    for (const char* chosen : {"toggleInspector", "showLayersAction", "chipWidthMemory"}) {
      action(window, chosen)->trigger();
    }
    window.findChild<QToolButton*>(QStringLiteral("experiment"))->click();
    ASSERT_TRUE(window.shell().showPage(QStringLiteral("charts")));
    window.findChild<QToolButton*>(QStringLiteral("styleTutorial"))->click();
    EXPECT_TRUE(window.close());
  }
  app::MainWindow again(options);
  ASSERT_TRUE(again.openFirst().has_value());
  again.show();
  EXPECT_TRUE(again.findChild<QToolButton*>(QStringLiteral("styleTutorial"))->isChecked());
  ASSERT_TRUE(again.shell().showPage(QStringLiteral("plan")));
  EXPECT_TRUE(QTest::qWaitFor([&] { return action(again, "toggleTree")->isChecked(); }));
  EXPECT_FALSE(action(again, "toggleInspector")->isChecked());
  EXPECT_TRUE(action(again, "showLayersAction")->isChecked());
  EXPECT_FALSE(action(again, "showTimelineAction")->isChecked());
  EXPECT_TRUE(again.findChild<QToolButton*>(QStringLiteral("widthMemory"))->isChecked());
  EXPECT_TRUE(again.findChild<QToolButton*>(QStringLiteral("experiment"))->isChecked());
}

TEST_F(NextStart, OpensWhatWasOpenAndItsVariant) {
  const QString kept = copiedExample();
  app::WindowOptions options;
  QString variant;
  {
    app::MainWindow window(options);
    ASSERT_TRUE(window.openFirst().has_value());
    EXPECT_TRUE(window.session().document().name().contains(QStringLiteral("ResNet-50")));
    window.show();
    options.file = kept.toStdString();
    app::MainWindow named(options);
    ASSERT_TRUE(named.openFirst().has_value());
    variant = named.session().document().tabs().back().variantIds.front();
    named.session().setCurrentVariant(variant);
    EXPECT_TRUE(window.close());
    EXPECT_TRUE(named.close());
  }
  options.file.clear();
  {
    app::MainWindow again(options);
    ASSERT_TRUE(again.openFirst().has_value());
    EXPECT_EQ(again.session().document().path(), kept);
    EXPECT_EQ(again.session().currentVariantId(), variant);
    EXPECT_TRUE(again.close());
  }
  ASSERT_TRUE(QFile::remove(kept));
  app::MainWindow without(options);
  ASSERT_TRUE(without.openFirst().has_value());
  EXPECT_TRUE(without.session().document().name().contains(QStringLiteral("ResNet-50")));
}

/// In this process: a drag from another program cannot be played by xdotool.
class Drops : public Manners {
 protected:
  void SetUp() override {
    Manners::SetUp();
    ASSERT_NO_FATAL_FAILURE(runToy(runFolder()));
  }

  [[nodiscard]] QString runFolder() const { return path(QStringLiteral("run")); }

  static void drop(QWidget& window, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent dropped(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &dropped);
    EXPECT_TRUE(dropped.isAccepted());
  }
};

TEST_F(Drops, OpenAnExperimentARunFolderAndTraces) {
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, path(QStringLiteral("config")));
  app::WindowOptions options;
  options.file = "toy";
  options.width = 1280;
  options.height = 800;
  app::MainWindow window(options);
  ASSERT_TRUE(window.openFirst().has_value());
  window.show();
  drop(window, copiedExample());
  EXPECT_TRUE(QTest::qWaitFor(
      [&] { return window.session().document().name().contains(QStringLiteral("wide")); }, 20000));
  drop(window, runFolder());
  EXPECT_TRUE(QTest::qWaitFor([&] { return window.session().result() != nullptr; }, 20000));
  for (const QString& trace : {runFolder() + QStringLiteral("/traces/model-parallel.pftrace"),
                               QStringLiteral(STAGELANE_TEST_DATA "/fuzz/packed/a.json.zst"),
                               QStringLiteral(STAGELANE_TEST_DATA "/fuzz/nsight/export.sqlite")}) {
    drop(window, trace);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
          const ui::OpenedTracePtr opened = window.session().openedTrace();
          return opened != nullptr && opened->path == trace && opened->trace != nullptr &&
                 window.shell().currentPageName() == QStringLiteral("timeline");
        },
        20000))
        << trace.toStdString();
  }
}

TEST_F(Drops, OfARunFolderMixNothingIntoARunThatIsUnderWay) {
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, path(QStringLiteral("config")));
  app::WindowOptions options;
  options.file = "toy-wide";
  app::MainWindow window(options);
  ASSERT_TRUE(window.openFirst().has_value());
  window.show();
  window.session().setRunPhase(ui::RunPhase::Running);
  QString hint;
  QObject::connect(&window.session(), &ui::Session::hintChanged, &window,
                   [&hint](const QString& text) { hint = text; });
  drop(window, runFolder());
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return hint.contains(QStringLiteral("A run is under way")); }, 20000));
  EXPECT_EQ(window.session().result(), nullptr);
  EXPECT_TRUE(window.session().document().name().contains(QStringLiteral("wide")));
  window.session().setRunPhase(ui::RunPhase::Idle);
}

}  // namespace
}  // namespace stagelane::gui
