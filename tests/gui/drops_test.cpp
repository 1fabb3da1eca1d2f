// Files that are dragged from another program onto the window open: an experiment, a run folder,
// traces; but nothing during a run.

#include <QDeadlineTimer>
#include <QFileInfo>
#include <QProcess>

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

constexpr QPoint kPlace(10, 950);  ///< below a window of 800 lines in the middle of the screen
constexpr int kWordMs = 20000;

/// The other program.
class DragSource {
 public:
  explicit DragSource(const QString& file) {
    m_process.start(QString::fromStdString(checkout::programs() + "/stagelane_drag_source"),
                    {file, QString::number(kPlace.x()), QString::number(kPlace.y())});
  }
  ~DragSource() {
    m_process.terminate();
    m_process.waitForFinished();
  }
  DragSource(const DragSource&) = delete;
  DragSource& operator=(const DragSource&) = delete;

  [[nodiscard]] bool says(const char* word, int timeoutMs) {
    const QDeadlineTimer deadline(timeoutMs);
    while (!m_said.contains(word) && !deadline.hasExpired()) {
      m_process.waitForReadyRead(static_cast<int>(deadline.remainingTime()));
      m_said += m_process.readAllStandardOutput();
    }
    return m_said.contains(word);
  }

 private:
  QProcess m_process;
  QByteArray m_said;
};

class Drops : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    ASSERT_NO_FATAL_FAILURE(runToy(runFolder()));
  }

  [[nodiscard]] QString runFolder() const { return path(QStringLiteral("run")); }

  /// Drags a file from the other program to the middle of the window and waits for the condition.
  void drop(const QString& file, const QString& what, const Condition& condition) {
    SCOPED_TRACE(file.toStdString());
    DragSource source(file);
    ASSERT_TRUE(source.says("shown", kWordMs));
    const UiMapFile map = m_window.map();
    const Control* rail = map.find(QStringLiteral("rail"));
    ASSERT_NE(rail, nullptr);
    const QPoint middle = rail->rect.topLeft() + QPoint(map.size.width(), map.size.height()) / 2;
    // Moves only after the other program has received the button: the window manager passes a click
    // on, and a drag that begins before it has released the mouse gets no moves.
    const QPoint place = kPlace + QPoint(20, 10);
    m_window.press(place, place);
    ASSERT_TRUE(source.says("pressed", kWordMs));
    // Held in the middle until the window shows that it takes the file.
    bool taken = false;
    const QDeadlineTimer deadline(kWordMs);
    for (int step = 0; !taken && !deadline.hasExpired(); ++step) {
      m_window.moveTo(middle + QPoint(step % 2, 0));
      taken = source.says("taken", 100);
    }
    m_window.release();
    ASSERT_TRUE(taken);
    ASSERT_TRUE(m_window.waitFor(what, condition));
  }
};

TEST_F(Drops, OpenAnExperimentARunFolderAndTraces) {
  const QString wide = copyOfWide(path(QStringLiteral("kept.json")));
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_NO_FATAL_FAILURE(drop(wide, QStringLiteral("the experiment"), [](const UiMapFile& map) {
    return map.textOf(QStringLiteral("experimentMenu")).contains(QStringLiteral("wide"));
  }));
  ASSERT_NO_FATAL_FAILURE(drop(runFolder(), QStringLiteral("the run"), [](const UiMapFile& map) {
    return map.textOf(QStringLiteral("experimentMenu")).contains(QStringLiteral("Toy model")) &&
           map.textOf(QStringLiteral("measuredStep")).startsWith(QStringLiteral("Measured"));
  }));
  for (const QString& trace :
       {runFolder() + QStringLiteral("/traces/model-parallel.pftrace"),
        QString::fromStdString(checkout::testData() + "/fuzz/packed/a.json.zst"),
        QString::fromStdString(checkout::testData() + "/fuzz/nsight/export.sqlite")}) {
    const QString name = QFileInfo(trace).fileName();
    ASSERT_NO_FATAL_FAILURE(drop(trace, QStringLiteral("the trace"), [&](const UiMapFile& map) {
      return map.page == QStringLiteral("timeline") &&
             map.textOf(QStringLiteral("traceBanner")).contains(name);
    }));
  }
}

TEST_F(Drops, OfARunFolderMixNothingIntoARunThatIsUnderWay) {
  ASSERT_TRUE(m_window.open({.file = writeLongToy(path(QStringLiteral(".")))}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("repeat ")));
  ASSERT_NO_FATAL_FAILURE(drop(runFolder(), QStringLiteral("the reason"), [](const UiMapFile& map) {
    return map.textOf(QStringLiteral("hint")).contains(QStringLiteral("A run is in progress"));
  }));
  const UiMapFile map = m_window.map();
  EXPECT_TRUE(map.textOf(QStringLiteral("experimentMenu")).contains(QStringLiteral("Long toy")));
  EXPECT_TRUE(map.textOf(QStringLiteral("runMessage")).contains(QStringLiteral("repeat ")));
  EXPECT_EQ(map.find(QStringLiteral("measuredStep")), nullptr) << "nothing has been measured yet";
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("banner"), QStringLiteral("canceled")));
}

}  // namespace
}  // namespace stagelane::gui
