#include "tests/gui/page_states.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <QSettings>

#include "tests/gui/experiments.h"
#include "tests/gui/ui_map_rules.h"
#include "tests/support/paths.h"

namespace stagelane::gui {
namespace {

const QStringList& pages() {
  static const QStringList kPages{QStringLiteral("plan"), QStringLiteral("timeline"),
                                  QStringLiteral("charts"), QStringLiteral("report")};
  return kPages;
}

int coloursOf(const QImage& picture) {
  QSet<QRgb> colours;
  for (int y = 0; y < picture.height(); y += 3) {
    for (int x = 0; x < picture.width() && colours.size() < 64; x += 3) {
      colours.insert(picture.pixel(x, y));
    }
  }
  return static_cast<int>(colours.size());
}

}  // namespace

void PageStates::SetUp() {
  WindowTest::SetUp();
  m_run = path(QStringLiteral("run"));
  ASSERT_NO_FATAL_FAILURE(runToy(m_run));
}

bool PageStates::show(const QString& file, const Look& look) {
  return m_window.open({.file = file, .size = look.size, .theme = look.theme});
}

void PageStates::photographPage(const QString& page, const QString& state, const Look& look) {
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.") + page));
  ASSERT_TRUE(m_window.waitFor(page, [&](const UiMapFile& map) { return map.page == page; }));
  m_window.moveTo({2, 2});
  QImage picture;
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a painted page"), [&](const UiMapFile&) {
    const QImage before = picture;
    picture = m_window.picture();
    // A run in progress keeps changing the window.
    return coloursOf(picture) > 6 && (before == picture || state == QStringLiteral("running"));
  }));
  keep(picture, page, state, look);
}

void PageStates::keep(const QImage& picture, const QString& page, const QString& state,
                      const Look& look) {
  const UiMapFile map = m_window.map();
  expectSound(map);
  keepPicture(picture,
              QStringLiteral("%1-%2-%3-%4").arg(page, state, look.theme).arg(look.size.width()));
}

void PageStates::photograph(const QString& state, const Look& look) {
  for (const QString& page : pages()) photographPage(page, state, look);
}

QString PageStates::runThatEndedWith(const QString& name, const QByteArray& last) {
  const QString folder = path(name);
  QDir().mkpath(folder + QStringLiteral("/traces"));
  for (const char* file : {"experiment.json", "environment.json"}) {
    const QString word = QString::fromLatin1(file);
    QFile::copy(m_run + QChar(u'/') + word, folder + QChar(u'/') + word);
  }
  for (const QString& trace : QDir(m_run + QStringLiteral("/traces")).entryList(QDir::Files)) {
    QFile::copy(m_run + QStringLiteral("/traces/") + trace,
                folder + QStringLiteral("/traces/") + trace);
  }
  QFile events(m_run + QStringLiteral("/events.jsonl"));
  QFile kept(folder + QStringLiteral("/events.jsonl"));
  EXPECT_TRUE(events.open(QIODevice::ReadOnly) && kept.open(QIODevice::WriteOnly));
  for (QByteArray line = events.readLine(); !line.isEmpty(); line = events.readLine()) {
    if (!line.contains("\"event\":\"finished\"")) kept.write(line);
  }
  kept.write(last + "\n");
  return folder;
}

QString PageStates::runThatFailed() {
  const QString folder =
      runThatEndedWith(QStringLiteral("failed"),
                       "{\"event\":\"error\",\"t_ns\":9000000000,\"code\":6,\"message\":"
                       "\"cpu:1: out of memory\",\"context\":\"stage 1, micro-batch 3, "
                       "variant pipeline\",\"hint\":\"Use smaller micro-batches\"}");
  // A plan of its own, not a sweep's member, which no edit fixes.
  QJsonObject experiment = readJson(folder + QStringLiteral("/experiment.json"));
  QJsonArray variants = experiment[QStringLiteral("variants")].toArray();
  QJsonObject pipeline = variants[2].toObject();
  pipeline[QStringLiteral("schedule")] = QStringLiteral("gpipe");
  variants[2] = pipeline;
  experiment[QStringLiteral("variants")] = variants;
  QFile file(folder + QStringLiteral("/experiment.json"));
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(QJsonDocument(experiment).toJson());
  QFile events(folder + QStringLiteral("/events.jsonl"));
  EXPECT_TRUE(events.open(QIODevice::ReadWrite));
  QByteArray kept;
  for (QByteArray line = events.readLine(); !line.isEmpty(); line = events.readLine()) {
    const bool pipelines = line.contains("\"pipeline-gpipe\"");
    const bool ended = pipelines && line.contains("\"event\":\"variant_done\"");
    if (!ended) kept += line.replace("\"pipeline-gpipe\"", "\"pipeline\"");
  }
  events.resize(0);
  events.seek(0);
  events.write(kept);
  return folder;
}

