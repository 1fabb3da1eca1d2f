#include "engine/run/measure/recorded_turns.h"

#include <gmock/gmock.h>

#include "engine/run/loop/run_loop.h"
#include "engine/trace/lost_records.h"
#include "engine/trace/trace_builder.h"
#include "tests/engine/run/run_fixture.h"

namespace stagelane::run {
namespace {

/// A capture that records one event a turn.
struct FakeCapture {
  int starts = 0;
  bool running = false;
  bool fails = false;

  CapturePort port() {
    CapturePort port;
    port.start = [this](const std::vector<std::string>& devices, TimeNs) -> Status {
      EXPECT_EQ(devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
      EXPECT_FALSE(running);
      if (fails) return fail(ErrorCode::EngineFailure, "no recording today");
      ++starts;
      running = true;
      return {};
    };
    port.stop = [this]() -> Result<CapturePort::Captured> {
      EXPECT_TRUE(running);
      running = false;
      trace::TraceBuilder builder;
      trace::TraceBuilder::NewEvent event;
      event.name = "aten::linear";
      event.category = trace::Category::Operator;
      event.durationNs = 5;
      event.track = builder.track(builder.device("cpu:1"), trace::TrackKind::Operators, "ops");
      builder.add(event);
      builder.addDropped(3);
      return CapturePort::Captured{std::move(builder).build(), "3 did not fit"};
    };
    port.eventCostNs = [] { return 100.0; };
    return port;
  }
};

struct Ran {
  std::vector<std::pair<std::string, Json>> events;
  std::map<std::string, trace::TracePtr> traces;
  record::VariantResult result;
};

Ran run(const std::string& depth, FakeCapture& capture, int repeats = 3) {
  Ran ran;
  const plan::Experiment experiment = test::experimentOf(test::toy(
      "8", R"("trace":")" + depth + R"(","repeat":)" + std::to_string(repeats) +
               R"(,"variants":[{"name":"p","strategy":"pipeline","schedule":"gpipe","split_size":4,
               "stages":[{"first":"net1","device":"cpu:0"},{"first":"relu","device":"cpu:1"}]}])"));
  RunPorts ports;
  ports.event = [&ran](const std::string& event, Json members) -> Status {
    ran.events.emplace_back(event, std::move(members));
    return {};
  };
  ports.storeTrace = [&ran](const std::string& id, const trace::Trace& trace) -> Status {
    ran.traces[id] = std::make_shared<const trace::Trace>(trace);
    return {};
  };
  ports.capture = capture.port();
  RunLoop loop(experiment, ports);
  EXPECT_TRUE(loop.run());
  return ran;
}

Json resultOf(const Ran& ran) {
  for (const auto& [event, members] : ran.events) {
    if (event == "variant_done") return members.at("result");
  }
  return {};
}

TEST(RecordedTurns, AreBesideTheTimedOnesAndInTheTraceAsExtraSteps) {
  FakeCapture capture;
  const Ran ran = run("ops", capture);
  EXPECT_EQ(capture.starts, 6) << "three of the pipeline and three of single, all cores";
  const Json result = resultOf(ran);
  EXPECT_EQ(result.at("seconds").size(), 3U) << "recorded turns are no measurements";
  ASSERT_EQ(ran.traces.count("p"), 1U);
  const trace::Trace& trace = *ran.traces.at("p");
  std::size_t operators = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const trace::EventView event = trace.event(i);
    if (event.category == trace::Category::Operator) {
      ++operators;
      EXPECT_EQ(trace.tracks()[event.track].kind, trace::TrackKind::Operators);
      EXPECT_EQ(trace.devices()[static_cast<std::size_t>(trace.tracks()[event.track].device)],
                "cpu:1");
    }
  }
  EXPECT_EQ(operators, 1U);
  std::size_t extra = 0;
  for (const trace::Step& step : trace.steps()) extra += step.extra ? 1U : 0U;
  EXPECT_EQ(extra, 2U) << "the two batches of the last recorded repeat";
  EXPECT_EQ(trace.steps().size(), 4U);
  EXPECT_EQ(result.at("capture").at("dropped"), 3);
  EXPECT_EQ(trace::lostReason(trace), "3 did not fit");
  EXPECT_EQ(std::count_if(ran.events.begin(), ran.events.end(),
                          [](const auto& event) {
                            return event.first == "warning" &&
                                   event.second.at("message") == "3 did not fit";
                          }),
            1);
  EXPECT_GT(result.at("capture").at("overhead_pct").get<double>(), 0.0);
  EXPECT_EQ(result.at("capture").at("overhead_ci_pct").size(), 2U);
}

TEST(RecordedTurns, AreNotThereUnlessAskedFor) {
  FakeCapture capture;
  const Json result = resultOf(run("actions", capture));
  EXPECT_EQ(capture.starts, 0);
  EXPECT_GT(result.at("capture").at("overhead_pct").get<double>(), 0.0) << "actions cost too";
  EXPECT_FALSE(result.at("capture").contains("overhead_ci_pct"));
}

TEST(RecordedTurns, ThatCannotBeRecordedCostTheirTracksAndNotTheRun) {
  FakeCapture capture;
  capture.fails = true;
  const Ran ran = run("kernels", capture);
  EXPECT_EQ(resultOf(ran).at("status"), "done");
  const auto warnings = std::count_if(ran.events.begin(), ran.events.end(), [](const auto& event) {
    return event.first == "warning" && event.second.at("code") == "capture";
  });
  EXPECT_EQ(warnings, 1) << "said once, not for each repeat";
}

TEST(OverheadInterval, IsStudentsOfThePairs) {
  EXPECT_FALSE(overheadInterval({}));
  EXPECT_FALSE(overheadInterval({{1.0, 1.01}}));
  // Differences 1 %, 2 %, 3 %: mean 2, standard error 1/√3, t of two degrees of freedom 4.303.
  const auto interval = overheadInterval({{1.0, 1.01}, {1.0, 1.02}, {1.0, 1.03}});
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->first, 2.0 - 4.303 / std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(interval->second, 2.0 + 4.303 / std::sqrt(3.0), 1e-9);
}

TEST(Overhead, IsTheCostOfTheEventsInTheRepeatsTime) {
  EXPECT_DOUBLE_EQ(overheadPct(1000.0, 100.0, 0.01), 1.0);
  EXPECT_EQ(overheadPct(1000.0, 100.0, 0.0), 0.0);
}

}  // namespace
}  // namespace stagelane::run
