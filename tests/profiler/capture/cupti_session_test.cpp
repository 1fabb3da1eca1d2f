// The order in which a session calls CUPTI, and the result of each failure. CUPTI is replaced here,
// because there may be no GPU.

#include "profiler/capture/cupti_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "engine/trace/recorder.h"
#include "engine/trace/trace_builder.h"
#include "profiler/capture/action_id.h"
#include "profiler/capture/cupti_records.h"

namespace stagelane::capture::detail {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string kindText(CUpti_ActivityKind kind) { return std::to_string(static_cast<int>(kind)); }

/// The calls in order, and their results; outlives the session.
struct Play {
  std::vector<std::string> calls;
  std::map<std::string, CUptiResult> answers;  ///< CUPTI_SUCCESS for others
  std::string whyNot;
  bool gpusHang = false;
  std::size_t dropped = 0;
  CUpti_TimestampCallbackFunc clock = nullptr;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  /// Called by the flush, when CUPTI hands over its buffers.
  std::function<void()> atFlush;
  /// Called before a kind is disabled.
  std::function<void()> atDisable;
  /// Called before a record is read, in the thread that reads.
  std::function<void()> atRecord;

  CUptiResult said(const std::string& call) {
    calls.push_back(call);
    const auto found = answers.find(call);
    return found == answers.end() ? CUPTI_SUCCESS : found->second;
  }
  [[nodiscard]] std::ptrdiff_t at(const std::string& call) const {
    const auto found = std::find(calls.begin(), calls.end(), call);
    EXPECT_NE(found, calls.end()) << call << " was not called";
    return found - calls.begin();
  }
  /// Fills a buffer as CUPTI would and hands it over.
  void deliver(const std::vector<CUpti_ActivityKernel10>& kernels) const {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t most = 99;
    request(&buffer, &size, &most);
    ASSERT_NE(buffer, nullptr);
    EXPECT_EQ(most, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer) % 8, 0U);
    const std::size_t bytes = kernels.size() * sizeof(CUpti_ActivityKernel10);
    ASSERT_GE(size, bytes);
    std::copy_n(reinterpret_cast<const std::uint8_t*>(kernels.data()), bytes, buffer);
    complete(nullptr, 0, buffer, size, bytes);
  }
};

class PlayedCupti final : public CuptiCalls {
 public:
  explicit PlayedCupti(Play& play) : m_play(play), m_linked(makeCuptiCalls()) {}
  std::string whyNot() override { return m_play.whyNot; }
  CUptiResult registerClock(CUpti_TimestampCallbackFunc clock) override {
    m_play.clock = clock;
    return m_play.said("clock");
  }
  CUptiResult useSystemThreads() override { return m_play.said("threads"); }
  CUptiResult registerBuffers(CUpti_BuffersCallbackRequestFunc request,
                              CUpti_BuffersCallbackCompleteFunc complete) override {
    m_play.request = request;
    m_play.complete = complete;
    return m_play.said("buffers");
  }
  CUptiResult enable(CUpti_ActivityKind kind) override {
    return m_play.said("enable " + kindText(kind));
  }
  CUptiResult enableAndDump(CUpti_ActivityKind kind) override {
    return m_play.said("enable " + kindText(kind));
  }
  CUptiResult disable(CUpti_ActivityKind kind) override {
    if (m_play.atDisable) m_play.atDisable();
    return m_play.said("disable " + kindText(kind));
  }
  CUptiResult traceRuntimeCall(CUpti_CallbackId /*call*/, bool traced) override {
    return m_play.said(traced ? "runtime call" : "no runtime call");
  }
  CUptiResult traceDriverCall(CUpti_CallbackId /*call*/, bool traced) override {
    return m_play.said(traced ? "driver call" : "no driver call");
  }
  Status synchronizeGpus() override {
    static_cast<void>(m_play.said("synchronize"));
    return m_play.gpusHang ? fail(ErrorCode::EngineFailure, "the GPU has fallen off the bus")
                           : Status{};
  }
  CUptiResult flushAll(std::uint32_t flags) override {
    const CUptiResult result =
        m_play.said(flags == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED ? "forced flush" : "flush");
    if (m_play.atFlush) m_play.atFlush();
    return result;
  }
  CUptiResult droppedRecords(std::size_t& count) override {
    count = m_play.dropped;
    return m_play.said("dropped");
  }
  CUptiResult nextRecord(std::uint8_t* buffer, std::size_t size, CUpti_Activity*& record) override {
    if (m_play.atRecord) m_play.atRecord();
    return m_linked->nextRecord(buffer, size, record);
  }
  std::string textOf(CUptiResult result) override {
    return "ERROR_" + std::to_string(static_cast<int>(result));
  }

 private:
  Play& m_play;
  std::unique_ptr<CuptiCalls> m_linked;
};

class CuptiSessions : public ::testing::Test {
 protected:
  CuptiSessions() {
    CaptureConfig config;
    config.devices = {"cuda:0"};
    config.originNs = trace::monotonicNs();
    EXPECT_TRUE(m_session->configure(config));
  }

