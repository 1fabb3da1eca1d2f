#include "app/engine_client/start_problem.h"

#include <gtest/gtest.h>

#include "tests/support/marked_texts.h"

namespace stagelane::app {
namespace {

TEST(StartProblem, OfAWorkspaceThatCannotBeWrittenSpeaksOfTheFolder) {
  const QString text = startProblem({ErrorCode::CannotWrite,
                                     "cannot create the folder: Read-only file system",
                                     "/ro/runs",
                                     "set STAGELANE_WORKSPACE to a writable folder, or use --out",
                                     {FailureKind::Workspace}});
  EXPECT_TRUE(text.contains(QStringLiteral("Read-only file system")));
  EXPECT_TRUE(text.contains(QStringLiteral("Make /ro/runs writable"))) << text.toStdString();
  EXPECT_FALSE(text.contains(QStringLiteral("--out"))) << text.toStdString();
}

TEST(StartProblem, AdvisesInTheLanguageOfTheWindow) {
  const test::MarkedTexts marked;
  const QString text =
      startProblem({ErrorCode::CannotWrite, "no", "/ro/runs", "", {FailureKind::Workspace}});
  EXPECT_TRUE(text.contains(QStringLiteral("⟦make /ro/runs writable"))) << text.toStdString();
}

TEST(StartProblem, KeepsOtherAdvice) {
  const QString text = startProblem({ErrorCode::CannotWrite, "another run is using this workspace",
                                     "/w/run.lock", "wait for it or cancel it"});
  EXPECT_TRUE(text.contains(QStringLiteral("wait for it"), Qt::CaseInsensitive));
}

}  // namespace
}  // namespace stagelane::app
