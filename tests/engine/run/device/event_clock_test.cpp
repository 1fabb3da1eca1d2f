#include "engine/run/device/event_clock.h"

#include <gtest/gtest.h>

#include "engine/run/device/cpu_backend.h"
#include "tests/engine/run/device/fake_events.h"

namespace stagelane::run {
namespace {

TEST(EventClock, ConvertsElapsedTimesIntoTheHostsClock) {
  int next = 0;
  EventClock clock(fakeEvents({}, next));
  const TimeNs before = monotonicNs();
  clock.start(anyStream());
  const TimeNs after = monotonicNs();
  const int recorded = next;
  const auto first = clock.mark(anyStream());
  const auto second = clock.mark(anyStream());
  EXPECT_EQ(second->timeNs() - first->timeNs(), 1'000'000);
  // The reference is one of the events that were recorded at the start.
  EXPECT_GE(first->timeNs(), before + 1'000'000);
  EXPECT_LE(first->timeNs(), after + recorded * 1'000'000);
}

TEST(EventClock, KeepsAReferenceThatIsNotOld) {
  int next = 0;
  EventClock clock(fakeEvents({}, next));
  clock.start(anyStream());
  const int recorded = next;
  clock.renew(anyStream());
  EXPECT_EQ(next, recorded);
}

TEST(EventClock, AMarkerIsReachedWhenItsEventIs) {
  int next = 0;
  FakeEvent::Behavior stuck;
  stuck.isReached = false;
  EventClock clock(fakeEvents(stuck, next));
  clock.start(anyStream());
  EXPECT_FALSE(clock.mark(anyStream())->reached());
  EXPECT_FALSE(clock.mark(anyStream())->wait([] { return true; }));
}

}  // namespace
}  // namespace stagelane::run
