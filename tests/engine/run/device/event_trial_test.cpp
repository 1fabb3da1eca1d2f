#include "engine/run/device/event_trial.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/run/device/fake_events.h"

namespace stagelane::run {
namespace {

bool work(FakeEvent::Behavior behavior) {
  int next = 0;
  return eventsWork(fakeEvents(behavior, next), anyStream(), anyStream());
}

TEST(EventTrial, PassesEventsThatAreReachedAndTimed) { EXPECT_TRUE(work({})); }

TEST(EventTrial, RefusesEventsThatTheStreamRefuses) {
  FakeEvent::Behavior behavior;
  behavior.refusesToRecord = true;
  EXPECT_FALSE(work(behavior));
}

TEST(EventTrial, RefusesEventsThatAreNotReachedAfterAWait) {
  FakeEvent::Behavior behavior;
  behavior.isReached = false;
  EXPECT_FALSE(work(behavior));
}

TEST(EventTrial, RefusesEventsWithWrongTimes) {
  FakeEvent::Behavior behavior;
  for (const double step :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    behavior.stepMs = step;
    EXPECT_FALSE(work(behavior)) << step;
  }
}

}  // namespace
}  // namespace stagelane::run