  CUpti_ActivityKernel10 kernelNow() {
    CUpti_ActivityKernel10 kernel{};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.start = m_play.clock();
    kernel.end = kernel.start + 10;
    kernel.streamId = 7;
    kernel.name = "_Z3addPf";
    return kernel;
  }
  Result<CaptureReport> stop() {
    trace::TraceBuilder builder;
    auto report = m_session->stop(builder);
    m_trace = std::move(builder).build();
    return report;
  }

  Play m_play;
  std::unique_ptr<CaptureSession> m_session =
      makeCuptiSession(std::make_unique<PlayedCupti>(m_play));
  trace::TracePtr m_trace;
};

TEST_F(CuptiSessions, RegisterTheClockAndTheBuffersBeforeAnythingIsEnabled) {
  ASSERT_TRUE(m_session->start());
  EXPECT_THAT(std::vector<std::string>(m_play.calls.begin(), m_play.calls.begin() + 3),
              ElementsAre("clock", "threads", "buffers"));
  const TimeNs before = trace::monotonicNs();
  const auto now = static_cast<TimeNs>(m_play.clock());
  EXPECT_GE(now, before);
  EXPECT_LE(now, trace::monotonicNs());
}

TEST_F(CuptiSessions, NeverEnableTheKindThatSerialisesKernels) {
  ASSERT_TRUE(m_session->start());
  EXPECT_THAT(m_play.calls, Not(Contains("enable " + kindText(CUPTI_ACTIVITY_KIND_KERNEL))));
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
        CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_OVERHEAD,
        CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
        CUPTI_ACTIVITY_KIND_CONTEXT}) {
    EXPECT_THAT(m_play.calls, Contains("enable " + kindText(kind)));
  }
}

TEST_F(CuptiSessions, SynchroniseThenFlushThenDisable) {
  ASSERT_TRUE(m_session->start());
  ASSERT_TRUE(stop());
  const std::string off = "disable " + kindText(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  EXPECT_LT(m_play.at("synchronize"), m_play.at("forced flush"));
  EXPECT_LT(m_play.at("forced flush"), m_play.at(off));
  const auto enabled =
      std::count_if(m_play.calls.begin(), m_play.calls.end(),
                    [](const auto& call) { return call.rfind("enable ", 0) == 0; });
  const auto disabled =
      std::count_if(m_play.calls.begin(), m_play.calls.end(),
                    [](const auto& call) { return call.rfind("disable ", 0) == 0; });
  EXPECT_EQ(enabled, disabled);
}

TEST_F(CuptiSessions, PlaceWhatTheBuffersHold) {
  ASSERT_TRUE(m_session->start());
  m_play.deliver({kernelNow(), kernelNow()});
  m_play.atFlush = [this] { m_play.deliver({kernelNow()}); };
  const auto report = stop();
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->events, 3U);
  EXPECT_EQ(report->dropped, 0U);
  EXPECT_EQ(report->problem, "");
  ASSERT_EQ(m_trace->size(), 3U);
  EXPECT_EQ(m_trace->event(0).name, "add(float*)");
  EXPECT_GE(m_trace->event(0).startNs, 0);
}

TEST_F(CuptiSessions, HandOutAndTakeBuffersWhileAnotherIsRead) {
  std::promise<void> begun;
  std::promise<void> mayGoOn;
  m_play.atRecord = [&, once = std::make_shared<std::once_flag>(),
                     gate = mayGoOn.get_future().share()] {
    std::call_once(*once, [&begun] { begun.set_value(); });
    gate.wait();
  };
  ASSERT_TRUE(m_session->start());
  // CUPTI's own thread hands buffers over; the program's threads ask for the next ones.
  std::thread cupti([this] { m_play.deliver({kernelNow()}); });
  begun.get_future().wait();
  std::future<void> program = std::async(std::launch::async, [this] {
    m_play.deliver({kernelNow(), kernelNow()});
  });
  constexpr auto kPatience = std::chrono::seconds(10);
  EXPECT_EQ(program.wait_for(kPatience), std::future_status::ready)
      << "a launch waits until a buffer has been read";
  mayGoOn.set_value();
  cupti.join();
  program.get();
  const auto report = stop();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->events, 3U) << "and what was handed over is still read";
}

TEST_F(CuptiSessions, ReadAllBuffersBeforeAnythingIsDisabled) {
  // The names in the records are CUPTI's.
  std::atomic<bool> disabled{false};
  std::atomic<int> late{0};
  m_play.atDisable = [&disabled] { disabled = true; };
  m_play.atRecord = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    late += disabled ? 1 : 0;
  };
  ASSERT_TRUE(m_session->start());
  m_play.atFlush = [this] { m_play.deliver({kernelNow(), kernelNow()}); };
  const auto report = stop();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->events, 2U);
  EXPECT_EQ(late, 0);
}

TEST_F(CuptiSessions, CountWhatCuptiDropped) {
  m_play.dropped = 12;
  ASSERT_TRUE(m_session->start());
  const auto report = stop();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->dropped, 12U);
  EXPECT_EQ(m_trace->droppedEvents(), 12U);
  EXPECT_THAT(report->problem, HasSubstr("12"));
}

