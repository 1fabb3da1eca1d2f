#include "engine/plan/experiment.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "engine/plan/strategies.h"
#include "tests/engine/plan/documents.h"

namespace stagelane::plan {
namespace {

using testing::expectError;
using testing::good;
using testing::parsed;
using testing::read;
using testing::resnetWith;
using testing::toyDocument;

Json with(const std::string& pointer, const std::string& value) {
  Json document = toyDocument();
  document[Json::json_pointer(pointer)] = parsed(value);
  return document;
}

TEST(ReadExperiment, FillsInTheDefaultsOfTheDesign) {
  const Experiment experiment = good(toyDocument());
  EXPECT_EQ(experiment.name, "test");
  EXPECT_EQ(experiment.model->name, "toy");
  EXPECT_EQ(experiment.input, (model::Shape{10}));
  EXPECT_EQ(experiment.dtype, model::DType::Float32);
  EXPECT_EQ(experiment.data.batches, 1);
  EXPECT_EQ(experiment.data.seed, 0u);
  EXPECT_EQ(experiment.loss, LossKind::MeanSquaredError);
  EXPECT_EQ(experiment.optimizer.kind, "sgd");
  EXPECT_DOUBLE_EQ(experiment.optimizer.learningRate, 0.001);
  EXPECT_EQ(optimizerStates(experiment.optimizer), 0);
  EXPECT_EQ(experiment.threadsPerCpuWorker, 1);
  EXPECT_EQ(experiment.repeat, 10);
  EXPECT_EQ(experiment.warmup, 1);
  EXPECT_EQ(experiment.timing, Timing::Steady);
  EXPECT_EQ(experiment.trace, TraceDepth::Actions);
  EXPECT_EQ(experiment.allocator, AllocatorKind::Caching);
  EXPECT_EQ(experiment.memoryFormat, MemoryFormat::Contiguous);
  EXPECT_TRUE(experiment.verifyGradients);
  EXPECT_FALSE(experiment.baselineSweep);
  EXPECT_FALSE(experiment.stallTimeoutS.has_value());
}

Json gptDocument() {
  Json document = toyDocument();
  document["model"] =
      parsed(R"({"zoo": "gpt", "layers": 1, "heads": 2, "width": 8, "vocab": 11, "context": 6})");
  document["input"] = parsed(R"({"shape": [6], "dtype": "int64"})");
  document["data"]["labels"] = "class";
  document["loss"] = "cross_entropy";
  return document;
}

TEST(ReadExperiment, AModelOnTokensHasALabelForEachPosition) {
  const Experiment experiment = good(gptDocument());
  EXPECT_EQ(experiment.model->vocabulary, 11);
  EXPECT_EQ(experiment.dtype, model::DType::Float32) << "of the parameters";
  EXPECT_EQ(experiment.outputRows, model::Shape{6});
  Json document = gptDocument();
  for (const auto& [word, type] :
       {std::pair("float32", model::DType::Float32), std::pair("float64", model::DType::Float64)}) {
    document["input"]["dtype"] = word;
    const Experiment named = good(document);
    EXPECT_EQ(named.dtype, type) << "of the parameters, too";
    EXPECT_EQ(named.model->vocabulary, 11) << "tokens all the same";
  }
}

TEST(ReadExperiment, TakesUpTheModelOfAnEarlierReading) {
  const model::ShapeMemoPtr known =
      good(resnetWith(R"([{"name": "a", "strategy": "single"}])")).shapes;
  Json edited = resnetWith(R"([{"name": "b", "strategy": "single"}])");
  EXPECT_EQ(readExperiment(edited, "", {}, known)->model, known->model());
  edited["model"]["num_classes"] = 11;
  const auto other = readExperiment(edited, "", {}, known);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->model->classes, 11);
  EXPECT_EQ(other->shapes->model(), other->model);
  EXPECT_EQ((*other->shapesAt(3))->blocks.back().outputShapes.front(), (model::Shape{3, 11}));
}

TEST(ReadExperiment, OnlyAModelOnTokensTakesInt64) {
  expectError(with("/input/dtype", "\"int64\""), "/input/dtype", "does not take tokens");
}

TEST(ReadExperiment, ReadsEverySetting) {
  Json document = parsed(R"({
    "stagelane": 1, "name": "all", "model": {"zoo": "toy"},
    "input": {"shape": [10], "dtype": "float64"},
    "data": {"kind": "synthetic", "labels": "one_hot", "batch_size": 6, "batches": 2, "seed": 9},
    "loss": "cross_entropy",
    "optimizer": {"kind": "sgd", "lr": 0.5, "momentum": 0.9, "weight_decay": 0.01},
    "devices": ["cpu:0", {"id": "cpu:1", "max_memory": "1GiB"}], "threads_per_cpu_worker": 2,
    "repeat": 4, "warmup": 0, "timing": "steady", "precision": "fp32",
    "memory_format": "channels_last", "task": "train", "verify_gradients": false, "trace": "none",
    "allocator": "system", "batch_norm": "running", "clip_grad_norm": null, "stall_timeout_s": 2.5,
    "baseline_sweep": false, "variants": [{"strategy": "single", "device": "cpu:1"}]})");
  const Experiment experiment = good(document);
  EXPECT_EQ(experiment.dtype, model::DType::Float64);
  EXPECT_EQ(experiment.data.seed, 9u);
  EXPECT_EQ(experiment.data.batches, 2);
  EXPECT_EQ(experiment.loss, LossKind::CrossEntropy);
  EXPECT_EQ(optimizerStates(experiment.optimizer), 1);
  EXPECT_DOUBLE_EQ(experiment.optimizer.weightDecay, 0.01);
  ASSERT_EQ(experiment.devices.size(), 2u);
  EXPECT_FALSE(experiment.devices[0].maxMemory.has_value());
  EXPECT_EQ(experiment.devices[1].maxMemory, Bytes{1} << 30);
  EXPECT_EQ(experiment.threadsPerCpuWorker, 2);
  EXPECT_EQ(experiment.warmup, 0);
  EXPECT_EQ(experiment.memoryFormat, MemoryFormat::ChannelsLast);
  EXPECT_EQ(experiment.trace, TraceDepth::None);
  EXPECT_EQ(experiment.allocator, AllocatorKind::System);
  EXPECT_EQ(experiment.stallTimeoutS, 2.5);
  EXPECT_EQ(experiment.variants.front().stages.front().group.first().value, "cpu:1");
}

