#include "engine/codegen/code_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/codegen/python_code.h"
#include "engine/plan/experiment.h"

namespace stagelane::codegen {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Two devices, one variant with the given members.
plan::Experiment experimentWith(const std::string& model, const std::string& input,
                                const std::string& variant,
                                const std::string& devices = R"(["cpu:0", "cpu:1"])",
                                const std::string& more = "") {
  const auto document = parseJson(
      R"({"stagelane": 1, "name": "test", "model": )" + model + R"(, "input": {"shape": )" + input +
          R"(}, "data": {"labels": "normal", "batch_size": 8}, )" + more + R"("devices": )" +
          devices + R"(, "variants": [{"name": "v", )" + variant + "}]}",
      "test");
  EXPECT_TRUE(document.has_value());
  auto experiment = plan::readExperiment(*document, "", {});
  EXPECT_TRUE(experiment.has_value()) << describe(experiment.error());
  return *experiment;
}

Result<ExportedCode> exported(const plan::Experiment& experiment, CodeForm form) {
  const auto variant = variantToExport(experiment, "v");
  EXPECT_TRUE(variant.has_value());
  return exportCode(experiment, **variant, form);
}

std::string textOf(const plan::Experiment& experiment, CodeForm form) {
  const auto code = exported(experiment, form);
  EXPECT_TRUE(code.has_value()) << describe(code.error());
  return code ? code->text : std::string();
}

const std::string kResnet = R"({"zoo": "resnet50", "num_classes": 10})";
const std::string kImage = "[3, 64, 64]";

TEST(CodeExport, RefusesStagesThatHaveReplicas) {
  plan::Experiment experiment =
      experimentWith(kResnet, kImage, R"("strategy": "model_parallel", "placement": "balanced")");
  std::vector<plan::Stage>& stages = experiment.variants.front().stages;
  stages.front().group = plan::DeviceGroup({DeviceId{"cpu:0"}, DeviceId{"cpu:1"}});
  for (const CodeForm form : kCodeForms) {
    const auto code = exported(experiment, form);
    ASSERT_FALSE(code) << word(form);
    EXPECT_THAT(describe(code.error()), HasSubstr("replicas")) << word(form);
  }
}

TEST(CodeExport, RefusesASmallerLastBatchInScripts) {
  plan::Experiment experiment = experimentWith(kResnet, kImage, R"("strategy": "single")");
  experiment.data.samples = 12;
  experiment.data.batches = 2;
  for (const CodeForm form : {CodeForm::Tutorial, CodeForm::Pipelining}) {
    const auto code = exported(experiment, form);
    ASSERT_FALSE(code) << word(form);
    EXPECT_EQ(code.error().context, "/data/samples");
  }
  EXPECT_TRUE(exported(experiment, CodeForm::DeviceMap));
  experiment.data.samples = 16;
  EXPECT_TRUE(exported(experiment, CodeForm::Tutorial));
}

TEST(CodeExport, WritesAlikeBlocksAsALoopAndOthersOneByOne) {
  const std::string text = textOf(
      experimentWith(kResnet, kImage, R"("strategy": "model_parallel", "placement": "balanced")"),
      CodeForm::Tutorial);
  EXPECT_THAT(text, HasSubstr("    blocks[\"layer1.0\"] = Bottleneck(64, 64, 256)\n"
                              "    for i in range(1, 3):\n"
                              "        blocks[f\"layer1.{i}\"] = Bottleneck(256, 64, 256)\n"
                              "    blocks[\"layer2.0\"] = Bottleneck(256, 128, 512, stride=2)\n"));
  EXPECT_THAT(text, HasSubstr("nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)"));
  EXPECT_THAT(text, HasSubstr("blocks[\"fc\"] = nn.Sequential(nn.Flatten(), nn.Linear(2048, 10))"));
}

TEST(CodeExport, AStageDoesNotBeginWithAnOperationInPlace) {
  const auto textWith = [](const std::string& placement) {
    return textOf(experimentWith(kResnet, kImage,
                                 R"("strategy": "model_parallel", "placement": )" + placement),
                  CodeForm::Tutorial);
  };
  EXPECT_THAT(textWith(R"({"conv1": "cpu:0", "": "cpu:1"})"),
              HasSubstr("blocks[\"relu\"] = nn.ReLU(inplace=True)"));
  EXPECT_THAT(textWith(R"({"conv1": "cpu:0", "bn1": "cpu:0", "": "cpu:1"})"),
              HasSubstr("blocks[\"relu\"] = nn.ReLU()"));
}

TEST(CodeExport, OnlyASplitBatchHasAPipeline) {
  const std::string toy = R"({"zoo": "toy"})";
  EXPECT_THAT(textOf(experimentWith(toy, "[10]", R"("strategy": "single")"), CodeForm::Tutorial),
              Not(HasSubstr("class Pipeline")));
  EXPECT_THAT(
      textOf(experimentWith(toy, "[10]",
                            R"("strategy": "pipeline", "schedule": "tutorial", "split_size": 4,
                                "placement": {"net1": "cpu:0", "": "cpu:1"})"),
             CodeForm::Tutorial),
      HasSubstr("model = Pipeline(SPLIT_SIZE)"));
}

TEST(CodeExport, GpusAreNamedSynchronisedAndKeptFromRounding) {
  const std::string text =
      textOf(experimentWith(R"({"zoo": "toy"})", "[10]",
                            R"("strategy": "pipeline", "schedule": "1f1b", "split_size": 4,
                         "placement": {"net1": "cuda:0", "": "cuda:1"})",
                            R"(["cuda:0", "cuda:1"])"),
             CodeForm::Pipelining);
  EXPECT_THAT(text, HasSubstr("(\"cuda:1\", \"relu\"),"));
  EXPECT_THAT(text, HasSubstr("init_process_group(\"nccl\")"));
  EXPECT_THAT(text, HasSubstr("torch.backends.cudnn.allow_tf32 = False"));
  EXPECT_THAT(text, HasSubstr("torch.cuda.synchronize(device)"));
}

