#include "engine/record/older_versions.h"

#include <array>
#include <cstdlib>
#include <regex>
#include <string_view>
#include <utility>

#include "engine/record/left_out.h"

namespace stagelane::record {
namespace {

/// Reasons may have any length, and std::regex recurses over its input.
constexpr std::size_t kLongest = 2000;

/// "killed" comes before the others, because its sentence also lists causes such as memory.
constexpr std::array<std::pair<std::string_view, FailureKind>, 8> kSigns{{
    {"Broken pipe", FailureKind::ReaderGone},
    {"killed", FailureKind::Killed},
    {"out of memory", FailureKind::OutOfMemory},
    {"gradient check", FailureKind::GradientsDiffer},
    {"output check", FailureKind::GradientsDiffer},
    {"not on this machine", FailureKind::DeviceMissing},
    {"does not fit", FailureKind::DoesNotFit},
    {"no action has ended", FailureKind::Stalled},
}};

/// The pattern's first group if it matches.
std::optional<std::string> found(const std::string& text, const std::regex& pattern) {
  std::smatch match;
  return std::regex_search(text, match, pattern) ? std::optional(match[1].str()) : std::nullopt;
}

std::int32_t numberOf(const std::optional<std::string>& digits) {
  return digits ? static_cast<std::int32_t>(std::strtol(digits->c_str(), nullptr, 10)) : -1;
}

EarlyStop earlyStopInSentence(const std::string& reason) {
  static const std::regex kMeasured(
      R"(^early_stop after (\d{1,9}) repeats: (\S+) s against (\S+) s of (\S+)$)");
  static const std::regex kPredicted(
      R"(^early_stop: predicted (\S+) s a step against (\S+) s of (\S+)$)");
  const auto seconds = [](const std::string& text) { return std::strtod(text.c_str(), nullptr); };
  std::smatch match;
  EarlyStop stop;
  if (std::regex_match(reason, match, kMeasured)) {
    stop = {numberOf(match[1].str()), seconds(match[2]), seconds(match[3]), match[4]};
  } else if (std::regex_match(reason, match, kPredicted)) {
    stop = {0, seconds(match[1]), seconds(match[2]), match[3]};
  }
  return stop;
}

}  // namespace

Failure failureInSentence(const std::string& reason) {
  static const std::regex kVariant(R"(variant '?([a-z0-9-]+))");
  static const std::regex kDevice(
      R"(((?:cpu|cuda|sim):\d{1,6}(?:/\d{1,3}of\d{1,3})?(?:@\d{1,6})?))");
  static const std::regex kAction(R"(([A-Z_]{1,8}) of stage \d)");
  static const std::regex kStage(R"(stage (\d{1,6}))");
  static const std::regex kMicroBatch(R"(micro-batch (\d{1,6}))");
  const std::string text = reason.substr(0, kLongest);
  Failure failure;
  for (const auto& [sign, kind] : kSigns) {
    if (text.find(sign) != std::string::npos) {
      failure.kind = kind;
      break;
    }
  }
  failure.variant = found(text, kVariant).value_or("");
  failure.device = {found(text, kDevice).value_or("")};
  failure.stage = {numberOf(found(text, kStage))};
  failure.microBatch = {numberOf(found(text, kMicroBatch))};
  if (const auto action = found(text, kAction)) failure.action = actionKindFromWord(*action);
  return failure;
}

void readReason(VariantResult& variant) {
  const bool written = variant.failure || variant.earlyStop || !variant.included;
  if (written || variant.reason.empty()) return;
  if (variant.status == RunStatus::NotRun && variant.reason == kNotIncluded) {
    variant.included = false;
  } else if (variant.reason.rfind("early_stop", 0) == 0) {
    variant.earlyStop = earlyStopInSentence(variant.reason.substr(0, kLongest));
  } else if (variant.status == RunStatus::Failed || variant.status == RunStatus::NotRun) {
    variant.failure = failureInSentence(variant.reason);
  }
}

}  // namespace stagelane::record
