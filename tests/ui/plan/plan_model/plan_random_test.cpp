// A thousand random edits of a plan: after each of them the page's invariants hold, and undoing all
// of them gives the first document byte for byte, with its locks. The seed is random and printed;
// STAGELANE_SEED repeats it.

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/schedule/methods.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/plan/plan_model/plan_problems.h"
#include "ui/plan/plan_model/plan_selection.h"
#include "ui/plan/plan_model/shown_problems.h"
#include "ui/session/document/block_locks.h"
#include "ui/session/document/document.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/document/setting_edits.h"
#include "ui/session/document/tab_edits.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kOperations = 1000;

Json first() {
  return Json::parse(R"({
    "stagelane": 1, "name": "random", "model": {"zoo": "resnet18", "num_classes": 10},
    "input": {"shape": [3, 32, 32]}, "data": {"batch_size": 12, "labels": "one_hot"},
    "devices": {"auto": 2}, "repeat": 1,
    "variants": [
      {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 3,
       "placement": {"conv1": "#0", "bn1": "#0", "relu": "#0", "maxpool": "#0", "layer1": "#0",
                     "layer2": "#0", "layer3": "#1", "layer4": "#1", "avgpool": "#1", "fc": "#1"}},
      {"name": "same", "strategy": "pipeline", "schedule": "gpipe", "split_size": [3, 4],
       "placement": "same as: pipe"},
      {"name": "single", "strategy": "single", "device": "#0"}]})");
}