void PageStates::expectBanner(const QString& words, const QStringList& buttons) {
  for (const QString& page : pages() + QStringList{QStringLiteral("runs")}) {
    ASSERT_TRUE(m_window.click(QStringLiteral("rail.") + page));
    ASSERT_TRUE(m_window.waitFor(
        page + QStringLiteral(" to say \"") + words + QChar(u'"'), [&](const UiMapFile& map) {
          return map.page == page &&
                 map.textOf(QStringLiteral("banner")).contains(words, Qt::CaseInsensitive);
        }));
    for (const QString& button : buttons) {
      EXPECT_TRUE(m_window.map().isEnabled(button))
          << page.toStdString() << ": " << button.toStdString();
    }
  }
}

void PageStates::expectEmpty(const Look& look) {
  ASSERT_TRUE(show(QStringLiteral("toy"), look));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chartsNewestRun")));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.report")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("reportNewestRun")));
  for (const QString& page : pages()) {
    if (page != QStringLiteral("plan")) photographPage(page, QStringLiteral("empty"), look);
  }
}

void PageStates::expectDone(const Look& look) {
  ASSERT_TRUE(show(m_run, look));
  photograph(QStringLiteral("done"), look);
}

void PageStates::expectFailed(const Look& look) {
  ASSERT_TRUE(show(runThatFailed(), look));
  expectBanner(QStringLiteral("stage 1, micro-batch 3, variant pipeline"),
               {QStringLiteral("fixFailedPlan"), QStringLiteral("resumeRun"),
                QStringLiteral("runAgain"), QStringLiteral("dismiss")});
  photograph(QStringLiteral("failed"), look);
}

void PageStates::expectFixOfFailed() {
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.charts")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("fixFailedPlan")));
  ASSERT_TRUE(m_window.click(QStringLiteral("fixFailedPlan")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the plan that failed"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("plan") &&
           map.valueOf(QStringLiteral("variant.pipeline")) == QStringLiteral("current") &&
           map.textOf(QStringLiteral("planProblem")).contains(QStringLiteral("out of memory"));
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("fixPlan")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a mended plan"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("undo")) &&
           map.find(QStringLiteral("planProblem")) == nullptr;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("dismiss")));
  m_window.key(QStringLiteral("ctrl+3"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no banner"), [](const UiMapFile& map) {
    return map.page == QStringLiteral("charts") && map.find(QStringLiteral("banner")) == nullptr;
  }));
}

void PageStates::expectCanceled(const Look& look) {
  ASSERT_TRUE(show(
      runThatEndedWith(QStringLiteral("canceled"), "{\"event\":\"canceled\",\"t_ns\":9000000000}"),
      look));
  expectBanner(
      QStringLiteral("of 5 repeats"),
      {QStringLiteral("resumeRun"), QStringLiteral("runAgain"), QStringLiteral("dismiss")});
  photograph(QStringLiteral("canceled"), look);
}

void PageStates::expectNoEngine(const Look& look) {
  const QByteArray engine = qgetenv("STAGELANE_ENGINE");
  qputenv("STAGELANE_ENGINE", path(QStringLiteral("no-such-engine")).toUtf8());
  const bool shown = show(m_run, look);
  if (engine.isEmpty()) {
    qunsetenv("STAGELANE_ENGINE");
  } else {
    qputenv("STAGELANE_ENGINE", engine);
  }
  ASSERT_TRUE(shown);
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("run")));
  expectBanner(QStringLiteral("engine not found"), {});
  photograph(QStringLiteral("no-engine"), look);
}

void PageStates::expectRunning(const Look& look) {
  ASSERT_TRUE(show(writeLongToy(path(QStringLiteral("."))), look));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("repeat"), 120000));
  photograph(QStringLiteral("running"), look);
  ASSERT_TRUE(m_window.click(QStringLiteral("cancel")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the end of the engine"),
                               [this](const UiMapFile&) { return m_window.engines().isEmpty(); }));
}

