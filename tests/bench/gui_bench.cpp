// How long an edit of the plan takes to be seen: from the edit to the moment at which lanes,
// inspector and predicted timeline have been painted with the new prediction, in the real window,
// offscreen. ResNet-152 on eight devices with 64 micro-batches (budget 16 ms), and the first
// start's ResNet-50. `hover` is the same for a mouse that drags a chip from lane to lane.
// `median_ms`, `p95_ms` and `worst_ms` are of 60 edits.
//
//   ./dev bench gui

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>

#include "app/main_window.h"
#include "engine/base/quantile.h"
#include "ui/models/formatting.h"
#include "ui/models/plan_edits.h"
#include "ui/widgets/virtual_controls.h"

namespace stagelane::app {
namespace {

constexpr int kEdits = 60;
constexpr int kMomentMs = 100;

Json resnet152() {
  Json devices = Json::array();
  for (int device = 0; device < 8; ++device) {
    devices.push_back("cpu:" + std::to_string(device));
  }
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
    for (QWidget* widget : widgets) {
      widget->installEventFilter(this);
    }
  }
  void begin() { m_open = m_widgets; }
  [[nodiscard]] bool done() const { return m_open.isEmpty(); }
  std::function<bool()> ready;  ///< paintings before it holds do not count

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
    m_window = std::make_unique<MainWindow>(options);
    m_window->resize(1600, 900);
    (void)m_window->openFirst();
    m_window->show();
    m_window->session().setCurrentTab(QStringLiteral("pipe"));
    settle();
    m_lanes = widget("lanes");
    m_watch = std::make_unique<PaintWatch>(QList<QWidget*>{m_lanes, widget("predictedTimeline")});
  }

  /// Moves the first stage's last block there and back again: an edit as a drop makes it.
  double edit(int number) {
    ui::Session& session = m_window->session();
    const auto before = session.prediction();
    const plan::Variant* variant = session.currentVariant();
    const model::ModelPtr model = session.experiment()->model;
    ui::PlanShape shape = ui::shapeOf(variant->stages, model->blocks.size());
    const std::size_t cut = variant->stages[1].firstBlock;
    shape = ui::cutBefore(shape, number % 2 == 0 ? cut - 1 : cut + 1,
                          {variant->stages[0].device, variant->stages[1].device});
    const std::size_t index = session.document().tab(session.currentTabId())->index;
    m_watch->ready = [&] { return session.prediction() != before && !session.predictionStale(); };
    return timed([&] {
      session.document().apply(QStringLiteral("Move"),
                               ui::withShape(session.document().json(), index, *model, shape));
    });
  }

  /// Drags the chip at the first cut over the lanes, one after the other.
  double hover(int number) {
    const QRect chip = control(QStringLiteral("chip.conv1"));
    if (number == 0) {
      mouse(QEvent::MouseButtonPress, chip.center());
      mouse(QEvent::MouseMove, chip.center() + QPoint(0, 20));
      settle();
    }
    const int lane = 1 + number % 2;
    const QRect target = control(QStringLiteral("lane.cpu:%1").arg(lane));
    m_watch->ready = [] { return true; };
    const double ms =
        timed([&] { mouse(QEvent::MouseMove, QPoint(chip.center().x(), target.center().y())); });
    if (number == kEdits - 1) {
      mouse(QEvent::MouseButtonRelease, chip.center());
    }
    return ms;
  }

 private:
  [[nodiscard]] QWidget* widget(const char* name) const {
    return m_window->findChild<QWidget*>(QString::fromLatin1(name));
  }
  [[nodiscard]] QRect control(const QString& name) const {
    for (const ui::VirtualControl& control :
         dynamic_cast<ui::VirtualControlSource*>(m_lanes)->virtualControls()) {
      if (control.name == name) {
        return control.rect;
      }
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
  /// A moment between two edits, as a person has it who tries one place after the other.
  void settle() {
    QElapsedTimer timer;
    timer.start();
    do {
      QApplication::processEvents(QEventLoop::AllEvents, 10);
    } while ((m_window->session().predictionStale() || timer.elapsed() < kMomentMs) &&
             timer.elapsed() < 60'000);
  }
  double timed(const std::function<void()>& act) {
    QElapsedTimer timer;
    timer.start();
    m_watch->begin();
    act();
    while (!m_watch->done() && timer.elapsed() < 5000) {
      QApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
    }
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
};

void report(benchmark::State& state, std::vector<double> times) {
  state.counters["median_ms"] = quantile(times, 0.5);
  state.counters["p95_ms"] = quantile(times, 0.95);
  state.counters["worst_ms"] = quantile(times, 1.0);
}

void measureEdits(benchmark::State& state, const Json& document, double (Bench::*act)(int)) {
  for (auto round : state) {
    (void)round;
    Bench bench(document);
    std::vector<double> times;
    for (int number = 0; number < kEdits; ++number) {
      times.push_back((bench.*act)(number));
    }
    report(state, std::move(times));
  }
}

void editResnet152(benchmark::State& state) { measureEdits(state, resnet152(), &Bench::edit); }
void hoverResnet152(benchmark::State& state) { measureEdits(state, resnet152(), &Bench::hover); }
BENCHMARK(editResnet152)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(hoverResnet152)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stagelane::app
