#pragma once

/// Run folders of one measured variant, for tests that read histories and comparisons.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/files.h"
#include "engine/record/event_writer.h"
#include "engine/record/run_record.h"

namespace stagelane::test {

/// A finished run of so many variants, `pipe`, `pipe1` and so on; creates `folder`.
inline void writeMeasuredRun(const std::filesystem::path& folder, const std::string& name,
                             const std::vector<double>& seconds, int variants = 1) {
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(writeFileAtomically(record::RunFolder{folder}.experiment(),
                                  R"({"stagelane": 1, "name": "T", "repeat": 3})"));
  auto writer = record::EventWriter::open({folder}, false);
  ASSERT_TRUE(writer);
  record::RunResult plan;
  plan.name = name;
  plan.devices = {"cpu:0", "cpu:1"};
  record::VariantResult variant;
  variant.id = variant.name = "pipe";
  plan.variants = {variant};
  for (int further = 1; further < variants; ++further) {
    variant.id = variant.name = "pipe" + std::to_string(further);
    plan.variants.push_back(variant);
  }
  ASSERT_TRUE((*writer)->write("started", record::startedMembers(plan)));
  for (record::VariantResult& each : plan.variants) {
    each.status = record::RunStatus::Done;
    each.seconds = seconds;
    record::fillStatistics(each);
    ASSERT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(each)));
  }
  ASSERT_TRUE((*writer)->write("finished", Json::object()));
}

/// A run of three repeats each of `whole` and `cut` that was canceled after one of `cut`, which
/// took less than those of `whole`; creates `folder`.
inline void writeCanceledRun(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(writeFileAtomically(record::RunFolder{folder}.experiment(),
                                  R"({"stagelane": 1, "name": "T", "repeat": 3})"));
  auto writer = record::EventWriter::open({folder}, false);
  ASSERT_TRUE(writer);
  record::RunResult plan;
  plan.variants.resize(2);
  plan.variants[0].id = "whole";
  plan.variants[0].seconds = {2.0, 2.0, 2.0};
  plan.variants[1].id = "cut";
  plan.variants[1].seconds = {1.0};
  for (record::VariantResult& variant : plan.variants) {
    variant.status = record::RunStatus::Canceled;
    record::fillStatistics(variant);
  }
  ASSERT_TRUE((*writer)->write("started", record::startedMembers(plan)));
  for (const record::VariantResult& variant : plan.variants) {
    ASSERT_TRUE((*writer)->write("variant_done", record::variantDoneMembers(variant)));
  }
  ASSERT_TRUE((*writer)->write("canceled", Json::object()));
}

}  // namespace stagelane::test
