// Time from an edit of the plan to the moment at which lanes, inspector and predicted timeline have
// been painted with the new prediction, in the real window, offscreen. ResNet-152 on eight devices
// with 64 micro-batches (budget 16 ms), and the first start's ResNet-50. `hover` is the same for a
// mouse that drags a chip from lane to lane, `drop` for its release, the others for other kinds of
// edits, each followed by one that reverts it. `optimal` and `auto` search in another thread, so
// their times include the search. `median_ms`, `p95_ms` and `worst_ms` are over 60 edits (20 with a
// search); `blocked_ms` is the longest time that the event loop was blocked meanwhile (budget 50
// ms).
//
//   ./dev bench gui

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <vector>

#include "app/window/main_window.h"
#include "engine/base/json.h"
#include "engine/base/quantile.h"
#include "engine/plan/experiment.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/virtual_controls.h"
#include "ui/session/document/document.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

constexpr int kEdits = 60;
constexpr int kSearchedEdits = 20;
constexpr int kMomentMs = 100;
constexpr int kMostMs = 5000;

Json resnet152() {
  Json devices = Json::array();
  for (int device = 0; device < 8; ++device) devices.push_back("cpu:" + std::to_string(device));
  return {{"stagelane", 1},
          {"name", "resnet152"},
          {"model", {{"zoo", "resnet152"}}},
          {"input", {{"shape", {3, 128, 128}}}},
          {"data", {{"batch_size", 64}, {"labels", "one_hot"}}},
          {"devices", std::move(devices)},
          {"repeat", 1},
          {"variants",
           {{{"name", "single"}, {"strategy", "single"}, {"device", "cpu:0"}},
            {{"name", "pipe"},
             {"strategy", "pipeline"},
             {"schedule", "1f1b"},
             {"split_size", 1},
             {"placement", "optimal"}}}}};
}

/// Sees when widgets have been painted.
class PaintWatch final : public QObject {
 public:
  explicit PaintWatch(const QList<QWidget*>& widgets) : m_widgets(widgets) {
    for (QWidget* widget : widgets) widget->installEventFilter(this);
  }
  void begin() { m_open = m_widgets; }
  [[nodiscard]] bool done() const { return m_open.isEmpty(); }
  std::function<bool()> ready;  ///< paintings before this is true do not count

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint && !m_open.isEmpty() && ready()) {
      m_open.removeOne(static_cast<QWidget*>(watched));
    }
    return false;
  }

 private:
  QList<QWidget*> m_widgets;
  QList<QWidget*> m_open;
};

/// The window on one experiment, settled, with the pipeline shown.
class Bench {
 public:
  explicit Bench(const Json& document) {
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    qputenv("STAGELANE_WORKSPACE", m_folder.path().toUtf8());
    m_application = std::make_unique<QApplication>(m_argc, m_argv);
    const std::string file = ui::utf8(m_folder.filePath(QStringLiteral("experiment.json")));
    std::ofstream(file) << document.dump();
    WindowOptions options;
    options.file = file;
    options.width = 1600;  // whatever the screen
    options.height = 900;
    m_window = std::make_unique<MainWindow>(options);
    (void)m_window->openFirst();
    m_window->show();
    m_window->session().selection().setTab(QStringLiteral("pipe"));
    settle();
    m_lanes = widget("lanes");
    m_watch = std::make_unique<PaintWatch>(QList<QWidget*>{m_lanes, widget("predictedTimeline")});
    m_blockedMs = 0.0;
  }

  /// Moves the first stage's last block to the next stage and back: the same edit as a drop.
  double edit(int number) {
    ui::Session& session = m_window->session();
    const auto before = session.predictor().prediction();
    const plan::Variant* variant = session.selection().variant();
    const model::ModelPtr model = session.document().experiment()->model;
    ui::PlanShape shape = ui::shapeOf(variant->stages, model->blocks.size());
    const std::size_t cut = variant->stages[1].firstBlock;
    shape = ui::cutBefore(shape, number % 2 == 0 ? cut - 1 : cut + 1,
                          {variant->stages[0].group.first(), variant->stages[1].group.first()});
    const std::size_t index = session.document().tab(session.selection().tabId())->index;
    m_watch->ready = [&] {
      return session.predictor().prediction() != before && !session.predictor().stale();
    };
    return timed([&] {
      session.document().apply(QStringLiteral("Move"),
                               ui::withShape(session.document().json(), index, *model, shape));
    });
  }

