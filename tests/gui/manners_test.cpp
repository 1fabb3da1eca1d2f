// General expectations of a program: every action can be found and used from the keyboard, files
// are reopened, and code is exported.

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QThread>
#include <fstream>

#include "engine/base/json.h"
#include "tests/gui/experiments.h"
#include "tests/gui/ui_map_rules.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

class Manners : public WindowTest {
 protected:
  [[nodiscard]] bool saysExperiment(const QString& part) {
    return m_window.waitForText(QStringLiteral("experimentMenu"), part);
  }

  /// Types a path into the file dialog that has opened.
  [[nodiscard]] bool nameFile(const QString& path) {
    if (!m_window.waitForFocus(QStringLiteral("fileNameEdit"))) return false;
    m_window.key(QStringLiteral("ctrl+a"));
    m_window.type(path);
    if (!m_window.waitForText(QStringLiteral("fileNameEdit"), path)) return false;
    m_window.key(QStringLiteral("Return"));
    return m_window.waitFor(QStringLiteral("the file dialog to close"), [](const UiMapFile& map) {
      return map.find(QStringLiteral("fileNameEdit")) == nullptr;
    });
  }
};

TEST_F(Manners, APaletteFindsActionsOfEveryPageByAFewLetters) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  ASSERT_TRUE(m_window.doFromPalette(QStringLiteral("splitsize")));
  m_window.type(QStringLiteral("2"));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(
      m_window.waitFor(QStringLiteral("the split size, from keys"), [](const UiMapFile& map) {
        return map.valueOf(QStringLiteral("splitSize")) == QStringLiteral("2");
      }));
  ASSERT_TRUE(m_window.doFromPalette(QStringLiteral("zoom")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the page of the action"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("timeline");
  }));
  ASSERT_TRUE(m_window.doFromPalette(QStringLiteral("swidark")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("dark"), [this](const UiMapFile&) {
    const QImage picture = m_window.picture();
    return picture.pixelColor(20, picture.height() - 100).lightnessF() < 0.5;
  }));
}

TEST_F(Manners, ThePaletteShowsWhatAnActionIsCalledAndItsKeyAndAClickDoesIt) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  m_window.key(QStringLiteral("ctrl+shift+p"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("palette.0")));
  ASSERT_TRUE(m_window.waitForFocus(QStringLiteral("paletteSearch")));
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
  const QString kept = copyOfWide(path(QStringLiteral("kept.json")));
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  m_window.key(QStringLiteral("ctrl+o"));
  ASSERT_TRUE(nameFile(kept));
  ASSERT_TRUE(saysExperiment(QStringLiteral("wide")));
  ASSERT_TRUE(m_window.doFromPalette(QStringLiteral("resnet tutorial quick")));
  ASSERT_TRUE(saysExperiment(QStringLiteral("ResNet-50")));
  ASSERT_TRUE(m_window.doFromPalette(QStringLiteral("kept.json")));
  ASSERT_TRUE(saysExperiment(QStringLiteral("wide")));
}

TEST_F(Manners, ThePlanIsSavedAsCode) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.pipeline")));
  m_window.key(QStringLiteral("ctrl+shift+e"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("codeDialog")));
  ASSERT_TRUE(
      m_window.choose(QStringLiteral("codeForm"),
                      QStringLiteral("torch.distributed.pipelining, one process per device")));
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
  ASSERT_TRUE(m_window.doFromPalette(QStringLiteral("resnet tutorial quick")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("unsavedDialog")));
  keepPicture(m_window.picture(), QStringLiteral("unsaved-light"));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the question to go"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("unsavedDialog")) == nullptr;
  }));
  EXPECT_TRUE(m_window.map()
                  .textOf(QStringLiteral("experimentMenu"))
                  .contains(QStringLiteral("Toy model")));
  // After the undo there is no question.
  ASSERT_TRUE(m_window.click(QStringLiteral("undo")));
  ASSERT_TRUE(m_window.doFromPalette(QStringLiteral("resnet tutorial quick")));
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
  // The last page is remembered: the offer is on whichever page is shown first.
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
  const QString file = copyOfWide(path(QStringLiteral("kept.json")));
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

}  // namespace
}  // namespace stagelane::gui