class Person {
 public:
  explicit Person(unsigned seed) : m_random(seed) {
    m_session.document().load(first(), {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    QObject::connect(&m_session.document(), &ExperimentDocument::refused, m_plan.get(),
                     [this] { ++m_refusals; });
  }

  std::string act() {
    switch (pick(20)) {
      case 0:
      case 1: return move();
      case 2: m_plan->moves().cutAt(1 + pick(blocks() - 1)); return "cut";
      case 3: undo().undo(); return "undo";
      case 4: undo().redo(); return "redo";
      case 5: m_plan->deviceEdits().addCpuWorker(); return "add a worker";
      case 6: return addImagined();
      case 7: m_plan->deviceEdits().remove(device()); return "remove a device";
      case 8: return changeDevice();
      case 9: return schedule();
      case 10: return split();
      case 11: return suggestion();
      case 12: return tab();
      case 13: return strategy();
      case 14: return duplicate();
      case 15: return rename();
      case 16: return removeTab();
      case 17: return setting();
      case 18: return lock();
      default: m_plan->shownProblems().applyFix(); return "fix";
    }
  }

  /// Invariants that the page relies on.
  void check() const {
    const auto experiment = m_session.document().lastReadable();
    ASSERT_TRUE(experiment);
    ASSERT_TRUE(m_plan->ready());
    ASSERT_EQ(m_plan->shape().deviceOfBlock.size(), experiment->model->blocks.size());
    ASSERT_EQ(m_plan->shape().stageBegins.size(), experiment->model->blocks.size());
    ASSERT_TRUE(m_plan->shape().stageBegins.front());
    for (const DeviceId& device : m_plan->shape().deviceOfBlock) {
      ASSERT_GE(m_plan->laneOf(device), 0) << device.value << " has no lane";
    }
    ASSERT_EQ(m_plan->devices().size(), experiment->devices.size());
    if (const plan::Variant* variant = m_session.selection().variant()) {
      ASSERT_EQ(shapeOf(variant->stages, experiment->model->blocks.size()), m_plan->shape());
      const bool known = m_session.predictor().prediction() != nullptr ||
                         m_session.predictor().error() || m_session.predictor().stale();
      ASSERT_TRUE(known);
    }
    for (const PlanProblem& problem : m_plan->shownProblems().all()) {
      ASSERT_FALSE(problem.text.isEmpty());
    }
    ASSERT_EQ(static_cast<std::size_t>(m_session.document().tabs().size()),
              m_session.document().json()["variants"].size());
    ASSERT_NE(m_session.document().tab(m_session.selection().tabId()), nullptr);
    ASSERT_NO_FATAL_FAILURE(checkLocks());
  }

  /// Locked blocks, in any tab, are where they were when they were locked.
  void checkLocks() const {
    const auto experiment = m_session.document().lastReadable();
    for (const VariantTab& tab : m_session.document().tabs()) {
      const BlockLocks locks = m_session.document().lockedBlocks(tab.id);
      for (const QString& id : tab.variantIds) {
        const auto owners = plan::deviceOfEachBlock(experiment->variantById(utf8(id))->stages,
                                                    experiment->model->blocks.size());
        ASSERT_EQ(movedFromLock(locks, *experiment->model, owners), std::nullopt) << utf8(tab.name);
      }
    }
  }

  /// Selects the first tab again, because the selection is not part of undo.
  void showFirstTab() {
    m_session.selection().setTab(QString(m_session.document().tabs().front().id));
  }
  [[nodiscard]] const PlanShape& shape() const { return m_plan->shape(); }
  [[nodiscard]] QString currentTab() const { return m_session.selection().tabId(); }
  [[nodiscard]] QStringList tabs() const {
    QStringList ids;
    for (const VariantTab& tab : m_session.document().tabs()) ids << tab.id;
    return ids;
  }
  [[nodiscard]] std::vector<BlockLocks> lockedBlocks() const {
    std::vector<BlockLocks> locks;
    for (const QString& id : tabs()) locks.push_back(m_session.document().lockedBlocks(id));
    return locks;
  }

  void undoAll() {
    while (undo().canUndo()) undo().undo();
  }
  [[nodiscard]] std::string json() const { return m_session.document().json().dump(); }
  [[nodiscard]] bool modified() const { return m_session.document().modified(); }
  [[nodiscard]] int steps() { return undo().count(); }
  [[nodiscard]] int locksTaken() const { return m_locks; }
  [[nodiscard]] int refusals() const { return m_refusals; }

 private:
  QUndoStack& undo() { return m_session.document().undoStack(); }
  std::size_t pick(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(m_random);
  }
  [[nodiscard]] std::size_t blocks() const { return m_plan->shape().deviceOfBlock.size(); }
  DeviceId device() { return m_plan->devices()[pick(m_plan->devices().size())]; }

  std::string move() {
    const std::size_t block = pick(blocks());
    const auto extent = static_cast<DragExtent>(pick(3));
    const BlockSet set = m_plan->moves().dragSet(block, block, extent);
    const DeviceId target = device();
    m_plan->dropPreview().show(set, target);
    m_plan->dropPreview().clear();
    m_plan->moves().move(set, target);
    return "move";
  }
  std::string addImagined() {
    if (m_plan->devices().size() < 6) {
      m_plan->deviceEdits().add({DeviceId{"sim:" + std::to_string(pick(3))},
                                 Bytes{1} << (20 + pick(12)), DeviceId{"cpu:0"},
                                 pick(2) == 0 ? 0.5 : 2.0});
    }
    return "add an imagined device";
  }
  std::string changeDevice() {
    auto spec = m_plan->deviceEdits().spec(device());
    spec->maxMemory =
        pick(2) == 0 ? std::nullopt : std::optional<Bytes>(Bytes{1} << (22 + pick(10)));
    m_plan->deviceEdits().change(*spec);
    return "change a device";
  }
  std::string schedule() {
    const VariantTab* tab = m_session.document().tab(m_session.selection().tabId());
    const auto& names = schedule::allScheduleNames();
    const std::string& name = names[pick(names.size())];
    if (tab != nullptr && schedule::isPipelineSchedule(name) &&
        m_session.document().json()["variants"][tab->index]["strategy"] == "pipeline") {
      m_session.document().apply(
          QStringLiteral("Schedule"),
          withSchedule(m_session.document().json(), tab->index, qstring(name)));
    }
    return "schedule " + name;
  }
  std::string split() {
    const VariantTab* tab = m_session.document().tab(m_session.selection().tabId());
    if (tab != nullptr &&
        m_session.document().json()["variants"][tab->index]["strategy"] == "pipeline") {
      m_session.document().apply(
          QStringLiteral("Split"),
          withVariantMember(m_session.document().json(), tab->index, "split_size", 2 + pick(11)));
    }
    return "split";
  }
  std::string suggestion() {
    const plan::Variant* variant = m_session.selection().variant();
    const VariantTab* tab = m_session.document().tab(m_session.selection().tabId());
    // They take most of the test's time.
    if (variant == nullptr || tab->sweep() || pick(3) != 0) return "no suggestion";
    const auto found =
        suggestionsFor(*m_session.document().experiment(), *variant, nullptr, [] { return true; });
    if (found && !(*found)->found.empty()) {
      m_plan->moves().applySuggestion((*found)->found[pick((*found)->found.size())]);
    }
    return "suggestion";
  }
  std::string tab() {
    const auto& tabs = m_session.document().tabs();
    m_session.selection().setTab(tabs[pick(tabs.size())].id);
    return "tab";
  }
  std::string lock() {
    const std::size_t block = pick(blocks());
    m_plan->select(block, block);
    m_plan->locks().toggle();
    m_locks += m_plan->locks().locked(block) ? 1 : 0;
    return "lock";
  }

  [[nodiscard]] std::size_t tabIndex() const {
    return m_session.document().tab(m_session.selection().tabId())->index;
  }
  void apply(const char* step, Json document) {
    m_session.document().apply(QString::fromUtf8(step), std::move(document));
  }
  std::string strategy() {
    static const std::array<const char*, 3> kStrategies{"single", "model_parallel", "pipeline"};
    const char* chosen = kStrategies[pick(kStrategies.size())];
    apply("Strategy", withStrategy(m_session.document().json(), tabIndex(),
                                   plan::strategyRow(chosen), m_plan->model(), m_plan->shape()));
    return std::string("strategy ") + chosen;
  }
  std::string duplicate() {
    if (m_session.document().tabs().size() < 6) {
      duplicateTab(m_session.document(), m_session.selection().tabId());
    }
    return "duplicate a tab";
  }
  std::string rename() {
    const QString name = QStringLiteral("tab %1").arg(pick(1000));
    apply("Rename", withRenamedVariant(m_session.document().json(), tabIndex(), name));
    return "rename a tab";
  }
  std::string removeTab() {
    if (m_session.document().tabs().size() > 2) {
      ui::removeTab(m_session.document(), m_session.selection().tabId());
    }
    return "delete a tab";
  }
  std::string setting() {
    Json document = m_session.document().json();
    switch (pick(5)) {
      case 4:
        if (document["variants"][tabIndex()]["strategy"] != "single") {
          document["variants"][tabIndex()].erase("stages");
          document = withVariantMember(document, tabIndex(), "placement", "optimal");
        }
        break;
      case 0: document = withMember(document, {"data", "batch_size"}, 12 + pick(20)); break;
      case 1: document = withMember(document, {"repeat"}, 1 + pick(9)); break;
      case 2: document = withDtype(document, pick(2) == 0 ? "float64" : "float32"); break;
      default: document = withOptimizerKind(document, pick(2) == 0 ? "adam" : "sgd"); break;
    }
    apply("Setting", std::move(document));
    return "setting";
  }

  std::mt19937 m_random;
  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
  int m_locks = 0;
  int m_refusals = 0;  ///< of edits that would move a locked block
};

unsigned seedOf() {
  if (const char* given = std::getenv("STAGELANE_SEED")) {
    return static_cast<unsigned>(std::strtoul(given, nullptr, 10));
  }
  return std::random_device()();
}

TEST(RandomPlan, AThousandOperationsKeepItSoundAndUndoneEndInTheFirstStateByteForByte) {
  const unsigned seed = seedOf();
  std::printf("seed %u\n", seed);
  Person person(seed);
  const std::string before = person.json();
  const QStringList tabs = person.tabs();
  const std::vector<BlockLocks> locks = person.lockedBlocks();
  const PlanShape shape = person.shape();
  for (int operation = 0; operation < kOperations; ++operation) {
    const std::string what = person.act();
    ASSERT_NO_FATAL_FAILURE(person.check())
        << "seed " << seed << ", operation " << operation << ": " << what << "\n"
        << person.json();
    if (operation % 50 == 0) QCoreApplication::processEvents();
  }
  EXPECT_GT(person.steps(), 20);
  EXPECT_GT(person.locksTaken(), 5);
  EXPECT_GT(person.refusals(), 5);
  person.undoAll();
  ASSERT_NO_FATAL_FAILURE(person.check());
  EXPECT_EQ(person.json(), before) << "seed " << seed;
  EXPECT_TRUE(person.tabs() == tabs) << "seed " << seed;
  EXPECT_TRUE(person.lockedBlocks() == locks) << "seed " << seed;
  EXPECT_TRUE(tabs.contains(person.currentTab())) << "seed " << seed;
  person.showFirstTab();
  EXPECT_EQ(person.shape(), shape) << "seed " << seed;
  EXPECT_FALSE(person.modified());
}

}  // namespace
}  // namespace stagelane::ui
