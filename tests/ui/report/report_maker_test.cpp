#include "ui/report/report_maker.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <thread>

#include "engine/base/files.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

class Maker : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(m_folder.isValid());
    const std::string started =
        R"({"event":"started","t_ns":0,"run":{"name":"toy","timing":"steady"},)"
        R"("devices":["cpu:0"],"variants":[{"id":"single","name":"single","strategy":"single",)"
        R"("split_size":4,"status":"running","seconds":[]}]})"
        "\n";
    std::string events = started;
    for (int repeat = 1; repeat <= 3; ++repeat) {
      events += R"({"event":"measurement","t_ns":1,"variant":"single","repeat":)" +
                std::to_string(repeat) + R"(,"seconds":0.5})" + "\n";
    }
    events += R"({"event":"canceled","t_ns":9})"
              "\n";
    ASSERT_TRUE(writeFileAtomically(path("events.jsonl"), events));
    ASSERT_TRUE(writeFileAtomically(path("experiment.json"), "{\"repeat\": 5}"));
  }

  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return std::filesystem::path(utf8(m_folder.path())) / name;
  }

  static void waitWhile(const std::function<bool()>& condition) {
    QElapsedTimer timer;
    timer.start();
    while (condition() && timer.elapsed() < 20000) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    EXPECT_FALSE(condition());
  }

  void loadAndMake(const ReportContents& contents) {
    m_maker.load({utf8(m_folder.path())});
    waitWhile([this] { return m_maker.loading(); });
    ASSERT_TRUE(m_maker.inputs());
    m_maker.make(contents);
    waitWhile([this] { return m_maker.making(); });
  }

  [[nodiscard]] std::string text(const std::string& name) const {
    return readFile(path(name)).value_or(std::string());
  }

  QTemporaryDir m_folder;
  ReportMaker m_maker;
};

TEST_F(Maker, ReadsComposesAndWritesBesideTheWindow) {
  m_maker.load({utf8(m_folder.path())});
  EXPECT_TRUE(m_maker.loading()) << "nothing is read before the event loop is back";
  EXPECT_FALSE(m_maker.inputs());
  waitWhile([this] { return m_maker.loading(); });
  m_maker.make({});
  EXPECT_FALSE(m_maker.document());
  waitWhile([this] { return m_maker.making(); });
  ASSERT_TRUE(m_maker.document() && m_maker.pages());
  EXPECT_GE(m_maker.pages()->count(), 1U);
  for (const char* name : {"r.html", "r.pdf", "r.md"}) {
    m_maker.write(path(name), ReportTheme::Reader);
    EXPECT_TRUE(m_maker.writing());
    EXPECT_FALSE(std::filesystem::exists(path(name)));
    waitWhile([this] { return m_maker.writing(); });
    EXPECT_FALSE(text(name).empty()) << name;
  }
}

/// Charts are widgets during their layout; another thread may only paint them.
TEST_F(Maker, WhatItLaysOutIsWhatTheWindowWouldPaint) {
  loadAndMake({});
  const QString beside = [this] {
    QString html;
    for (const auto& step : layoutSteps(*m_maker.document(), "r.html", ReportTheme::Reader)) step();
    std::thread other([&] { html = toHtml(*m_maker.document(), ReportTheme::Reader); });
    other.join();
    return html;
  }();
  EXPECT_EQ(beside, toHtml(makeReport(*m_maker.inputs(), {}), ReportTheme::Reader));
  EXPECT_TRUE(beside.contains(QStringLiteral("<svg")));
}

TEST_F(Maker, WritesTheLatestThatWasWishedFor) {
  loadAndMake({});
  ReportContents renamed;
  renamed.title = QStringLiteral("Of Tuesday");
  m_maker.make({});
  m_maker.make(renamed);
  m_maker.write(path("r.md"), ReportTheme::Reader);
  waitWhile([this] { return m_maker.writing(); });
  EXPECT_EQ(text("r.md").rfind("# Of Tuesday", 0), 0U) << text("r.md").substr(0, 60);
}

TEST_F(Maker, WhatIsCanceledChangesNothing) {
  loadAndMake({});
  const auto before = m_maker.document();
  ReportContents renamed;
  renamed.title = QStringLiteral("Never");
  m_maker.make(renamed);
  m_maker.cancelMaking();
  EXPECT_FALSE(m_maker.making());
  m_maker.write(path("never.md"), ReportTheme::Reader);
  m_maker.cancelWriting();
  EXPECT_FALSE(m_maker.writing());
  // Work that was started earlier ends before later work.
  m_maker.write(path("later.md"), ReportTheme::Reader);
  waitWhile([this] { return m_maker.writing(); });
  EXPECT_EQ(m_maker.document(), before);
  EXPECT_FALSE(std::filesystem::exists(path("never.md")));
  EXPECT_FALSE(text("later.md").empty());
}

TEST_F(Maker, SaysWhyAFileCannotBeWrittenAndThatThereIsNoRun) {
  loadAndMake({});
  QString problem;
  QObject::connect(&m_maker, &ReportMaker::written, &m_maker,
                   [&](const QString&, const QString& why) { problem = why; });
  m_maker.write("/nowhere/at/all/r.html", ReportTheme::Reader);
  waitWhile([this] { return m_maker.writing(); });
  EXPECT_TRUE(problem.contains(QStringLiteral("/nowhere/at/all"))) << problem.toStdString();
  m_maker.load({"/nowhere/at/all"});
  waitWhile([this] { return m_maker.loading(); });
  EXPECT_FALSE(m_maker.inputs());
  m_maker.write(path("r.md"), ReportTheme::Reader);
  EXPECT_FALSE(m_maker.writing()) << "there is nothing to write";
}

}  // namespace
}  // namespace stagelane::ui
