// The rules on made-up files: each rule is broken once here, which proves that it can fail.
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
  for (const std::string page : {"plan", "timeline", "report"}) {
    files.push_back(file("ui/" + page + "/" + page + "_page.h"));
  }
  files.push_back(file(path, {include}));
  return findViolations(files);
}

TEST(IncludeArrows, PointFromBaseToRun) {
  const std::vector<SourceFile> inOrder = {
      file("engine/base/result.h"),
      file("engine/trace/trace.h", {"\"engine/base/result.h\""}),
      file("engine/model/model.h", {"\"engine/trace/trace.h\""}),
      file("engine/schedule/action.h", {"\"engine/model/model.h\""}),
      file("engine/checkpoint/checkpoint.h", {"\"engine/base/result.h\""}),
      file("engine/plan/plan.h",
           {"\"engine/schedule/action.h\"", "\"engine/checkpoint/checkpoint.h\""}),
      file("engine/predict/simulator.h", {"\"engine/plan/plan.h\""}),
      file("engine/search/resolve.h", {"\"engine/predict/simulator.h\""}),
      file("engine/record/record.h", {"\"engine/search/resolve.h\""}),
      file("engine/workspace/workspace.h", {"\"engine/record/record.h\""}),
      file("engine/run/engine.h", {"\"engine/record/record.h\""}),
      file("profiler/capture/capture_session.h", {"\"engine/trace/trace.h\""}),
      file("app/stagelane_engine.cpp",
           {"\"engine/run/engine.h\"", "\"profiler/capture/capture_session.h\""}),
      file("ui/session/session.h", {"\"engine/workspace/workspace.h\""}),
      file("ui/plan/plan_page.h", {"\"ui/plan/lanes/lanes.h\""}),
      file("ui/plan/lanes/lanes.h", {"\"ui/session/session.h\""}),
      file("app/window/window.h", {"\"ui/plan/lanes/lanes.h\""}),
  };
  EXPECT_THAT(findViolations(inOrder), IsEmpty());
}

TEST(IncludeArrows, DoNotPointBack) {
  const std::vector<std::pair<std::string, std::string>> backwards = {
      {"engine/base/x.h", "engine/trace/x.h"},
      {"engine/trace/x.h", "engine/model/x.h"},
      {"engine/model/x.h", "engine/schedule/x.h"},
      {"engine/schedule/x.h", "engine/plan/x.h"},
      {"engine/model/x.h", "engine/checkpoint/x.h"},
      {"engine/schedule/x.h", "engine/checkpoint/x.h"},
      {"engine/checkpoint/x.h", "engine/model/x.h"},
      {"engine/plan/x.h", "engine/predict/x.h"},
      {"engine/predict/x.h", "engine/search/x.h"},
      {"engine/search/x.h", "engine/record/x.h"},
      {"engine/record/x.h", "engine/run/x.h"},
      {"engine/workspace/x.h", "engine/run/x.h"},
      {"engine/run/x.h", "engine/search/x.h"},
      {"engine/codegen/x.h", "engine/search/x.h"},
      {"engine/run/x.h", "profiler/formats/x.h"},
      {"profiler/formats/x.h", "engine/model/x.h"},
      {"engine/run/x.h", "ui/kit/x.h"},
      {"ui/kit/x.h", "ui/session/x.h"},
      {"ui/session/x.h", "ui/tracks/x.h"},
      {"ui/tracks/x.h", "ui/plots/x.h"},
      {"ui/frame/x.h", "ui/plan/x.h"},
      {"ui/plan/x.h", "ui/timeline/x.h"},
      {"ui/timeline/x.h", "ui/plan/lanes/x.h"},
      {"engine/run/device/x.h", "engine/run/step/x.h"},
      {"engine/run/step/x.h", "engine/run/proof/x.h"},
      {"engine/run/measure/x.h", "engine/run/proof/x.h"},
      {"engine/run/proof/x.h", "engine/run/x.h"},
      {"ui/kit/x.h", "ui/kit/pictures/x.h"},
      {"ui/session/prediction/x.h", "ui/session/run/x.h"},
      {"ui/session/document/x.h", "ui/session/x.h"},
      {"ui/plan/lanes/x.h", "ui/plan/x.h"},
      {"ui/plan/plan_model/x.h", "ui/plan/lanes/x.h"},
      {"ui/session/x.h", "engine/run/x.h"},
      {"ui/report/x.h", "profiler/capture/capture_session.h"},
      {"app/terminal/x.h", "app/cli/x.h"},
      {"app/engine_client/x.h", "app/cli/x.h"},
      {"app/cli/x.h", "app/window/x.h"},
      {"app/window/x.h", "engine/run/x.h"},
      {"app/engine_program/x.h", "ui/kit/x.h"},
      {"ui/frame/x.h", "app/window/x.h"},
      {"engine/plan/x.h", "tests/support/x.h"},
  };
  for (const auto& [from, to] : backwards) {
    EXPECT_THAT(violationsOf(from, "\"" + to + "\"", {file(to)}), testing::SizeIs(1))
        << from << " includes " << to;
  }
}

