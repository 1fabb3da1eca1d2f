// The rules on made-up files: each rule is broken once here, so that none can fall asleep.
#include "tests/structure/include_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace stagelane::structure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SourceFile file(std::string path, const std::vector<std::string>& includes = {}) {
  SourceFile result;
  result.path = std::move(path);
  int line = 0;
  for (const std::string& include : includes) {
    const bool quoted = include.front() == '"';
    result.includes.push_back({include.substr(1, include.size() - 2), quoted, ++line});
  }
  return result;
}

std::vector<std::string> violationsOf(const std::string& path, const std::string& include,
                                      const std::vector<SourceFile>& others = {}) {
  std::vector<SourceFile> files = others;
  files.push_back(file(path, {include}));
  return findViolations(files);
}

TEST(IncludeArrows, PointFromBaseToRun) {
  const std::vector<SourceFile> inOrder = {
      file("engine/base/result.h"),
      file("profiler/trace/trace.h", {"\"engine/base/result.h\""}),
      file("engine/model/model.h", {"\"profiler/trace/trace.h\""}),
      file("engine/plan/plan.h", {"\"engine/model/model.h\""}),
      file("engine/schedule/action.h", {"\"engine/plan/plan.h\""}),
      file("engine/predict/simulator.h", {"\"engine/schedule/action.h\""}),
      file("engine/record/record.h", {"\"engine/predict/simulator.h\""}),
      file("engine/workspace/workspace.h", {"\"engine/record/record.h\""}),
      file("engine/run/engine.h", {"\"engine/record/record.h\""}),
      file("profiler/capture/session.h", {"\"profiler/trace/trace.h\""}),
      file("engine/main.cpp", {"\"engine/run/engine.h\"", "\"profiler/capture/session.h\""}),
      file("ui/models/lanes.h", {"\"engine/workspace/workspace.h\""}),
      file("app/window.h", {"\"ui/models/lanes.h\""}),
  };
  EXPECT_THAT(findViolations(inOrder), IsEmpty());
}

TEST(IncludeArrows, DoNotPointBack) {
  const std::vector<std::pair<std::string, std::string>> backwards = {
      {"engine/base/x.h", "profiler/trace/x.h"},
      {"profiler/trace/x.h", "engine/model/x.h"},
      {"engine/model/x.h", "engine/plan/x.h"},
      {"engine/plan/x.h", "engine/schedule/x.h"},
      {"engine/schedule/x.h", "engine/predict/x.h"},
      {"engine/predict/x.h", "engine/record/x.h"},
      {"engine/record/x.h", "engine/run/x.h"},
      {"engine/workspace/x.h", "engine/run/x.h"},
      {"engine/run/x.h", "profiler/capture/x.h"},
      {"profiler/formats/x.h", "engine/model/x.h"},
      {"engine/run/x.h", "ui/models/x.h"},
      {"ui/models/x.h", "ui/widgets/x.h"},
      {"ui/models/x.h", "engine/run/x.h"},
      {"ui/report/x.h", "profiler/capture/x.h"},
      {"app/x.h", "engine/run/x.h"},
      {"app/x.h", "profiler/capture/x.h"},
      {"ui/widgets/x.h", "app/x.h"},
      {"engine/main.cpp", "app/x.h"},
      {"engine/plan/x.h", "tests/fakes/x.h"},
  };
  for (const auto& [from, to] : backwards) {
    EXPECT_THAT(violationsOf(from, "\"" + to + "\"", {file(to)}), testing::SizeIs(1))
        << from << " includes " << to;
  }
}

TEST(IncludeArrows, NothingIncludesApp) {
  const SourceFile window = file("app/window.h");
  EXPECT_THAT(violationsOf("tests/gui/a_test.cpp", "\"app/window.h\"", {window}), IsEmpty());
  EXPECT_THAT(violationsOf("tests/ui/models/a_test.cpp", "\"app/window.h\"", {window}),
              ElementsAre(HasSubstr("includes app")));
}

TEST(TorchHeaders, AreForSourcesAndPrivateHeadersOfRunAndCapture) {
  const std::string tensor = "<ATen/core/Tensor.h>";
  EXPECT_THAT(violationsOf("engine/run/executor.cpp", tensor), IsEmpty());
  EXPECT_THAT(violationsOf("profiler/capture/cpu.cpp", tensor), IsEmpty());
  EXPECT_THAT(violationsOf("engine/run/detail/worker.h", tensor), IsEmpty());
  EXPECT_THAT(violationsOf("profiler/capture/cpu_internal.h", tensor), IsEmpty());
  for (const std::string path : {"engine/run/executor.h", "profiler/capture/session.h",
                                 "engine/main.cpp", "engine/plan/plan.cpp", "app/main.cpp"}) {
    EXPECT_THAT(violationsOf(path, tensor), ElementsAre(HasSubstr("torch only in"))) << path;
  }
}