/// The pipelining script of a plan with three stages, one per device, for a batch in micro-batches
/// of one sample.
std::string scriptOfThreeStages(const std::string& schedule, std::int64_t microBatches) {
  plan::Experiment experiment =
      experimentWith(R"({"zoo": "toy"})", "[10]",
                     R"("strategy": "pipeline", "schedule": ")" + schedule +
                         R"(", "chunks": 1, "split_size": 1,
             "placement": {"net1": "cpu:0", "relu": "cpu:1", "net2": "cpu:2"})",
                     R"(["cpu:0", "cpu:1", "cpu:2"])");
  experiment.data.batchSize = microBatches;
  experiment.data.samples = microBatches;
  return textOf(experiment, CodeForm::Pipelining);
}

TEST(CodeExport, AnOrderWhoseClassRefusesTheNumberOfMicroBatchesIsLoadedAsRows) {
  // Schedule1F1B raises ValueError for fewer micro-batches than stages, ScheduleInterleaved1F1B for
  // a number that does not fill its rounds.
  EXPECT_THAT(scriptOfThreeStages("1f1b", 3), HasSubstr("import PipelineStage, Schedule1F1B\n"));
  EXPECT_THAT(scriptOfThreeStages("interleaved-1f1b", 8),
              HasSubstr("import PipelineStage, ScheduleInterleaved1F1B\n"));
  const std::string fewer = scriptOfThreeStages("1f1b", 2);
  EXPECT_THAT(fewer, Not(HasSubstr("Schedule1F1B")));
  EXPECT_THAT(fewer, HasSubstr("schedule._load_csv(file.name)"));
  EXPECT_THAT(fewer, HasSubstr("0F0,0F1,0B0,0B1\n1F0,1F1,1B0,1B1\n2F0,2B0,2F1,2B1\n"));
  for (const char* schedule : {"interleaved-1f1b", "interleaved-zero-bubble"}) {
    const std::string unfilled = scriptOfThreeStages(schedule, 7);
    EXPECT_THAT(unfilled, HasSubstr("_load_csv")) << schedule;
  }
}

TEST(CodeExport, APartOfAGpuIsTheWholeInOneProcessAndRefusedInSeveral) {
  plan::Experiment experiment = experimentWith(
      R"({"zoo": "toy"})", "[10]",
      R"("strategy": "model_parallel", "placement": {"net1": "cuda:0", "": "cuda:1"})",
      R"(["cuda:0", "cuda:1"])");
  experiment.variants.front().stages[0].group = DeviceId{"cuda:0/1of2"};
  experiment.variants.front().stages[1].group = DeviceId{"cuda:0/2of2"};
  const auto one = exported(experiment, CodeForm::Tutorial);
  ASSERT_TRUE(one.has_value());
  EXPECT_THAT(one->notes, Not(IsEmpty()));
  EXPECT_THAT(one->text, HasSubstr("(\"cuda:0\", \"net1\"),"));
  const auto several = exported(experiment, CodeForm::Pipelining);
  ASSERT_FALSE(several.has_value());
  EXPECT_EQ(several.error().code, ErrorCode::Invalid);
}