TEST(IncludeArrows, PointDownWithinAFolder) {
  const SourceFile executor = file("engine/run/step/executor.h");
  EXPECT_THAT(violationsOf("engine/run/proof/a.h", "\"engine/run/step/executor.h\"", {executor}),
              IsEmpty());
  EXPECT_THAT(violationsOf("engine/run/a.cpp", "\"engine/run/step/executor.h\"", {executor}),
              IsEmpty());
  // The interface is for all of its folders.
  EXPECT_THAT(violationsOf("engine/run/device/a.cpp", "\"engine/run/engine.h\"",
                           {file("engine/run/engine.h")}),
              IsEmpty());
}

TEST(IncludeArrows, NothingIncludesApp) {
  const SourceFile window = file("app/window/window.h");
  EXPECT_THAT(violationsOf("tests/gui/a_test.cpp", "\"app/window/window.h\"", {window}), IsEmpty());
  EXPECT_THAT(violationsOf("tests/ui/plan/a_test.cpp", "\"app/window/window.h\"", {window}),
              ElementsAre(HasSubstr("includes app")));
}

TEST(TorchHeaders, AreForSourcesAndPrivateHeadersOfRunAndCapture) {
  const std::string tensor = "<ATen/core/Tensor.h>";
  EXPECT_THAT(violationsOf("engine/run/step/executor.cpp", tensor), IsEmpty());
  EXPECT_THAT(violationsOf("profiler/capture/cpu.cpp", tensor), IsEmpty());
  EXPECT_THAT(violationsOf("engine/run/device/worker.h", tensor), IsEmpty());
  EXPECT_THAT(violationsOf("profiler/capture/record_owners.h", tensor), IsEmpty());
  for (const std::string path :
       {"engine/run/engine.h", "profiler/capture/capture_session.h", "app/stagelane_engine.cpp",
        "engine/plan/plan.cpp", "app/stagelane.cpp"}) {
    EXPECT_THAT(violationsOf(path, tensor), ElementsAre(HasSubstr("torch only in"))) << path;
  }
}

TEST(TorchHeaders, DoNotEscapeThroughPrivateHeaders) {
  const SourceFile worker = file("engine/run/device/worker.h", {"<ATen/core/Tensor.h>"});
  const std::string include = "\"engine/run/device/worker.h\"";
  EXPECT_THAT(violationsOf("engine/run/step/executor.cpp", include, {worker}), IsEmpty());
  EXPECT_THAT(violationsOf("engine/run/engine.h", include, {worker}),
              ElementsAre(HasSubstr("public header")));
  EXPECT_THAT(violationsOf("app/stagelane_engine.cpp", include, {worker}),
              ElementsAre(HasSubstr("private to engine/run")));
}

TEST(CudaHeaders, AreForFilesNamedAfterThem) {
  for (const std::string include : {"<cuda_runtime_api.h>", "<cupti.h>", "<nccl.h>"}) {
    EXPECT_THAT(violationsOf("engine/run/device/cuda_devices.cpp", include), IsEmpty()) << include;
    EXPECT_THAT(violationsOf("profiler/capture/cupti_session.cpp", include), IsEmpty()) << include;
    EXPECT_THAT(violationsOf("engine/run/device/devices.cpp", include),
                ElementsAre(HasSubstr("CUDA only in")))
        << include;
  }
  EXPECT_THAT(violationsOf("engine/run/device/devices.cpp", "<c10/cuda/CUDAStream.h>"),
              ElementsAre(HasSubstr("CUDA only in")));
}

TEST(CudaHeaders, DoNotEscapeThroughOwnHeaders) {
  const SourceFile streams = file("engine/run/device/cuda_streams.h", {"<cuda_runtime_api.h>"});
  const std::string include = "\"engine/run/device/cuda_streams.h\"";
  EXPECT_THAT(violationsOf("engine/run/device/cuda_worker.cpp", include, {streams}), IsEmpty());
  EXPECT_THAT(violationsOf("engine/run/device/worker.cpp", include, {streams}),
              ElementsAre(HasSubstr("includes CUDA's headers")));
}

TEST(QtHeaders, AreForUiAndApp) {
  for (const std::string include : {"<QString>", "<QtGlobal>", "<QtCore/QObject>"}) {
    EXPECT_THAT(violationsOf("ui/kit/a.h", include), IsEmpty()) << include;
    EXPECT_THAT(violationsOf("app/cli/a.cpp", include), IsEmpty()) << include;
    EXPECT_THAT(violationsOf("engine/plan/a.cpp", include), ElementsAre(HasSubstr("Qt only in")))
        << include;
  }
}

TEST(QtHeaders, OfQCustomPlotAreForPlots) {
  EXPECT_THAT(violationsOf("ui/plots/a.h", "<qcustomplot.h>"), IsEmpty());
  EXPECT_THAT(violationsOf("ui/plan/a.cpp", "<qcustomplot.h>"),
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
  // kInside has no folders deeper than engine/run/step.
  for (const std::string folder :
       {"engine/extras", "engine/run/extras", "engine/run/step/extras"}) {
    EXPECT_THAT(findViolations({file(folder + "/a.cpp")}),
                ElementsAre(HasSubstr("no folder that the architecture names")));
  }
}

TEST(OwnFiles, OfUiAreForAllOrOfAPage) {
  EXPECT_THAT(findViolations({file("ui/extras/a.cpp")}),
              ElementsAre(HasSubstr("no folder that the architecture names")));
  EXPECT_THAT(findViolations({file("ui/extras/a.cpp"), file("ui/extras/extras_page.h")}),
              IsEmpty());
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