TEST(TorchHeaders, DoNotEscapeThroughPrivateHeaders) {
  const SourceFile worker = file("engine/run/detail/worker.h", {"<ATen/core/Tensor.h>"});
  const std::string include = "\"engine/run/detail/worker.h\"";
  EXPECT_THAT(violationsOf("engine/run/executor.cpp", include, {worker}), IsEmpty());
  EXPECT_THAT(violationsOf("engine/run/executor.h", include, {worker}),
              ElementsAre(HasSubstr("public header")));
  EXPECT_THAT(violationsOf("engine/main.cpp", include, {worker}),
              ElementsAre(HasSubstr("private to engine/run")));
}

TEST(CudaHeaders, AreForFilesNamedAfterThem) {
  for (const std::string include : {"<cuda_runtime_api.h>", "<cupti.h>", "<nccl.h>"}) {
    EXPECT_THAT(violationsOf("engine/run/cuda_devices.cpp", include), IsEmpty()) << include;
    EXPECT_THAT(violationsOf("profiler/capture/cupti_session.cpp", include), IsEmpty()) << include;
    EXPECT_THAT(violationsOf("engine/run/devices.cpp", include),
                ElementsAre(HasSubstr("CUDA only in")))
        << include;
  }
  EXPECT_THAT(violationsOf("engine/run/devices.cpp", "<c10/cuda/CUDAStream.h>"),
              ElementsAre(HasSubstr("CUDA only in")));
}

TEST(CudaHeaders, DoNotEscapeThroughOwnHeaders) {
  const SourceFile streams = file("engine/run/detail/cuda_streams.h", {"<cuda_runtime_api.h>"});
  const std::string include = "\"engine/run/detail/cuda_streams.h\"";
  EXPECT_THAT(violationsOf("engine/run/cuda_worker.cpp", include, {streams}), IsEmpty());
  EXPECT_THAT(violationsOf("engine/run/worker.cpp", include, {streams}),
              ElementsAre(HasSubstr("includes CUDA's headers")));
}

TEST(QtHeaders, AreForUiAndApp) {
  for (const std::string include : {"<QString>", "<QtGlobal>", "<QtCore/QObject>"}) {
    EXPECT_THAT(violationsOf("ui/models/a.h", include), IsEmpty()) << include;
    EXPECT_THAT(violationsOf("app/a.cpp", include), IsEmpty()) << include;
    EXPECT_THAT(violationsOf("engine/plan/a.cpp", include), ElementsAre(HasSubstr("Qt only in")))
        << include;
  }
}

TEST(QtHeaders, OfQCustomPlotAreForPlots) {
  EXPECT_THAT(violationsOf("ui/plots/a.h", "<qcustomplot.h>"), IsEmpty());
  EXPECT_THAT(violationsOf("ui/widgets/a.cpp", "<qcustomplot.h>"),
              ElementsAre(HasSubstr("only in ui/plots")));
}

TEST(OwnHeaders, AreNamedFromTheRootInQuotes) {
  const SourceFile result = file("engine/base/result.h");
  EXPECT_THAT(violationsOf("engine/base/ids.h", "<engine/base/result.h>", {result}),
              ElementsAre(HasSubstr("go in quotes")));
  EXPECT_THAT(violationsOf("engine/base/ids.h", "\"result.h\"", {result}),
              ElementsAre(HasSubstr("no path from the repository's root")));
  EXPECT_THAT(violationsOf("engine/base/ids.h", "\"engine/base/gone.h\""),
              ElementsAre(HasSubstr("does not exist")));
  EXPECT_THAT(violationsOf("engine/base/version.cpp", "\"stagelane_version.h\""), IsEmpty());
}

TEST(OwnHeaders, ComeFirstInTheirSource) {
  const SourceFile header = file("engine/base/json.h");
  EXPECT_THAT(findViolations(
                  {header, file("engine/base/json.cpp", {"\"engine/base/json.h\"", "<string>"})}),
              IsEmpty());
  EXPECT_THAT(findViolations(
                  {header, file("engine/base/json.cpp", {"<string>", "\"engine/base/json.h\""})}),
              ElementsAre(HasSubstr("before all others")));
}

TEST(OwnHeaders, HaveAGuard) {
  SourceFile header = file("engine/base/json.h");
  header.hasIncludeGuard = false;
  EXPECT_THAT(findViolations({header}), ElementsAre(HasSubstr("#pragma once")));
}

TEST(OwnFiles, AreInAFolderOfTheArchitecture) {
  EXPECT_THAT(findViolations({file("engine/extras/a.cpp")}),
              ElementsAre(HasSubstr("no folder that the architecture names")));
}

TEST(ParseIncludes, ReadsQuotesBracketsAndLines) {
  const std::vector<Include> includes = parseIncludes(
      "#pragma once\n  #  include <vector>\n// #include <map>\n#include \"a/b.h\" // x\n");
  ASSERT_EQ(includes.size(), 2U);
  EXPECT_EQ(includes[0].target, "vector");
  EXPECT_FALSE(includes[0].quoted);
  EXPECT_EQ(includes[0].line, 2);
  EXPECT_EQ(includes[1].target, "a/b.h");
  EXPECT_TRUE(includes[1].quoted);
  EXPECT_EQ(includes[1].line, 4);
}

}  // namespace
}  // namespace stagelane::structure