TEST(ReadExperiment, RefusesUnknownKeysEverywhereWithTheNearestKnownOne) {
  expectError(with("/repeats", "3"), "/repeats", "\"repeat\"");
  expectError(with("/input/shap", "[10]"), "/input/shap", "\"shape\"");
  expectError(with("/data/batchsize", "10"), "/data/batchsize", "\"batch_size\"");
  expectError(with("/optimizer", R"({"learning_rate": 1})"), "/optimizer/learning_rate", "lr");
  expectError(with("/variants/0/splitsize", "3"), "/variants/0/splitsize", "\"split_size\"");
  expectError(with("/devices/0", R"({"id": "cpu:0", "memory": "1GiB"})"), "/devices/0/memory",
              "max_memory");
  // A misspelled key that is also missing under its right name is reported as misspelled.
  Json document = toyDocument();
  document.erase("model");
  document["modle"] = parsed(R"({"zoo": "toy"})");
  expectError(document, "/modle", "\"model\"");
}

TEST(ReadExperiment, SaysWhatIsMissing) {
  for (const char* key : {"stagelane", "model", "input", "data", "devices", "variants"}) {
    Json document = toyDocument();
    document.erase(key);
    const auto experiment = read(document);
    ASSERT_FALSE(experiment) << key;
    const std::string word = std::string(key) == "data" ? "batch_size" : key;
    EXPECT_NE(describe(experiment.error()).find(word), std::string::npos)
        << describe(experiment.error());
  }
  expectError(parsed("[]"), "/", "object");
  expectError(with("/stagelane", "2"), "/stagelane", "format 1");
}

TEST(ReadExperiment, TakesPartitionsOfAGpuOfOneDivision) {
  const auto devices = [](const std::string& list) {
    Json document = toyDocument();
    document["devices"] = parsed(list);
    document["variants"] = parsed(R"([{"name":"p","strategy":"pipeline","schedule":"gpipe",
      "split_size":5,"placement":{"net1":"#0","relu":"#0","net2":"#1"}}])");
    return read(document);
  };
  const auto halves = devices(R"(["cuda:0/1of2","cuda:0/2of2"])");
  ASSERT_TRUE(halves) << describe(halves.error());
  EXPECT_EQ(halves->variants.at(0).stages.at(1).group.first().value, "cuda:0/2of2");
  EXPECT_TRUE(devices(R"(["cuda:0/1of2","cuda:1"])"));
  for (const char* list : {R"(["cuda:0/1of2","cuda:0/2of4"])", R"(["cuda:0","cuda:0/1of2"])"}) {
    const auto twoWays = devices(list);
    ASSERT_FALSE(twoWays) << list;
    EXPECT_EQ(twoWays.error().context, "/devices/1");
  }
}

