// The places in a program that order something, and leaving them out.

#include "tests/support/async_device/sites.h"

#include "tests/async_device/async_fixture.h"

namespace stagelane::async_device::test {

// With names in the symbol table and frames of their own.
[[gnu::noinline]] void letSecondWait(const c10::Event& event, const c10::Stream& second) {
  second.wait(event);
}
[[gnu::noinline]] void waitOnTheHost(const c10::Event& event) { event.synchronize(); }
[[gnu::noinline]] void waitForTheStream(const c10::Stream& stream) { stream.synchronize(); }
[[gnu::noinline]] void waitForTheDevice() { guard().synchronizeDevice(0); }
[[gnu::noinline]] bool asksTheEvent(const c10::Event& event) { return event.query(); }
[[gnu::noinline]] void markUse(const at::Tensor& tensor, const c10::Stream& stream) {
  tensor.record_stream(stream);
}

/// One call of each kind.
struct Program {
  void run() {
    const at::Tensor x = at::full({1000}, 0.0, at::TensorOptions(device()));
    waitForTheDevice();
    const c10::Stream first = newStream();
    const c10::Stream second = newStream();
    c10::Event written = newEvent();
    {
      const c10::StreamGuard onStream(first);
      x.add_(1);
      written.record(first);
    }
    letSecondWait(written, second);
    {
      const c10::StreamGuard onStream(second);
      seen = x.clone();
    }
    markUse(x, second);
    waitForTheStream(second);
    waitOnTheHost(written);
    EXPECT_TRUE(asksTheEvent(written));
  }
  at::Tensor seen;
};

class SitesOfAProgram : public AsyncDevice {
 protected:
  void TearDown() override {
    watchSites(false);
    AsyncDevice::TearDown();
  }

  static std::vector<Site> seenInOneRun() {
    watchSites(true);
    Program().run();
    std::vector<Site> seen = seenSites();
    watchSites(false);
    return seen;
  }

  /// The site whose name has that word.
  static Site siteOf(const std::string& word) {
    for (const Site& site : seenInOneRun()) {
      if (nameOf(site).find(word) != std::string::npos) return site;
    }
    ADD_FAILURE() << "no site in " << word;
    return {};
  }
};

TEST_F(SitesOfAProgram, AreItsCallsByKindAndFunction) {
  const std::vector<std::string> names = namesOf(seenInOneRun());
  EXPECT_THAT(names, testing::UnorderedElementsAre(
                         HasSubstr("event block in async_device::test::letSecondWait"),
                         HasSubstr("event synchronize in async_device::test::waitOnTheHost"),
                         HasSubstr("event query in async_device::test::asksTheEvent"),
                         HasSubstr("stream synchronize in async_device::test::waitForTheStream"),
                         HasSubstr("device synchronize in async_device::test::waitForTheDevice"),
                         HasSubstr("record_stream in async_device::test::markUse")));
  EXPECT_THAT(names, Each(HasSubstr(", from async_device::test::Program::run")));
}

TEST_F(SitesOfAProgram, AreCounted) {
  watchSites(true);
  Program program;
  for (int i = 0; i < 3; ++i) program.run();
  ASSERT_EQ(seenSites().size(), 6U);
  for (const Site& site : seenSites()) EXPECT_EQ(site.count, 3U) << nameOf(site);
  EXPECT_EQ(leftOutCalls(), 0U);
}

TEST_F(SitesOfAProgram, AreTheCallersOfFunctionsThatPassCallsOn) {
  passThrough({"letSecondWait"});
  const std::vector<std::string> names = namesOf(seenInOneRun());
  passThrough({});
  EXPECT_THAT(names, Contains(HasSubstr("event block in async_device::test::Program::run")));
  EXPECT_THAT(names, Not(Contains(HasSubstr("letSecondWait"))));
}

TEST_F(SitesOfAProgram, AreNotThoseOfLibTorch) {
  watchSites(true);
  const at::Tensor x = at::full({1000}, 1.0, at::TensorOptions(device())).requires_grad_(true);
  const at::Tensor there = x.to(device(1)).to(at::kCPU);
  there.sum().backward();
  EXPECT_EQ(x.grad().sum().item<double>(), 1000.0);
  c10::Event from = newEvent();
  from.record(guard().getStream(device()));
  c10::Event to = newEvent();
  to.record(guard().getStream(device()));
  const c10::Event& later = to;
  later.synchronize();
  EXPECT_GE(from.elapsedTime(to), 0.0);
  EXPECT_THAT(namesOf(seenSites()), testing::ElementsAre(HasSubstr("event synchronize in")));
}

TEST_F(SitesOfAProgram, ABlockThatIsLeftOutOrdersNothing) {
  leaveOut(siteOf("letSecondWait").key);
  stallOperator(0, "aten::add_");
  Program program;
  std::thread later([] {
    waitUntilStalled();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    release(0);
  });
  program.run();
  later.join();
  EXPECT_EQ(leftOutCalls(), 1U);
  EXPECT_THAT(takeRaces(), Not(IsEmpty()));
  EXPECT_EQ(program.seen.sum().item<double>(), 0.0);
  leaveOut(std::nullopt);
  program.run();
  EXPECT_EQ(program.seen.sum().item<double>(), 1000.0);
  EXPECT_THAT(takeRaces(), IsEmpty());
}

TEST_F(SitesOfAProgram, AreLeftOutTogether) {
  std::vector<SiteKey> keys;
  for (const Site& site : seenInOneRun()) {
    if (site.key.kind != SiteKind::DeviceSynchronize) keys.push_back(site.key);
  }
  leaveOutAll(keys);
  Program().run();
  EXPECT_EQ(leftOutCalls(), 5U);
  EXPECT_THAT(takeRaces(), Not(IsEmpty()));
  leaveOutAll({});
  Program().run();
  EXPECT_EQ(leftOutCalls(), 0U);
}

TEST_F(SitesOfAProgram, AUseThatIsNotRecordedIsSeen) {
  // Without the wait of the host the free comes while the second stream may read.
  const auto run = [] {
    at::Tensor x = filled(1);
    const c10::Stream second = newStream();
    {
      const c10::StreamGuard onStream(second);
      static_cast<void>(x.neg());
    }
    markUse(x, second);
  };
  watchSites(true);
  run();
  guard().synchronizeDevice(0);
  EXPECT_THAT(takeRaces(), IsEmpty());
  for (const Site& site : seenSites()) {
    if (site.key.kind == SiteKind::RecordStream) leaveOut(site.key);
  }
  run();
  EXPECT_EQ(leftOutCalls(), 1U);
  EXPECT_THAT(takeRaces(), Not(IsEmpty()));
}

TEST_F(SitesOfAProgram, ASynchronizeThatIsLeftOutReturnsAtOnce) {
  for (const char* name : {"waitForTheStream", "waitOnTheHost", "waitForTheDevice"}) {
    leaveOut(siteOf(name).key);
    const at::Tensor x = filled(1);
    c10::Event event = newEvent();
    stallOperator(0, "aten::neg");
    static_cast<void>(x.neg());
    event.record(guard().getStream(device()));
    // These calls come from another place than the one that is left out.
    EXPECT_FALSE(guard().queryStream(guard().getStream(device())));
    EXPECT_FALSE(event.query());
    release(0);
    event.synchronize();
    EXPECT_EQ(leftOutCalls(), 0U);
    Program().run();
    EXPECT_EQ(leftOutCalls(), 1U) << name;
    leaveOut(std::nullopt);
    guard().synchronizeDevice(0);
    static_cast<void>(takeRaces());
  }
}

}  // namespace stagelane::async_device::test
