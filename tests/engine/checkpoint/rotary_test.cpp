#include "engine/checkpoint/rotary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "engine/checkpoint/llama_config.h"
#include "tests/engine/checkpoint/model_folder.h"

namespace stagelane::checkpoint {
namespace {

Result<RotaryConfig> read(const std::string& config) {
  return readRotary(Json::parse(config), 2048.0);
}

TEST(Rotary, FrequenciesAreThoseOfTransformers) {
  const Json all = Json::parse(test::textOf(test::llamaData() / "frequencies.json"));
  for (const auto& [model, wanted] : all.items()) {
    SCOPED_TRACE(model);
    const auto path = test::llamaData() / "models" / model / "config.json";
    const auto config = parseLlamaConfig(test::textOf(path), path.string());
    ASSERT_TRUE(config) << describe(config.error());
    const std::vector<float> found = rotaryFrequencies(config->rotary, config->headSize);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double frequency = wanted[i];
      EXPECT_LE(std::abs(found[i] - frequency), 1e-6 * frequency) << i;
    }
  }
  EXPECT_EQ(all.size(), 9U);
}

TEST(Rotary, IsReadFromBothGenerationsOfKeys) {
  const RotaryConfig linear{RotaryKind::Linear, 20000.0, 4.0, 1.0, 4.0, 0.0};
  for (const char* config : {
           R"({"rope_theta":20000,"rope_scaling":{"type":"linear","factor":4}})",
           R"({"rope_theta":20000.0,"rope_scaling":{"rope_type":"linear","factor":4.0}})",
           R"({"rope_parameters":{"rope_type":"linear","factor":4.0,"rope_theta":20000.0}})",
           R"({"rope_theta":20000,"rope_parameters":{"rope_type":"linear","factor":4.0}})",
           R"({"rope_theta":20000,"rope_scaling":{"type":"linear","factor":4},
               "rope_parameters":{"rope_type":"linear","factor":4.0,"rope_theta":20000.0}})",
       }) {
    SCOPED_TRACE(config);
    EXPECT_EQ(read(config), linear);
  }
  EXPECT_EQ(read(R"({"rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,
                     "high_freq_factor":4.0,"original_max_position_embeddings":8192,"type":null}})"),
            (RotaryConfig{RotaryKind::Llama3, 10000.0, 8.0, 1.0, 4.0, 8192.0}));
}

TEST(Rotary, IsDefaultWhereNothingElseIsStated) {
  for (const char* config :
       {"{}", R"({"rope_scaling":null})", R"({"rope_scaling":{}})", R"({"rope_parameters":{}})",
        R"({"rope_scaling":{"type":"default"}})",
        R"({"rope_parameters":{"rope_type":"default","rope_theta":10000.0,"factor":null,
            "partial_rotary_factor":1.0}})"}) {
    SCOPED_TRACE(config);
    EXPECT_EQ(read(config), RotaryConfig{});
  }
}

TEST(Rotary, OfLlama3TakesTheContextForItsOriginalOne) {
  const auto rotary = read(
      R"({"rope_scaling":{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4}})");
  ASSERT_TRUE(rotary);
  EXPECT_EQ(rotary->originalPositions, 2048.0);
}

TEST(Rotary, IsRefusedWithTheKey) {
  const std::string llama3 = R"("rope_type":"llama3","factor":8,)";
  const std::map<std::string, std::string> places{
      {R"({"rope_theta":"big"})", "/rope_theta"},
      {R"({"rope_theta":0})", "/rope_theta"},
      {R"({"rope_theta":1e300})", "/rope_theta"},
      {R"({"rope_scaling":"linear"})", "/rope_scaling"},
      {R"({"rope_scaling":[]})", "/rope_scaling"},
      {R"({"rope_scaling":{"type":"yarn","factor":4,"beta_fast":32}})", "/rope_scaling/type"},
      {R"({"rope_scaling":{"rope_type":"dynamic","type":"linear","factor":4}})",
       "/rope_scaling/rope_type"},
      {R"({"rope_scaling":{"type":3,"factor":4}})", "/rope_scaling/type"},
      {R"({"rope_scaling":{"type":"linear"}})", "/rope_scaling/factor"},
      {R"({"rope_scaling":{"type":"linear","factor":0.5}})", "/rope_scaling/factor"},
      {R"({"rope_scaling":{"type":"linear","factor":"4"}})", "/rope_scaling/factor"},
      {R"({"rope_scaling":{)" + llama3 + R"("high_freq_factor":4}})",
       "/rope_scaling/low_freq_factor"},
      {R"({"rope_scaling":{)" + llama3 + R"("low_freq_factor":4,"high_freq_factor":4}})",
       "/rope_scaling/high_freq_factor"},
      {R"({"rope_scaling":{)" + llama3 + R"("low_freq_factor":0,"high_freq_factor":4}})",
       "/rope_scaling/low_freq_factor"},
      {R"({"rope_parameters":{"rope_type":"default","partial_rotary_factor":0.5}})",
       "/rope_parameters/partial_rotary_factor"},
      {R"({"rope_parameters":{"full_attention":{"rope_type":"default"}}})",
       "/rope_parameters/full_attention"},
      {R"({"rope_theta":10000,"rope_parameters":{"rope_theta":500000}})",
       "/rope_parameters/rope_theta"},
      {R"({"rope_scaling":{"type":"linear","factor":4},"rope_parameters":{"rope_type":"default"}})",
       "/rope_scaling"},
  };
  for (const auto& [config, place] : places) {
    SCOPED_TRACE(config);
    const auto rotary = read(config);
    ASSERT_FALSE(rotary);
    EXPECT_EQ(rotary.error().code, ErrorCode::Invalid);
    EXPECT_EQ(rotary.error().context, place);
  }
}

}  // namespace
}  // namespace stagelane::checkpoint