TEST(ReadExperiment, SaysWhatIsNotAvailableInThisVersion) {
  const auto later = [](const std::string& pointer, const std::string& value,
                        const std::string& at = {}) {
    expectError(with(pointer, value), at.empty() ? pointer : at, "not available in this version");
  };
  later("/precision", "\"fp16\"");
  later("/input/dtype", "\"bfloat16\"");
  later("/model/weights", "\"x.safetensors\"");
  for (const std::string& strategy : strategyNames(&StrategyRow::available, false)) {
    later("/variants/0/strategy", "\"" + strategy + "\"");
  }
}

TEST(ReadExperiment, RefusesNumbersOutOfRangeAtTheirPlace) {
  for (const char* value : {"0", "-1", "1000001"}) {
    expectError(with("/data/batch_size", value), "/data/batch_size", "from 1 to 1000000");
    expectError(with("/repeat", value), "/repeat", "from 1 to 100000 (");
    expectError(with("/threads_per_cpu_worker", value), "/threads_per_cpu_worker",
                "from 1 to 1024");
  }
  for (const char* value : {"1.5", "\"20\"", "99999999999999999999", "null"}) {
    for (const char* key : {"/data/batch_size", "/repeat", "/threads_per_cpu_worker"}) {
      expectError(with(key, value), key, "expected an integer");
    }
  }
  expectError(with("/warmup", "-1"), "/warmup", "from 0");
  expectError(with("/data/seed", "-1"), "/data/seed", "from 0");
  expectError(with("/data/batches", "0"), "/data/batches", "from 1");
  expectError(with("/optimizer", R"({"lr": -1})"), "/optimizer/lr", "from 0");
  expectError(with("/optimizer", R"({"lr": "fast"})"), "/optimizer/lr", "number");
  expectError(with("/optimizer", R"({"momentum": 2})"), "/optimizer/momentum", "from 0 to 1");
  expectError(with("/stall_timeout_s", "0"), "/stall_timeout_s", "above 0");
  Json document = toyDocument();
  document["optimizer"] = {{"lr", std::numeric_limits<double>::quiet_NaN()}};
  expectError(document, "/optimizer/lr", "finite");
  document["optimizer"] = {{"lr", std::numeric_limits<double>::infinity()}};
  expectError(document, "/optimizer/lr", "finite");
}

