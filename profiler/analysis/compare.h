#pragma once

/// Compares two steps: matches actions by kind, stage and micro-batch (not by time), and finds the
/// devices' largest changes in time. The steps may be of two traces, of one, or a predicted and a
/// measured one. Pure. @thread any

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/idle.h"

namespace stagelane::analysis {

/// One action of both steps. If the traces have no actions, a kernel or operator, identified by its
/// device and name.
struct ActionDelta {
  std::string name;
  trace::Category category = trace::Category::Other;
  StageId stage;
  MicroBatchId microBatch;
  std::uint32_t occurrence = 0;  ///< index among equal ones, by start
  std::uint32_t leftEvent = 0;
  std::int32_t leftDevice = -1;
  std::int32_t rightDevice = -1;
  TimeNs leftNs = 0;  ///< duration
  TimeNs rightNs = 0;
  TimeNs leftStartNs = 0;  ///< since the step's start
  TimeNs rightStartNs = 0;
  [[nodiscard]] TimeNs deltaNs() const { return rightNs - leftNs; }
};

/// All actions of one kind and stage (for kernels and operators: of one name).
struct GroupDelta {
  std::string name;  ///< "F of stage 1", "OPT", a kernel's name
  trace::Category category = trace::Category::Other;
  StageId stage;
  std::size_t count = 0;
  TimeNs leftNs = 0;
  TimeNs rightNs = 0;
  [[nodiscard]] TimeNs deltaNs() const { return rightNs - leftNs; }
};

using CauseTimes = std::array<TimeNs, kCauseCount>;

/// A device by its name; a side without the device is empty.
struct DeviceDelta {
  std::string name;
  std::optional<CauseTimes> left;
  std::optional<CauseTimes> right;
};

struct StepComparison {
  trace::Step left;
  trace::Step right;
  std::vector<ActionDelta> actions;  ///< by start in the left step
  std::vector<GroupDelta> groups;    ///< the largest change first
  std::vector<DeviceDelta> devices;  ///< the left trace's, then those only in the right one
  std::size_t onlyLeft = 0;          ///< actions without a partner
  std::size_t onlyRight = 0;
  TimeNs onlyLeftNs = 0;  ///< time of those that compute
  TimeNs onlyRightNs = 0;
  std::size_t moved = 0;  ///< matched actions that ran on a different device
  [[nodiscard]] TimeNs leftWallNs() const { return left.endNs - left.startNs; }
  [[nodiscard]] TimeNs rightWallNs() const { return right.endNs - right.startNs; }
};

[[nodiscard]] StepComparison compareSteps(const trace::Trace& left, const trace::Step& leftStep,
                                          const trace::Trace& right, const trace::Step& rightStep);

/// The step to compare: timed step `number` by time, or the median without a number. @errors
/// Invalid (no step, no such step)
[[nodiscard]] Result<trace::Step> stepToCompare(const trace::Trace& trace,
                                                std::optional<std::size_t> number);

/// Names of the sides in a sentence.
struct SideNames {
  std::string left = "the left one";
  std::string right = "the right one";
  std::string rightStep = "The right step";  ///< at the start of a sentence
};
/// "The right step is 12 % slower, 551 µs against 492 µs. Longer: F of stage 1 by 40.0 µs. cuda:0
/// is idle for longer: 30.1 µs more starved." Changes in the direction of the step's, largest
/// first.
[[nodiscard]] std::string comparisonSentence(const StepComparison& comparison,
                                             const SideNames& names = {});

/// docs/reference/json.md, "compare": the part `trace`.
[[nodiscard]] Json comparisonJson(const StepComparison& comparison, const trace::Trace& left,
                                  const trace::Trace& right);

}  // namespace stagelane::analysis
