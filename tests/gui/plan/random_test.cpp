// Random edits of a plan with mouse and keys: after each, every chip is in a lane, and after
// undoing all of them, saving writes the original file byte for byte. The seed is random and
// printed; STAGELANE_SEED repeats it. tests/ui/plan/plan_model/plan_random_test.cpp tests the model
// with a thousand operations.

#include <QFile>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

constexpr int kOperations = 60;
constexpr int kMostTabs = 5;

const QString kChip = QStringLiteral("chip.");
const QString kLane = QStringLiteral("lane.");
const QString kTab = QStringLiteral("variant.");

/// As the window writes it.
std::string document() {
  return Json::parse(R"({
    "stagelane": 1, "name": "random",
    "model": {"zoo": "mlp", "depth": 4, "width": 8, "in": 8, "out": 4},
    "input": {"shape": [8]}, "data": {"batch_size": 8, "labels": "normal"},
    "devices": ["cpu:0", "cpu:1", "cpu:2"], "repeat": 1,
    "variants": [
      {"name": "pipe", "strategy": "pipeline", "schedule": "1f1b", "split_size": 2,
       "placement": "optimal"},
      {"name": "same", "strategy": "pipeline", "schedule": "gpipe", "split_size": [2, 4],
       "placement": "same as: pipe"},
      {"name": "single", "strategy": "single", "device": "cpu:0"}]})")
             .dump(2) +
         "\n";
}

unsigned seedOf() {
  const char* given = std::getenv("STAGELANE_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                          : std::random_device()();
}

class RandomPlanInTheWindow : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    m_seed = seedOf();
    m_random.seed(m_seed);
    std::printf("seed %u\n", m_seed);
    ASSERT_TRUE(writeFileAtomically(file().toStdString(), document()));
  }
  [[nodiscard]] QString file() const { return path(QStringLiteral("random.json")); }
  [[nodiscard]] std::string content() const {
    QFile read(file());
    return read.open(QIODevice::ReadOnly) ? read.readAll().toStdString() : std::string();
  }

  std::size_t pick(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(m_random);
  }
  /// A random painted control whose name begins with `prefix`; null if no name does.
  const Control* any(const UiMapFile& map, const QString& prefix) {
    const QStringList names = map.namesThatBegin(prefix);
    return names.isEmpty()
               ? nullptr
               : map.find(
                     names[static_cast<qsizetype>(pick(static_cast<std::size_t>(names.size())))]);
  }

  std::string act() {
    switch (pick(12)) {
      case 0:
      case 1:
      case 2: return drag();
      case 3: return keyOnAChip(QStringLiteral("alt+Down"));
      case 4: return keyOnAChip(QStringLiteral("alt+Up"));
      case 5: return keyOnAChip(QStringLiteral("c"));
      case 6: return keyOnAChip(QStringLiteral("l"));
      case 7: return clickOn(QStringLiteral("cut."));
      case 8: return press(QStringLiteral("ctrl+z"));
      case 9: return press(QStringLiteral("ctrl+shift+z"));
      case 10: return showTab();
      default: return duplicate();
    }
  }

  std::string drag() {
    static const std::array kHeld{QString(), QStringLiteral("shift"), QStringLiteral("alt")};
    const UiMapFile map = m_window.map();
    const Control* chip = any(map, kChip);
    const Control* lane = any(map, kLane);
    if (chip == nullptr || lane == nullptr) return "no drag";
    const QPoint from = chip->rect.center();
    const QString held = kHeld[pick(kHeld.size())];
    m_window.press(from, {from.x(), lane->rect.center().y()}, {.after = held});
    m_window.release();
    return "drag " + chip->name.toStdString() + " to " + lane->name.toStdString() + " with " +
           held.toStdString();
  }
  std::string clickOn(const QString& prefix) {
    const UiMapFile map = m_window.map();
    const Control* control = any(map, prefix);
    if (control == nullptr) return "nothing to click";
    m_window.clickAt(control->rect.center());
    return "click " + control->name.toStdString();
  }
  std::string press(const QString& key) {
    m_window.key(key);
    return key.toStdString();
  }
  std::string keyOnAChip(const QString& key) {
    const std::string chip = clickOn(kChip);
    return chip + ", " + press(key);
  }
  /// Not the current one: a second click on it would be a double click, which edits its name.
  std::string showTab() {
    const UiMapFile map = m_window.map();
    const Control* tab = any(map, kTab);
    if (tab == nullptr || tab->value == QStringLiteral("current")) return "the same tab";
    m_window.clickAt(tab->rect.center());
    return "click " + tab->name.toStdString();
  }
  std::string duplicate() {
    return m_window.map().namesThatBegin(kTab).size() < kMostTabs ? press(QStringLiteral("ctrl+d"))
                                                                  : "enough tabs";
  }

  /// All blocks are there, each in a lane.
  [[nodiscard]] bool isSound() {
    return m_window.waitFor(QStringLiteral("each chip in a lane"), [this](const UiMapFile& map) {
      const QStringList chips = map.namesThatBegin(kChip);
      return chips.size() == m_chips &&
             std::all_of(chips.begin(), chips.end(), [&](const QString& chip) {
               return map.find(kLane + map.valueOf(chip)) != nullptr;
             });
    });
  }
  [[nodiscard]] bool save() {
    m_window.key(QStringLiteral("ctrl+s"));
    return m_window.waitForText(QStringLiteral("hint"), QStringLiteral("Saved"));
  }

  unsigned m_seed = 0;
  qsizetype m_chips = 0;
  std::mt19937 m_random;
};

TEST_F(RandomPlanInTheWindow, SixtyActsUndoneAndSavedAreTheFirstFileByteForByte) {
  ASSERT_TRUE(m_window.open({.file = file(), .size = {1280, 860}}));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("chips"), [](const UiMapFile& map) {
    return map.namesThatBegin(kChip).size() > 3;
  }));
  m_chips = m_window.map().namesThatBegin(kChip).size();
  std::string acts;
  for (int operation = 0; operation < kOperations; ++operation) {
    acts += act() + "\n";
    ASSERT_TRUE(isSound()) << "seed " << m_seed << "\n" << acts;
    if (operation == kOperations / 2) {
      ASSERT_TRUE(save()) << "seed " << m_seed << "\n" << acts;
    }
  }
  for (int step = 0; step < kOperations; ++step) m_window.key(QStringLiteral("ctrl+z"));
  ASSERT_TRUE(
      m_window.waitFor(QStringLiteral("all undone"),
                       [](const UiMapFile& map) { return !map.isEnabled(QStringLiteral("undo")); }))
      << "seed " << m_seed << "\n"
      << acts;
  ASSERT_TRUE(isSound());
  m_window.key(QStringLiteral("ctrl+s"));
  EXPECT_TRUE(m_window.waitFor(QStringLiteral("the first file"),
                               [this](const UiMapFile&) { return content() == document(); }))
      << "seed " << m_seed << "\n"
      << acts << content();
}

}  // namespace
}  // namespace stagelane::gui
