#include "app/window/document_actions.h"

#include <gtest/gtest.h>
#include <filesystem>

#include <QWidget>

#include "tests/app/toy_document.h"
#include "tests/support/measured_run.h"
#include "tests/support/temporary_folder.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

TEST(DocumentActions, ARunOpenedByARelativePathIsKnownByItsWholeOne) {
  const test::TemporaryFolder root;
  const std::filesystem::path folder = std::filesystem::canonical(root.path()) / "runs" / "x";
  test::writeMeasuredRun(folder, "t", {0.3});
  ASSERT_TRUE(writeFileAtomically(record::RunFolder{folder}.experiment(), toy().dump()));
  ui::Session session;
  RunController runs(&session);
  QWidget window;
  DocumentActions documents(&session, &runs, &window);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.parent_path().parent_path());
  const Status opened = documents.open("./runs/x/", RunReading::AtOnce);
  std::filesystem::current_path(before);
  ASSERT_TRUE(opened);
  EXPECT_EQ(session.results().folder().string(), folder.string());
}

}  // namespace
}  // namespace stagelane::app
