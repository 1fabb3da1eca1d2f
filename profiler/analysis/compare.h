#pragma once

/// Two steps side by side: the same action in both (by kind, stage and micro-batch, not by time),
/// what each device's time went to, and which of it changed most. The steps may be of two traces,
/// of one, or a predicted and a measured one. Pure. @thread any

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/idle.h"

namespace stagelane::analysis {

/// One action that both steps have. Where neither trace has actions, a kernel or operator, told by
/// its device and name.
struct ActionDelta {
  std::string name;
  trace::Category category = trace::Category::Other;
  StageId stage;
  MicroBatchId microBatch;
  std::uint32_t occurrence = 0;  ///< which one of those that are alike, by start
  std::uint32_t leftEvent = 0;
  std::int32_t leftDevice = -1;
  std::int32_t rightDevice = -1;
  TimeNs leftNs = 0;  ///< how long it took
  TimeNs rightNs = 0;
  TimeNs leftStartNs = 0;  ///< since the step's start
  TimeNs rightStartNs = 0;
  [[nodiscard]] TimeNs deltaNs() const { return rightNs - leftNs; }
};

/// Actions of one kind and stage, together (of kernels and operators: of one name).
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

/// A device by its name; a side that does not have it has nothing.
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
  std::vector<DeviceDelta> devices;  ///< the left trace's, then those only the right one has
  std::size_t onlyLeft = 0;          ///< actions without a partner
  std::size_t onlyRight = 0;
  TimeNs onlyLeftNs = 0;  ///< how long those that compute took
  TimeNs onlyRightNs = 0;
  std::size_t moved = 0;  ///< matched actions that ran on a device of another name
  [[nodiscard]] TimeNs leftWallNs() const { return left.endNs - left.startNs; }
  [[nodiscard]] TimeNs rightWallNs() const { return right.endNs - right.startNs; }
};

[[nodiscard]] StepComparison compareSteps(const trace::Trace& left, const trace::Step& leftStep,
                                          const trace::Trace& right, const trace::Step& rightStep);

/// The step to compare: number `number` of the timed ones in the order of time, without a number
/// the median. @errors Invalid (no step, no such step)
[[nodiscard]] Result<trace::Step> stepToCompare(const trace::Trace& trace,
                                                std::optional<std::size_t> number);

/// What the sides are called in a sentence.
struct SideNames {
  std::string left = "the left one";
  std::string right = "the right one";
  std::string rightStep = "The right step";  ///< begins a sentence
};
/// "The right step is 12 % slower, 551 µs against 492 µs. Longer: F of stage 1 by 40.0 µs. cuda:0
/// waits longer: 30.1 µs more starved." What changed in the step's direction, the most first.
[[nodiscard]] std::string comparisonSentence(const StepComparison& comparison,
                                             const SideNames& names = {});

/// docs/reference/json.md, "compare": the part `trace`.
[[nodiscard]] Json comparisonJson(const StepComparison& comparison, const trace::Trace& left,
                                  const trace::Trace& right);

}  // namespace stagelane::analysis