  /// Changes the document, and back again with the next number.
  double change(int number, const std::function<Json(Json document, std::size_t index)>& edit) {
    ui::Session& session = m_window->session();
    ui::ExperimentDocument& document = session.document();
    const auto before = session.predictor().prediction();
    m_watch->ready = [&] {
      return session.predictor().prediction() != before && !session.predictor().stale();
    };
    return timed([&] {
      if (number % 2 == 0) {
        const std::size_t index = document.tab(session.selection().tabId())->index;
        document.apply(QStringLiteral("Edit"), edit(document.json(), index));
      } else {
        document.undoStack().undo();
      }
    });
  }

  /// Drops the chip at the first cut on the lane above, and takes it back.
  double drop(int number) {
    if (number % 2 == 1) return change(number, {});
    const auto before = m_window->session().predictor().prediction();
    const QRect chip = control(chipAtFirstCut());
    const QRect target = control(QStringLiteral("lane.cpu:0"));
    mouse(QEvent::MouseButtonPress, chip.center());
    mouse(QEvent::MouseMove, chip.center() + QPoint(0, 20));
    mouse(QEvent::MouseMove, QPoint(chip.center().x(), target.center().y()));
    settle();
    m_watch->ready = [this, before] {
      const ui::Session& session = m_window->session();
      return session.predictor().prediction() != before && !session.predictor().stale();
    };
    return timed(
        [&] { mouse(QEvent::MouseButtonRelease, QPoint(chip.center().x(), target.center().y())); });
  }

  /// Drags the chip at the first cut over the lanes, one after the other.
  double hover(int number) {
    const QRect chip = control(chipAtFirstCut());
    if (number == 0) {
      mouse(QEvent::MouseButtonPress, chip.center());
      mouse(QEvent::MouseMove, chip.center() + QPoint(0, 20));
      settle();
    }
    const int lane = number % 2;
    const QRect target = control(QStringLiteral("lane.cpu:%1").arg(lane));
    m_watch->ready = [] { return true; };
    const double ms =
        timed([&] { mouse(QEvent::MouseMove, QPoint(chip.center().x(), target.center().y())); });
    if (number == kEdits - 1) mouse(QEvent::MouseButtonRelease, chip.center());
    return ms;
  }

  [[nodiscard]] double blockedMs() const { return m_blockedMs; }

 private:
  [[nodiscard]] QWidget* widget(const char* name) const {
    return m_window->findChild<QWidget*>(QString::fromLatin1(name));
  }
  /// The first block of the second stage, whose group is open: it may move to the first stage
  /// without breaking the plan.
  [[nodiscard]] QString chipAtFirstCut() const {
    const plan::Variant* variant = m_window->session().selection().variant();
    const auto& blocks = m_window->session().document().experiment()->model->blocks;
    return QStringLiteral("chip.") + ui::qstring(blocks[variant->stages[1].firstBlock].name);
  }
  [[nodiscard]] QRect control(const QString& name) const {
    for (const ui::VirtualControl& control :
         dynamic_cast<ui::VirtualControlSource*>(m_lanes)->virtualControls()) {
      if (control.name == name) return control.rect;
    }
    return {};
  }
  void mouse(QEvent::Type type, const QPoint& at) {
    const bool move = type == QEvent::MouseMove;
    const bool release = type == QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, m_lanes->mapToGlobal(at), move ? Qt::NoButton : Qt::LeftButton,
                      release ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_lanes, &event);
  }
  /// A pause between two edits, as between two drags.
  void settle() {
    QElapsedTimer timer;
    timer.start();
    do {
      step();
      QThread::usleep(500);
    } while ((m_window->session().predictor().stale() || timer.elapsed() < kMomentMs) &&
             timer.elapsed() < kMostMs);
  }
  /// The events that arrived, and how long they blocked the window.
  void step() {
    QElapsedTimer timer;
    timer.start();
    QApplication::processEvents();
    countBlocked(timer);
  }
  void countBlocked(const QElapsedTimer& since) {
    m_blockedMs = std::max(m_blockedMs, static_cast<double>(since.nsecsElapsed()) * 1e-6);
  }
  double timed(const std::function<void()>& act) {
    QElapsedTimer timer;
    timer.start();
    m_watch->begin();
    act();
    countBlocked(timer);
    while (!m_watch->done() && timer.elapsed() < kMostMs) step();
    const double ms = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    settle();
    return ms;
  }

  QTemporaryDir m_folder;
  int m_argc = 0;
  char* m_argv[1] = {nullptr};
  std::unique_ptr<QApplication> m_application;
  std::unique_ptr<MainWindow> m_window;
  QWidget* m_lanes = nullptr;
  std::unique_ptr<PaintWatch> m_watch;
  double m_blockedMs = 0.0;
};

