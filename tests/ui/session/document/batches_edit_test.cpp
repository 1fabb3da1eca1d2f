/// The number of batches, which `samples` may give.

#include <gtest/gtest.h>

#include "ui/session/document/setting_edits.h"

namespace stagelane::ui {
namespace {

TEST(BatchesEdit, SamplesGiveTheNumberOfBatchesUntilItIsEntered) {
  Json document = Json::parse(R"({"data": {"batch_size": 30, "samples": 100}})");
  EXPECT_EQ(batchesOf(document), 4);
  document = withBatches(std::move(document), 2);
  EXPECT_EQ(batchesOf(document), 2);
  EXPECT_FALSE(document["data"].contains("samples"));
  EXPECT_EQ(batchesOf(Json::object()), 1);
  EXPECT_EQ(batchesOf({{"data", {{"samples", "x"}}}}), 1);
}

}  // namespace
}  // namespace stagelane::ui
