#include "profiler/analysis/hta.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "profiler/analysis/hta_rows.h"
#include "tests/support/paths.h"

namespace stagelane::analysis {
namespace {

namespace fs = std::filesystem;

std::string readText(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Equal, numbers to one part in 10^12. Messages of exceptions are not compared, because they are
/// Stagelane's own.
std::string differenceOf(const Json& expected, const Json& actual, const std::string& where) {
  if (expected.is_number() && actual.is_number()) {
    const auto left = expected.get<double>();
    const auto right = actual.get<double>();
    const double allowed = 1e-12 * std::max(1.0, std::abs(left));
    return std::abs(left - right) <= allowed
               ? ""
               : where + ": " + expected.dump() + " against " + actual.dump();
  }
  if (expected.is_object() && actual.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      if (!actual.contains(key)) return where + "/" + key + " is missing";
      const std::string difference =
          key == "message" ? "" : differenceOf(value, actual.at(key), where + "/" + key);
      if (!difference.empty()) return difference;
    }
    return expected.size() == actual.size() ? "" : where + " has other keys: " + actual.dump();
  }
  if (expected.is_array() && actual.is_array() && expected.size() == actual.size()) {
    for (std::size_t index = 0; index < expected.size(); ++index) {
      const std::string difference =
          differenceOf(expected[index], actual[index], where + "/" + std::to_string(index));
      if (!difference.empty()) return difference;
    }
    return "";
  }
  return expected == actual ? "" : where + ": " + expected.dump() + " against " + actual.dump();
}

void expectFolder(const fs::path& folder) {
  const Json expected = Json::parse(readText(folder / "expected.json"));
  std::size_t compared = 0;
  for (const auto& [name, modes] : expected.at("cases").items()) {
    const std::string bytes = readText(folder / (name + ".json"));
    Json plain = analyzeHta(bytes);
    plain.erase("per_device");
    plain.erase("warning");
    EXPECT_EQ(differenceOf(modes.at("default"), plain, name), "");
    const Json& all = modes.at(
        modes.contains("include_last_profiler_step") ? "include_last_profiler_step" : "default");
    Json included = analyzeHta(bytes, LastProfilerStep::Included);
    included.erase("per_device");
    included.erase("warning");
    EXPECT_EQ(differenceOf(all, included, name + " with the last step"), "");
    ++compared;
  }
  EXPECT_GT(compared, 10U);
}

fs::path data() { return fs::path(checkout::testData()) / "analysis"; }

TEST(Hta, GivesTheFiguresOfHtaForOrdinaryTraces) { expectFolder(data()); }

TEST(Hta, GivesTheAnswersOfHtaForDegenerateTraces) { expectFolder(data() / "degenerate"); }

TEST(Hta, GivesTheAnswersOfHtaForFilesThatNoProfilerWrites) { expectFolder(data() / "odd"); }

TEST(Hta, AnswersForEachDeviceOfAFileWithSeveral) {
  const Json answer = analyzeHta(readText(data() / "degenerate" / "two_devices_in_one_file.json"));
  EXPECT_EQ(answer.at("temporal").at("idle_time_us"), 0);
  ASSERT_TRUE(answer.contains("warning"));
  ASSERT_EQ(answer.at("per_device").size(), 2U);
  for (const char* const device : {"0", "1"}) {
    const Json& parts = answer.at("per_device").at(device);
    EXPECT_EQ(parts.at("temporal").at("kernel_time_us"), 300) << device;
    EXPECT_EQ(parts.at("temporal").at("idle_time_us"), 100) << device;
    EXPECT_EQ(parts.at("queue").at("rows").at(0).at("count"), 4) << device;
  }
}

TEST(Hta, SaysWhatItCannotLoad) {
  const auto refusal = [](const char* text) {
    const Json answer = analyzeHta(text);
    return answer.size() == 1 ? answer.at("load").at("exception").get<std::string>() : "";
  };
  EXPECT_EQ(refusal(""), "JSONDecodeError");
  EXPECT_EQ(refusal("{\"traceEvents\": [{\"ts\": 1"), "JSONDecodeError");
  EXPECT_EQ(refusal("[]"), "AttributeError");
  EXPECT_EQ(refusal("{}"), "AttributeError");
  EXPECT_EQ(refusal("{\"traceEvents\": []}"), "KeyError");
  EXPECT_EQ(refusal("{\"traceEvents\": [1]}"), "TypeError");
}

TEST(Hta, RefusesAStepWithoutANumberHoweverLongItIs) {
  const auto loads = [](const std::string& name) {
    const Json answer =
        analyzeHta(R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": ")" + name +
                   R"(", "ts": 1, "dur": 1, "pid": 0, "tid": 7, "args": {"stream": 7}}]})");
    return !answer.contains("load") || answer.at("load").at("exception") != "AttributeError";
  };
  const std::string blanks(1'000'000, ' ');
  EXPECT_TRUE(loads("ProfilerStep#1"));
  EXPECT_TRUE(loads("ProfilerStep" + blanks + "#" + blanks + "12 and more"));
  EXPECT_FALSE(loads("ProfilerStep" + blanks));
  EXPECT_FALSE(loads("ProfilerStep #x"));
  EXPECT_FALSE(loads("ProfilerStep1"));
}

TEST(Hta, TellsKernelsByTheirNames) {
  using detail::HtaKind;
  EXPECT_EQ(detail::htaKindOf("ncclDevKernel_AllReduce"), HtaKind::Communication);
  EXPECT_EQ(detail::htaKindOf("nccl:all_reduce"), HtaKind::Computation);
  EXPECT_EQ(detail::htaKindOf("Memcpy PtoP (Device -> Device)"), HtaKind::Memory);
  EXPECT_EQ(detail::htaKindOf("dma_copy"), HtaKind::Memory);
  EXPECT_EQ(detail::htaKindOf("ncclMemcpy"), HtaKind::Other);
  EXPECT_EQ(detail::htaKindOf("Stream Sync"), HtaKind::Other);
  EXPECT_EQ(detail::htaKindOf("Stream Wait Event"), HtaKind::Computation);
  EXPECT_EQ(detail::htaKindOf("xMemset"), HtaKind::Computation);
  EXPECT_EQ(detail::htaKindOf("a\nSync"), HtaKind::Computation);
  EXPECT_EQ(detail::htaKindOf(""), HtaKind::Computation);
}

}  // namespace
}  // namespace stagelane::analysis
