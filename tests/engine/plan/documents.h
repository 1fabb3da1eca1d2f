#pragma once

/// Experiment documents for tests of the reader.

#include <gtest/gtest.h>

#include <string>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "tests/support/paths.h"

namespace stagelane::plan::testing {

inline Json parsed(const std::string& text) {
  auto document = parseJson(text, "test");
  EXPECT_TRUE(document.has_value()) << (document ? "" : describe(document.error()));
  return document ? *document : Json{};
}

/// The toy model (net1, relu, net2) on two CPU workers with one single variant.
inline Json toyDocument() {
  return parsed(R"({
    "stagelane": 1, "name": "test", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 20}, "devices": ["cpu:0", "cpu:1"],
    "variants": [{"name": "single", "strategy": "single"}]})");
}

/// The same with a list of variants.
inline Json toyWith(const std::string& variants) {
  Json document = toyDocument();
  document["variants"] = parsed(variants);
  return document;
}

inline Json resnetWith(const std::string& variants) {
  Json document = toyWith(variants);
  document["model"] = parsed(R"({"zoo": "resnet18", "num_classes": 10})");
  document["input"] = parsed(R"({"shape": [3, 64, 64]})");
  document["data"] = parsed(R"({"labels": "one_hot", "batch_size": 8})");
  return document;
}

inline Result<Experiment> read(const Json& document, int gpus = 0) {
  return readExperiment(document, checkout::testData(), MachineDevices{gpus});
}

/// Reads a document that must be valid.
inline Experiment good(const Json& document, int gpus = 0) {
  auto experiment = read(document, gpus);
  EXPECT_TRUE(experiment.has_value()) << (experiment ? "" : describe(experiment.error()));
  return experiment ? *experiment : Experiment{};
}

/// Expects error 3 at a place, with words in it.
inline void expectError(const Json& document, const std::string& pointer,
                        const std::string& words) {
  const auto experiment = read(document);
  ASSERT_FALSE(experiment.has_value()) << "expected an error at " << pointer;
  EXPECT_EQ(experiment.error().code, ErrorCode::Invalid);
  EXPECT_EQ(experiment.error().context, pointer) << describe(experiment.error());
  EXPECT_NE(describe(experiment.error()).find(words), std::string::npos)
      << describe(experiment.error());
}

inline std::vector<std::string> idsOf(const Experiment& experiment, bool implicit) {
  std::vector<std::string> ids;
  for (const Variant& variant : experiment.variants) {
    if (variant.implicit == implicit) ids.push_back(variant.id);
  }
  return ids;
}

/// Device of each stage.
inline std::vector<std::string> devicesOf(const Variant& variant) {
  std::vector<std::string> devices;
  for (const Stage& stage : variant.stages) devices.push_back(stage.group.first().value);
  return devices;
}

}  // namespace stagelane::plan::testing
