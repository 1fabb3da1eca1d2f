#include "engine/base/failure.h"

#include <array>
#include <utility>

#include "engine/base/find.h"

namespace stagelane {
namespace {

constexpr std::array<std::pair<FailureKind, std::string_view>, 14> kWords{{
    {FailureKind::Unknown, "unknown"},
    {FailureKind::Usage, "usage"},
    {FailureKind::Invalid, "invalid"},
    {FailureKind::DeviceMissing, "device_missing"},
    {FailureKind::OutOfMemory, "out_of_memory"},
    {FailureKind::DoesNotFit, "does_not_fit"},
    {FailureKind::Stalled, "stalled"},
    {FailureKind::Killed, "killed"},
    {FailureKind::RankLost, "rank_lost"},
    {FailureKind::EngineFailure, "engine_failure"},
    {FailureKind::GradientsDiffer, "gradients_differ"},
    {FailureKind::CannotWrite, "cannot_write"},
    {FailureKind::ReaderGone, "reader_gone"},
    {FailureKind::Workspace, "workspace"},
}};

}  // namespace

std::string_view word(FailureKind kind) {
  const auto* found = findIf(kWords, [kind](const auto& one) { return one.first == kind; });
  return found == nullptr ? kWords.front().second : found->second;
}

std::optional<FailureKind> failureKindFromWord(std::string_view text) {
  for (const auto& [kind, name] : kWords) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

}  // namespace stagelane