void PageStates::expectLoading(const Look& look) {
  const QString large = path(QStringLiteral("large.json"));
  QFile file(large);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("{\"traceEvents\":[");
  constexpr int kEvents = 3'000'000;
  QByteArray chunk;
  for (int at = 0; at < kEvents; ++at) {
    chunk +=
        QByteArray(
            "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"cat\":\"cpu_op\",\"name\":\"aten::add\",\"ts\":") +
        QByteArray::number(at * 10) + ",\"dur\":9}";
    chunk += at + 1 < kEvents ? "," : "]}";
    if (chunk.size() > 1'000'000 || at + 1 == kEvents) {
      file.write(chunk);
      chunk.clear();
    }
  }
  file.close();
  ASSERT_TRUE(show(QStringLiteral("toy"), look));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.timeline")));
  m_window.key(QStringLiteral("ctrl+o"));
  ASSERT_TRUE(m_window.waitForFocus(QStringLiteral("fileNameEdit")));
  m_window.key(QStringLiteral("ctrl+a"));
  m_window.type(large);
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("fileNameEdit"), large));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("cancelLoading")));
  keep(m_window.picture(), QStringLiteral("timeline"), QStringLiteral("loading"), look);
  ASSERT_TRUE(m_window.click(QStringLiteral("cancelLoading")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the end of reading"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("cancelLoading")) == nullptr;
  }));
}

QString PageStates::slowRun() {
  const QString folder =
      runThatEndedWith(QStringLiteral("slow"), "{\"event\":\"canceled\",\"t_ns\":9000000000}");
  QFile events(folder + QStringLiteral("/events.jsonl"));
  EXPECT_TRUE(events.open(QIODevice::Append));
  // Slow to read because of their length: numbers with all of their digits.
  const QByteArray line =
      "{\"event\":\"note\",\"v\":[0" + QByteArray(",0.12345678901234567").repeated(60'000) + "]}\n";
  for (int at = 0; at < 250; ++at) events.write(line);
  QSettings settings(path(QStringLiteral("config/stagelane/window.ini")), QSettings::IniFormat);
  settings.setValue(QStringLiteral("recentFiles"), QStringList{folder});
  return folder;
}

void PageStates::expectLoadingRun(const Look& look) {
  const QString run = slowRun();
  const QStringList cancels{QStringLiteral("cancelOpening"), QStringLiteral("cancelLoading"),
                            QStringLiteral("chartsLoadingCancel"),
                            QStringLiteral("reportLoadingCancel")};
  for (qsizetype at = 0; at < pages().size(); ++at) {
    const QString& page = pages()[at];
    ASSERT_TRUE(m_window.open(
        {.file = QStringLiteral("toy"), .page = page, .size = look.size, .theme = look.theme}));
    m_window.key(QStringLiteral("ctrl+shift+p"));
    ASSERT_TRUE(m_window.waitForFocus(QStringLiteral("paletteSearch")));
    m_window.type(run);
    ASSERT_TRUE(m_window.waitForText(QStringLiteral("paletteSearch"), run));
    m_window.key(QStringLiteral("Return"));
    ASSERT_TRUE(m_window.waitForControl(cancels[at])) << page.toStdString();
    // The Timeline while it reads is `timeline-loading`, with a trace.
    const bool ofTrace = page == QStringLiteral("timeline");
    keep(m_window.picture(), page,
         ofTrace ? QStringLiteral("loading-run") : QStringLiteral("loading"), look);
    ASSERT_TRUE(m_window.click(cancels[at]));
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("the end of reading"), [&](const UiMapFile& map) {
      return map.find(cancels[at]) == nullptr;
    }));
    EXPECT_FALSE(QFile::exists(run + QStringLiteral("/result.json")))
        << page.toStdString() << ": it was read to its end";
  }
}

QString PageStates::toyWith(const QString& name, const QJsonObject& members) const {
  QJsonObject toy =
      readJson(QString::fromStdString(checkout::root() + "/resources/presets/toy.json"));
  for (auto member = members.begin(); member != members.end(); ++member) {
    toy[member.key()] = member.value();
  }
  const QString file = path(name);
  QFile out(file);
  EXPECT_TRUE(out.open(QIODevice::WriteOnly));
  out.write(QJsonDocument(toy).toJson());
  return file;
}