TEST(ReadExperiment, RefusesShapesThatDoNotFit) {
  expectError(with("/input/shape", "[]"), "/input/shape", "1 to 4 sizes");
  expectError(with("/input/shape", "[1,2,3,4,5]"), "/input/shape", "1 to 4 sizes");
  expectError(with("/input/shape", "[0]"), "/input/shape/0", "from 1");
  expectError(with("/input/shape", "[-3]"), "/input/shape/0", "from 1");
  expectError(with("/input/shape", "\"10\""), "/input/shape", "list");
  expectError(with("/input/shape", "[10000000,10000000,10000000,10000000]"), "/input/shape",
              "2^40");
  const auto wrong = read(with("/input/shape", "[11]"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::Invalid);
  EXPECT_NE(wrong.error().message.find("net1"), std::string::npos) << describe(wrong.error());
}

TEST(ReadExperiment, RefusesWordsThatItDoesNotKnowAndListsThem) {
  expectError(with("/timing", "\"quick\""), "/timing", "steady, tutorial");
  expectError(with("/loss", "\"mae\""), "/loss", "mse, cross_entropy");
  expectError(with("/trace", "\"all\""), "/trace", "kernels");
  EXPECT_EQ(good(with("/trace", "\"ops\"")).trace, TraceDepth::Operators);
  EXPECT_EQ(good(with("/trace", "\"kernels\"")).trace, TraceDepth::Kernels);
  expectError(with("/data/labels", "\"hot\""), "/data/labels", "one_hot");
  expectError(with("/data/kind", "\"images\""), "/data/kind", "synthetic");
  expectError(with("/precision", "\"fp8\""), "/precision", "fp32");
  expectError(with("/variants/0/strategy", "\"simple\""), "/variants/0/strategy", "model_parallel");
  expectError(with("/optimizer", R"({"eps": 1})"), "/optimizer/eps", "sgd has no eps");
}

TEST(ReadExperiment, ChecksThatLabelsSuitTheLoss) {
  expectError(with("/data/labels", "\"class\""), "/data/labels", "one_hot");
  expectError(with("/loss", "\"cross_entropy\""), "/data/labels", "class");
  Json document = with("/loss", "\"cross_entropy\"");
  document["data"]["labels"] = "class";
  EXPECT_EQ(good(document).data.labels, Labels::ClassIndex);
  document["data"]["labels"] = "one_hot";
  EXPECT_EQ(good(document).data.labels, Labels::OneHot);
}

TEST(ReadExperiment, TutorialTimingHasNoWarmUp) {
  EXPECT_EQ(good(with("/timing", "\"tutorial\"")).warmup, 0);
  Json document = with("/timing", "\"tutorial\"");
  document["warmup"] = 1;
  expectError(document, "/warmup", "no warm-up");
}

TEST(ReadExperiment, TakesGpusForAutoWhereThereAreEnoughOfThem) {
  for (const char* form : {R"({"auto": 2})", R"([{"auto": 2}])"}) {
    const Json document = with("/devices", form);
    EXPECT_EQ(good(document, 0).devices[1].id.value, "cpu:1");
    EXPECT_EQ(good(document, 1).devices[1].id.value, "cpu:1");
    EXPECT_EQ(good(document, 2).devices[1].id.value, "cuda:1");
    EXPECT_EQ(good(document, 8).devices.size(), 2u);
  }
  expectError(with("/devices", R"({"auto": 0})"), "/devices/auto", "from 1");
  expectError(with("/devices", R"([{"auto": 65}])"), "/devices/0/auto", "from 1 to 64");
  expectError(with("/devices", R"([{"auto": 2, "max_memory": 5}])"), "/devices/0/id", "\"id\"");
}

TEST(ReadExperiment, WritesResolvedDevicesIntoTheSourceSoThatItReadsTheSameEverywhere) {
  Json document = with("/devices", R"({"auto": 2})");
  document["variants"] = parsed(R"([
      {"name": "single", "strategy": "single", "device": "#1"},
      {"name": "mp", "strategy": "model_parallel", "placement": {"net1": "#0", "relu": "#0", "net2": "#1"}},
      {"name": "pipe", "strategy": "pipeline", "split_size": 5,
       "stages": [{"first": "net1", "device": "#1"}, {"first": "net2", "device": "#0"}]}])");
  const Experiment experiment = good(document, 2);
  EXPECT_EQ(experiment.source["devices"].dump(), R"(["cuda:0","cuda:1"])");
  EXPECT_EQ(experiment.source["variants"][0]["device"], "cuda:1");
  EXPECT_EQ(experiment.source["variants"][1]["placement"]["net2"], "cuda:1");
  EXPECT_EQ(experiment.source["variants"][2]["stages"][1]["device"], "cuda:0");
  // Read on a machine without GPUs, the result is the same.
  const Experiment again = good(experiment.source, 0);
  ASSERT_EQ(again.variants.size(), experiment.variants.size());
  for (std::size_t i = 0; i < again.variants.size(); ++i) {
    EXPECT_EQ(again.variants[i].id, experiment.variants[i].id);
    EXPECT_EQ(again.variants[i].stages, experiment.variants[i].stages);
  }
  EXPECT_EQ(again.source, experiment.source);
}

TEST(ReadExperiment, KeepsMemoryBudgetsInTheResolvedSource) {
  const Experiment experiment =
      good(with("/devices", R"(["cpu:0", {"id": "cpu:1", "max_memory": "2GiB"}])"));
  EXPECT_EQ(good(experiment.source).devices[1].maxMemory, Bytes{2} << 30);
}

TEST(ReadExperiment, RefusesDevicesThatAreNone) {
  expectError(with("/devices", "[]"), "/devices", "at least one");
  expectError(with("/devices", "\"cpu:0\""), "/devices", "at least one");
  expectError(with("/devices", R"(["cpu:0", "cpu:0"])"), "/devices/1", "twice");
  expectError(with("/devices", R"([{"auto": 2}, "cpu:1"])"), "/devices/1", "twice");
  expectError(with("/devices", R"(["cpu"])"), "/devices/0", "cpu:N");
  expectError(with("/devices", R"(["gpu:0"])"), "/devices/0", "cuda:N");
  expectError(with("/devices", "[3]"), "/devices/0", "object");
  for (const char* memory : {"0", "-5", "\"lots\"", "\"0B\"", "true", "1.5"}) {
    expectError(with("/devices", std::string(R"([{"id": "cpu:0", "max_memory": )") + memory + "}]"),
                "/devices/0/max_memory", "");
  }
  expectError(with("/variants/0/device", "\"#2\""), "/variants/0/device", "number of devices is 2");
  expectError(with("/variants/0/device", "\"#x\""), "/variants/0/device", "#0");
  expectError(with("/variants/0/device", "\"cpu:2\""), "/variants/0/device", "cpu:0 cpu:1");
}

TEST(ReadExperiment, HoldsTheModelItselfNotItsPath) {
  const Experiment experiment = good(toyDocument());
  EXPECT_EQ(experiment.source["model"], experiment.model->definition);
}

}  // namespace
}  // namespace stagelane::plan
