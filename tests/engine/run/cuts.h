#pragma once

/// Gradient checks at every place where a model's chain can be cut.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/engine/run/run_fixture.h"

namespace stagelane::run::test {

/// One variant a cut: 1f1b with the first stage ending before each block.
inline std::string everyCut(const std::vector<std::string>& blocks) {
  std::string variants;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    variants += std::string(variants.empty() ? "" : ",") + R"({"name":"at )" + blocks[i] +
                R"(","strategy":"pipeline","schedule":"1f1b","split_size":2,"stages":[{"first":")" +
                blocks[0] + R"(","device":"cpu:0"},{"first":")" + blocks[i] +
                R"(","device":"cpu:1"}]})";
  }
  return "\"variants\":[" + variants + "]";
}

inline void expectBitEqual(Bench& bench, const std::string& id) {
  const GradientVerdict verdict = bench.check(id);
  EXPECT_TRUE(verdict.passed) << id << ": " << verdict.worst;
  EXPECT_TRUE(verdict.result.bitEqual) << id << ": " << verdict.worst;
  EXPECT_EQ(verdict.result.maxRelError, 0.0) << id << ": " << verdict.worst;
}

/// 1f1b over two workers at 64², batch 4, split 2. @returns the number of cuts
inline int expectBitEqualAtEveryCut(const std::string& zoo) {
  const auto model = valueOf(model::modelFromArgument(zoo));
  std::vector<std::string> blocks;
  for (const model::Block& block : model->blocks) blocks.push_back(block.name);
  Bench bench(R"({"stagelane":1,"name":"r","model":{"zoo":")" + zoo +
              R"(","num_classes":10},"input":{"shape":[3,64,64]},
    "data":{"batch_size":4,"batches":1},"devices":["cpu:0","cpu:1"],)" +
              everyCut(blocks) + "}");
  int cuts = 0;
  for (const VariantRun& run : bench.runs) {
    if (run.variant->strategy == plan::Strategy::Pipeline) {
      expectBitEqual(bench, run.variant->id);
      ++cuts;
    }
  }
  return cuts;
}

}  // namespace stagelane::run::test
