#include "ui/session/session.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "engine/base/json.h"
#include "ui/session/current_legend.h"
#include "ui/session/document/document.h"
#include "ui/session/document/unsaved_work.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/machine.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"

namespace stagelane::ui {
namespace {

Json toy(const char* variant) {
  Json json = Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8, "batches": 1}, "devices": ["cpu:0"],
    "variants": [{"strategy": "single", "device": "cpu:0"}]})");
  json["variants"][0]["name"] = variant;
  return json;
}

TEST(Session, SelectsAndPredictsBeforeAPageHearsOfTheDocument) {
  Session session;
  session.document().load(toy("old"), {}, {});
  QString selected;
  bool known = false;
  QObject::connect(&session.document(), &ExperimentDocument::changed, [&] {
    selected = session.selection().variantId();
    const auto prediction = session.predictor().prediction();
    known = session.predictor().stale() || (prediction && prediction->variantId == "new");
  });
  session.document().load(toy("new"), {}, {});
  EXPECT_EQ(selected, QStringLiteral("new"));
  EXPECT_TRUE(known);
}

TEST(Session, ShowsHowANewRunEndsAlthoughTheLastEndWasDismissed) {
  Session session;
  session.runState().dismissEnd();
  session.results().start("/runs/1", nullptr);
  EXPECT_FALSE(session.runState().endDismissed());
}

TEST(CurrentLegend, TellsOfAnotherFilterOnly) {
  CurrentLegend legend;
  const QSignalSpy changed(&legend, &CurrentLegend::changed);
  legend.set({});
  EXPECT_EQ(changed.size(), 0);
  legend.set({.hiddenCategories = {trace::Category::Forward}});
  EXPECT_EQ(changed.size(), 1);
}

TEST(Machine, AsksForItsDevicesAndTellsThem) {
  Machine machine;
  QObject::connect(&machine, &Machine::devicesRequested, [&machine] {
    machine.setDevices({{DeviceId{"cpu:0"}, QStringLiteral("CPU"), 1}});
  });
  const QSignalSpy changed(&machine, &Machine::devicesChanged);
  machine.requestDevices();
  EXPECT_EQ(changed.size(), 1);
  EXPECT_EQ(machine.devices().size(), 1U);
}

TEST(UnsavedWorkOffer, KeepsWhatCanBeRestoredUntilItIsReplaced) {
  UnsavedWorkOffer offer;
  const QSignalSpy changed(&offer, &UnsavedWorkOffer::changed);
  offer.set(UnsavedWork{QStringLiteral("toy"), QStringLiteral("today")});
  EXPECT_EQ(offer.work()->name, QStringLiteral("toy"));
  offer.set(std::nullopt);
  EXPECT_FALSE(offer.work());
  EXPECT_EQ(changed.size(), 2);
}

}  // namespace
}  // namespace stagelane::ui