TEST(CodeExport, AParameterOnTwoGpusIsRefusedInOneProcessAndSummedBetweenTwo) {
  const plan::Experiment experiment = experimentWith(
      R"({"zoo": "gpt", "layers": 1, "heads": 1, "width": 4, "vocab": 8, "context": 4, "tie": true})",
      "[4]", R"("strategy": "model_parallel", "placement": {"embedding": "cuda:0", "": "cuda:1"})",
      R"(["cuda:0", "cuda:1"])", R"("loss": "mse", )");
  const auto one = exported(experiment, CodeForm::Tutorial);
  ASSERT_FALSE(one.has_value());
  EXPECT_THAT(one.error().message, HasSubstr("embedding.wte.weight"));
  const std::string two = textOf(experiment, CodeForm::Pipelining);
  EXPECT_THAT(two, HasSubstr("blocks[\"head\"][1].weight = blocks[\"embedding\"][0].weight"));
  EXPECT_THAT(two, HasSubstr("dist.all_reduce(parameter.grad, group=group)"));
}

TEST(CodeExport, DeferredBatchNormIsRefusedOnlyWhereTheBatchIsSplit) {
  const std::string deferred = R"("batch_norm": "deferred", )";
  const auto whole =
      exported(experimentWith(kResnet, kImage, R"("strategy": "single")", R"(["cpu:0"])", deferred),
               CodeForm::Tutorial);
  EXPECT_TRUE(whole.has_value());
  const auto split =
      exported(experimentWith(kResnet, kImage,
                              R"("strategy": "pipeline", "schedule": "gpipe", "split_size": 4,
                         "placement": "balanced")",
                              R"(["cpu:0", "cpu:1"])", deferred),
               CodeForm::Tutorial);
  ASSERT_FALSE(split.has_value());
  EXPECT_EQ(split.error().context, "/batch_norm");
}

TEST(CodeExport, WritesTheOrderThatAutoWasResolvedToAndSearchesForNone) {
  plan::Experiment experiment =
      experimentWith(R"({"zoo": "toy"})", "[10]",
                     R"("strategy": "pipeline", "schedule": "auto", "split_size": 4,
         "stages": [{"first": "net1", "device": "cpu:0"}, {"first": "net2", "device": "cpu:1"}])");
  const auto open = exported(experiment, CodeForm::Pipelining);
  ASSERT_FALSE(open.has_value());
  EXPECT_THAT(open.error().message, HasSubstr("not resolved"));
  experiment.variants.front().order = "gpipe";
  const std::string allForwardsFirst = textOf(experiment, CodeForm::Pipelining);
  experiment.variants.front().order = "1f1b";
  EXPECT_NE(textOf(experiment, CodeForm::Pipelining), allForwardsFirst);
}

TEST(CodeExport, AnUnknownVariantNamesTheNearest) {
  const auto found =
      variantToExport(experimentWith(R"({"zoo": "toy"})", "[10]", R"("strategy": "single")"), "w");
  ASSERT_FALSE(found.has_value());
  EXPECT_THAT(found.error().hint, HasSubstr("v"));
}

TEST(PythonCode, TextBecomesALiteralThatCannotEndItself) {
  EXPECT_EQ(detail::pythonText("a\"b\\c\n"), R"("a\"b\\c\n")");
  EXPECT_EQ(detail::plainWords("a\"\"\"b\\\n"), "a'''b/ ");
}

TEST(PythonCode, ALongCallIsOneArgumentALine) {
  const std::string longWord(60, 'x');
  const detail::Expression call = detail::callOf(
      "f", {detail::leaf(longWord), detail::callOf("g", {detail::leaf("1"), detail::leaf("2")})});
  EXPECT_THAT(call.lines(4, "y = "),
              ::testing::ElementsAre("    y = f(" + longWord + ", g(1, 2))"));
  EXPECT_THAT(
      call.lines(40, "y = "),
      ::testing::ElementsAre(std::string(40, ' ') + "y = f(", std::string(44, ' ') + longWord + ",",
                             std::string(44, ' ') + "g(1, 2),", std::string(40, ' ') + ")"));
}

}  // namespace
}  // namespace stagelane::codegen