using Act = std::function<double(Bench&, int number)>;
using Edit = Json (*)(Json document, std::size_t index);

void measure(benchmark::State& state, const Json& document, int edits, const Act& act) {
  for (auto round : state) {
    (void)round;
    Bench bench(document);
    std::vector<double> times;
    for (int number = 0; number < edits; ++number) times.push_back(act(bench, number));
    state.counters["median_ms"] = quantile(times, 0.5);
    state.counters["p95_ms"] = quantile(times, 0.95);
    state.counters["worst_ms"] = quantile(times, 1.0);
    state.counters["blocked_ms"] = bench.blockedMs();
  }
}

/// The plan as placed by hand: editing it starts no search.
Json placedByHand(int splitSize, const char* schedule = "1f1b") {
  Json document = resnet152();
  Json& pipe = document["variants"][1];
  pipe["schedule"] = schedule;
  pipe["split_size"] = splitSize;
  const auto read = plan::readExperiment(document, {}, {});
  pipe["placement"] = read->variants.back().placement;
  return document;
}

void editResnet152(benchmark::State& state) {
  measure(state, resnet152(), kEdits, [](Bench& bench, int number) { return bench.edit(number); });
}
void hoverResnet152(benchmark::State& state) {
  measure(state, resnet152(), kEdits, [](Bench& bench, int number) { return bench.hover(number); });
}
void dropResnet152(benchmark::State& state) {
  measure(state, placedByHand(1), kEdits,
          [](Bench& bench, int number) { return bench.drop(number); });
}
BENCHMARK(editResnet152)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(hoverResnet152)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(dropResnet152)->Iterations(1)->Unit(benchmark::kMillisecond);

void changeResnet152(benchmark::State& state, const Json& document, int edits, Edit edit) {
  measure(state, document, edits,
          [edit](Bench& bench, int number) { return bench.change(number, edit); });
}

Json withSplit2(Json document, std::size_t index) {
  return ui::withVariantMember(std::move(document), index, "split_size", 2);
}
Json withSchedule(Json document, std::size_t index, const char* schedule) {
  return ui::withVariantMember(std::move(document), index, "schedule", schedule);
}
Json withGpipe(Json document, std::size_t index) {
  return withSchedule(std::move(document), index, "gpipe");
}
Json withZeroBubble(Json document, std::size_t index) {
  return withSchedule(std::move(document), index, "zb-h1");
}
Json withAuto(Json document, std::size_t index) {
  return withSchedule(std::move(document), index, "auto");
}
Json withRecompute(Json document, std::size_t index) {
  return ui::withVariantMember(std::move(document), index, "recompute", "always");
}
Json withChunks(Json document, std::size_t index) {
  document["variants"][index]["schedule"] = "looped-bfs";
  document["variants"][index]["chunks"] = 3;
  return document;
}
Json withMemory(Json document, std::size_t) {
  document["devices"][0] = Json{{"id", "cpu:0"}, {"max_memory", "64MiB"}};
  return document;
}
Json withAnotherDevice(Json document, std::size_t) {
  document["devices"].push_back("cpu:8");
  return document;
}
Json withBatch128(Json document, std::size_t) {
  document["data"]["batch_size"] = 128;
  return document;
}

#define EDIT(name, document, edits, edit)                         \
  BENCHMARK_CAPTURE(changeResnet152, name, document, edits, edit) \
      ->Iterations(1)                                             \
      ->Unit(benchmark::kMillisecond)
EDIT(split, placedByHand(1), kEdits, withSplit2);
EDIT(gpipe, placedByHand(1), kEdits, withGpipe);
EDIT(zeroBubble, placedByHand(1), kEdits, withZeroBubble);
EDIT(recompute, placedByHand(1), kEdits, withRecompute);
EDIT(memory, placedByHand(1), kEdits, withMemory);
EDIT(device, placedByHand(1), kEdits, withAnotherDevice);
EDIT(batch, placedByHand(1), kEdits, withBatch128);
EDIT(optimalSplit, resnet152(), kSearchedEdits, withSplit2);
EDIT(optimalDevice, resnet152(), kSearchedEdits, withAnotherDevice);
EDIT(optimalChunks, resnet152(), kSearchedEdits, withChunks);
EDIT(optimalAuto, resnet152(), kSearchedEdits, withAuto);
#undef EDIT

}  // namespace
}  // namespace stagelane::app
