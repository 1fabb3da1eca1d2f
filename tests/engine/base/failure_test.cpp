#include "engine/base/failure.h"

#include <gtest/gtest.h>

#include "engine/base/result.h"

namespace stagelane {
namespace {

TEST(FailureKinds, HaveAWordEachThatReadsBack) {
  for (int kind = 0; kind <= static_cast<int>(FailureKind::Workspace); ++kind) {
    const auto each = static_cast<FailureKind>(kind);
    EXPECT_EQ(failureKindFromWord(word(each)), each) << kind;
  }
  EXPECT_FALSE(failureKindFromWord("of a later version"));
}

TEST(FailureOf, AnErrorThatNamesNoKindHasThatOfItsCode) {
  const Error plain{ErrorCode::OutOfMemory, "", "", "", {FailureKind::Unknown, "p", {"cpu:1"}}};
  EXPECT_EQ(failureOf(plain), (Failure{FailureKind::OutOfMemory, "p", {"cpu:1"}}));
  EXPECT_EQ(failureOf({ErrorCode::GradientMismatch, "", "", ""}).kind,
            FailureKind::GradientsDiffer);
  EXPECT_EQ(failureOf({ErrorCode::EngineFailure, "", "", "", {FailureKind::Stalled}}).kind,
            FailureKind::Stalled);
}

Result<int> half(int value) {
  if (value % 2 != 0) return fail(ErrorCode::Invalid, "odd", std::to_string(value));
  return value / 2;
}

Status passedOn(int value) {
  STAGELANE_CHECK(half(value));
  return {};
}

Result<std::string> quarter(int value) {
  const auto once = half(value);
  STAGELANE_CHECK(once);
  const auto twice = half(*once);
  STAGELANE_CHECK(twice);
  return std::to_string(*twice);
}

TEST(Check, LeavesWithTheErrorAndOnlyWithOne) {
  EXPECT_TRUE(passedOn(2));
  EXPECT_EQ(passedOn(3).error().context, "3");
  EXPECT_EQ(quarter(8).value(), "2");
  EXPECT_EQ(quarter(6).error().context, "3");
  EXPECT_EQ(quarter(5).error().context, "5");
}

}  // namespace
}  // namespace stagelane
