#include "engine/record/open_run.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include "engine/base/files.h"

namespace stagelane::record {
namespace {

class OpenRun : public testing::Test {
 protected:
  void SetUp() override {
    m_folder = std::filesystem::temp_directory_path() / ("open-run-" + std::to_string(::getpid()));
    std::filesystem::create_directories(m_folder);
    ASSERT_TRUE(writeFileAtomically(m_folder / "experiment.json", "{}"));
    ASSERT_TRUE(writeFileAtomically(
        m_folder / "events.jsonl",
        R"({"event":"started","t_ns":0,"run":{"name":"toy","timing":"steady"},)"
        R"("devices":["cpu:0"],"variants":[{"id":"a","name":"a","status":"running"}]})"
        "\n"
        R"({"event":"canceled","t_ns":9})"
        "\n"));
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
  }

  std::filesystem::path m_folder;
};

TEST_F(OpenRun, CountsTheBytesThatItHasRead) {
  OpenProgress progress;
  const auto run = openRun(m_folder, progress);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, RunStatus::Canceled);
  EXPECT_EQ(progress.totalBytes, std::filesystem::file_size(m_folder / "events.jsonl"));
  EXPECT_EQ(progress.doneBytes, progress.totalBytes);
}

TEST_F(OpenRun, ThatIsCanceledChangesNothing) {
  OpenProgress progress;
  progress.cancel = true;
  const auto run = openRun(m_folder, progress);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "canceled");
  EXPECT_FALSE(std::filesystem::exists(m_folder / "result.json")) << "a stale one is rewritten";
  EXPECT_TRUE(openRun(m_folder, Rewrite::Always));
  EXPECT_TRUE(std::filesystem::exists(m_folder / "result.json"));
}

}  // namespace
}  // namespace stagelane::record