TEST_F(CuptiSessions, KeepNoMoreThanTheConfigAllows) {
  CaptureConfig config;
  config.devices = {"cuda:0"};
  config.mostEventsPerThread = 2;
  ASSERT_TRUE(m_session->configure(config));
  ASSERT_TRUE(m_session->start());
  m_play.deliver({kernelNow(), kernelNow(), kernelNow()});
  const auto report = stop();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->events, 2U);
  EXPECT_EQ(report->dropped, 1U);
}

TEST_F(CuptiSessions, ObserveActionsOnlyWhileTheyRecord) {
  EXPECT_EQ(trace::actionObserver(), nullptr);
  ASSERT_TRUE(m_session->start());
  EXPECT_NE(trace::actionObserver(), nullptr);
  { const trace::ActionScope scope(StageId{1}, MicroBatchId{2}); }  // CUPTI may refuse the id
  ASSERT_TRUE(stop());
  EXPECT_EQ(trace::actionObserver(), nullptr);
}

TEST_F(CuptiSessions, WithoutAGpuDoNotStartAndSayWhy) {
  m_play.whyNot = "no NVIDIA driver";
  const Status status = m_session->start();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::EngineFailure);
  EXPECT_THAT(status.error().message, HasSubstr("no NVIDIA driver"));
  EXPECT_THAT(m_play.calls, ElementsAre());
  EXPECT_FALSE(stop()) << "what was not started cannot be stopped";
}

TEST_F(CuptiSessions, OfEachStepThatFailsSayWhichAndLeaveNothingEnabled) {
  std::vector<std::string> steps = {"clock", "threads", "buffers"};
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION}) {
    steps.push_back("enable " + kindText(kind));
  }
  for (const std::string& step : steps) {
    m_play.calls.clear();
    m_play.answers = {{step, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES}};
    const Status status = m_session->start();
    ASSERT_FALSE(status) << step;
    EXPECT_THAT(status.error().message, AllOf(HasSubstr("cupti"), HasSubstr("ERROR_35"))) << step;
    EXPECT_EQ(trace::actionObserver(), nullptr);
    for (const std::string& call : m_play.calls) {
      if (call.rfind("enable ", 0) == 0 && call != step) {
        EXPECT_THAT(m_play.calls, Contains("disable " + call.substr(7))) << step;
      }
    }
  }
  m_play.answers.clear();
  EXPECT_TRUE(m_session->start()) << "a failure leaves the next try free";
}

TEST_F(CuptiSessions, OfAnotherProfilerSayToEndIt) {
  m_play.answers = {{"clock", CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED}};
  const Status status = m_session->start();
  ASSERT_FALSE(status);
  EXPECT_THAT(describe(status.error()), HasSubstr("Nsight"));
}

TEST_F(CuptiSessions, RecordEvenWhereSingleCallsCannotBeChosen) {
  m_play.answers = {{"no runtime call", CUPTI_ERROR_NOT_INITIALIZED},
                    {"driver call", CUPTI_ERROR_INVALID_PARAMETER}};
  EXPECT_TRUE(m_session->start());
}

TEST_F(CuptiSessions, WhatFailsAtTheStopIsNoTraceAndLeavesNothingEnabled) {
  for (const std::string step : {"synchronize", "forced flush", "dropped"}) {
    ASSERT_TRUE(m_session->start()) << step;
    m_play.calls.clear();
    m_play.gpusHang = step == "synchronize";
    m_play.answers = {{step, CUPTI_ERROR_UNKNOWN}};
    const auto report = stop();
    ASSERT_FALSE(report) << step;
    EXPECT_THAT(report.error().message, HasSubstr(m_play.gpusHang ? "off the bus" : "ERROR_999"));
    EXPECT_EQ(m_trace->size(), 0U);
    EXPECT_THAT(m_play.calls,
                Contains("disable " + kindText(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)));
    EXPECT_EQ(trace::actionObserver(), nullptr);
    m_play.answers.clear();
    m_play.gpusHang = false;
  }
}

TEST_F(CuptiSessions, OnlyOneRecordsAtATime) {
  Play other;
  const auto second = makeCuptiSession(std::make_unique<PlayedCupti>(other));
  ASSERT_TRUE(m_session->start());
  EXPECT_FALSE(second->start());
  EXPECT_FALSE(m_session->start());
  ASSERT_TRUE(stop());
  EXPECT_TRUE(second->start());
}

TEST_F(CuptiSessions, ThatAreForgottenEndTheirRecording) {
  ASSERT_TRUE(m_session->start());
  m_session.reset();
  EXPECT_EQ(trace::actionObserver(), nullptr);
  EXPECT_THAT(m_play.calls, Contains("disable " + kindText(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)));
}

TEST_F(CuptiSessions, ABufferThatComesTooLateIsFreedAndForgotten) {
  ASSERT_TRUE(m_session->start());
  const CUpti_ActivityKernel10 kernel = kernelNow();
  ASSERT_TRUE(stop());
  m_play.deliver({kernel});
  ASSERT_TRUE(m_session->start());
  const auto report = stop();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->events, 0U);
}

}  // namespace
}  // namespace stagelane::capture::detail