void PageStates::expectPlanEmpty(const Look& look) {
  ASSERT_TRUE(
      show(toyWith(QStringLiteral("no-variant.json"), {{QStringLiteral("variants"), QJsonArray()}}),
           look));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("addFirstVariant")));
  photographPage(QStringLiteral("plan"), QStringLiteral("empty"), look);
  ASSERT_TRUE(m_window.click(QStringLiteral("addFirstVariant")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chip.net1")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("variant.single")));
}

void PageStates::expectPlanUnreadable(const Look& look) {
  ASSERT_TRUE(show(
      toyWith(QStringLiteral("unreadable.json"),
              {{QStringLiteral("input"), QJsonObject{{QStringLiteral("shape"), QJsonArray{11}}}}}),
      look));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the reason"), [](const UiMapFile& map) {
    return map.describe().contains(QStringLiteral("cannot be read"));
  }));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("run")));
  photographPage(QStringLiteral("plan"), QStringLiteral("unreadable"), look);
}

void PageStates::expectPlanUpdating(const Look& look) {
  QJsonArray devices;
  for (int device = 0; device < 8; ++device) devices.append(QStringLiteral("cpu:%1").arg(device));
  const QJsonObject pipe{{QStringLiteral("name"), QStringLiteral("pipe")},
                         {QStringLiteral("strategy"), QStringLiteral("pipeline")},
                         {QStringLiteral("schedule"), QStringLiteral("auto")},
                         {QStringLiteral("split_size"), 64},
                         {QStringLiteral("placement"), QStringLiteral("optimal")}};
  ASSERT_TRUE(show(toyWith(QStringLiteral("searched.json"),
                           {{QStringLiteral("model"),
                             QJsonObject{{QStringLiteral("zoo"), QStringLiteral("resnet152")}}},
                            {QStringLiteral("input"),
                             QJsonObject{{QStringLiteral("shape"), QJsonArray{3, 64, 64}}}},
                            {QStringLiteral("data"),
                             QJsonObject{{QStringLiteral("labels"), QStringLiteral("one_hot")},
                                         {QStringLiteral("batch_size"), 1024}}},
                            {QStringLiteral("devices"), devices},
                            {QStringLiteral("variants"), QJsonArray{pipe}}}),
                   look));
  // With 512 micro-batches instead of 16, the search for the order takes seconds.
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("chip.conv1")));
  ASSERT_TRUE(m_window.enter(QStringLiteral("splitSize"), QStringLiteral("2")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("basis"), QStringLiteral("searching")));
  keep(m_window.picture(), QStringLiteral("plan"), QStringLiteral("updating"), look);
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("basis"), QStringLiteral("Estimate"), 300000));
}

void PageStates::expectPlanOverBudget(const Look& look) {
  const QJsonArray devices{QJsonObject{{QStringLiteral("id"), QStringLiteral("cpu:0")},
                                       {QStringLiteral("max_memory"), 1000}},
                           QStringLiteral("cpu:1")};
  ASSERT_TRUE(
      show(toyWith(QStringLiteral("small.json"), {{QStringLiteral("devices"), devices}}), look));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("planProblem"), QStringLiteral("over budget")));
  photographPage(QStringLiteral("plan"), QStringLiteral("over-budget"), look);
}

void PageStates::expectPlanMeasured(const Look& look) {
  ASSERT_TRUE(show(m_run, look));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.model-parallel")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("its tab"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("variant.model-parallel")) == QStringLiteral("current");
  }));
  photographPage(QStringLiteral("plan"), QStringLiteral("measured"), look);
  ASSERT_TRUE(m_window.click(QStringLiteral("chip.relu")));
  m_window.key(QStringLiteral("alt+Down"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("an older measurement"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("restorePlan")) != nullptr;
  }));
  photographPage(QStringLiteral("plan"), QStringLiteral("measured-before"), look);
}

void PageStates::expectPlanStates(const Look& look) {
  expectPlanEmpty(look);
  expectPlanUnreadable(look);
  expectPlanUpdating(look);
  expectPlanOverBudget(look);
  expectPlanMeasured(look);
}

}  // namespace stagelane::gui
