#include "tests/structure/include_rules.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace stagelane::structure {
namespace {

using Folders = std::set<std::string, std::less<>>;
using Arrows = std::map<std::string, Folders, std::less<>>;

// Every folder may include those above it in its list, and whole lists as given below.
const std::vector<std::string> kEngine = {"engine/base",   "engine/tokenizer", "engine/trace",
                                          "engine/model",  "engine/schedule",  "engine/checkpoint",
                                          "engine/plan",   "engine/predict",   "engine/search",
                                          "engine/record", "engine/workspace", "engine/codegen"};
const std::vector<std::string> kProfiler = {"profiler/formats", "profiler/analysis"};
const std::vector<std::string> kUi = {"ui/kit", "ui/session", "ui/tracks", "ui/plots", "ui/frame"};
const std::vector<std::string> kApp = {"app/terminal", "app/engine_client", "app/cli",
                                       "app/window"};

// The same within a folder that has folders; its own files have a place in the list.
const std::vector<std::vector<std::string>> kInside = {
    {"engine/run/device", "engine/run/ranks", "engine/run/step", "engine/run/calibrate",
     "engine/run/measure", "engine/run/hogwild", "engine/run/proof", "engine/run/loop",
     "engine/run"},
    {"ui/kit/text", "ui/kit", "ui/kit/pictures"},
    {"ui/session/document", "ui/session/prediction", "ui/session/run", "ui/session"},
    {"ui/plan/plan_model", "ui/plan/blocks", "ui/plan/experiment", "ui/plan/lanes",
     "ui/plan/prediction", "ui/plan/variants", "ui/plan"},
    {"ui/runs/compare", "ui/runs/sweep", "ui/runs"},
    {"app/engine_client/remote", "app/engine_client"}};

// The interface of engine/run. It includes none of the folders there, so they may include it.
constexpr std::string_view kInterface = "engine/run/engine.h";

// Which other folders a folder may include from.
// `pages` are the folders of ui that have one; they see none of each other.
Arrows makeArrows(const Folders& pages) {
  Arrows arrows;
  Folders below;
  const auto stack = [&](const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
      arrows[folder] = below;
      below.insert(folder);
    }
  };
  stack(kEngine);
  arrows["engine/run"] = below;
  // Reading files of weights does not depend on what Stagelane makes of them.
  arrows["engine/checkpoint"] = {"engine/base"};
  // They get a resolved plan.
  arrows["engine/run"].erase("engine/search");
  arrows["engine/codegen"].erase("engine/search");
  // Reading and analyzing traces does not depend on plans.
  const Folders values = {"engine/base", "engine/trace"};
  arrows["profiler/formats"] = arrows["profiler/analysis"] = arrows["profiler/capture"] = values;
  below.insert(kProfiler.begin(), kProfiler.end());
  arrows["app/engine_program"] = below;
  arrows["app/engine_program"].insert({"engine/run", "profiler/capture"});
  stack(kUi);
  for (const std::string& page : pages) arrows[page] = below;
  below.insert(pages.begin(), pages.end());
  stack(kApp);
  // The two programs combine the parts.
  arrows["app"] = below;
  arrows["app"].insert({"app/engine_program", "engine/run", "profiler/capture"});
  return arrows;
}

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [text](std::string_view prefix) { return startsWith(text, prefix); });
}

bool endsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

std::string_view fileName(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// The folder that has arrows: two levels, one for the tests and for the programs' files.
std::string ownerOf(std::string_view path) {
  const std::size_t first = path.find('/');
  if (first == std::string_view::npos) return {};
  const std::string_view top = path.substr(0, first);
  if (top == "tests") return std::string(top);
  const std::size_t second = path.find('/', first + 1);
  return std::string(path.substr(0, second == std::string_view::npos ? first : second));
}

// The folder that has arrows within a folder: three levels, two for its own files.
std::string innerOwnerOf(std::string_view path) {
  const std::string owner = ownerOf(path);
  const std::size_t third = path.find('/', owner.size() + 1);
  return third == std::string_view::npos ? owner : std::string(path.substr(0, third));
}

// The folders within a folder that a folder may include from.
Arrows makeInnerArrows() {
  Arrows arrows;
  for (const std::vector<std::string>& folders : kInside) {
    Folders below;
    for (const std::string& folder : folders) {
      arrows[folder] = below;
      below.insert(folder);
    }
  }
  return arrows;
}

bool isOwn(std::string_view target) {
  return startsWithAny(target, {"engine/", "profiler/", "ui/", "app/", "tests/"});
}

bool isTest(std::string_view path) { return startsWith(path, "tests/"); }

bool isTorch(std::string_view target) {
  return startsWithAny(target, {"ATen/", "c10/", "torch/", "caffe2/"});
}

bool isCuda(std::string_view target) {
  return startsWithAny(target, {"ATen/cuda/", "c10/cuda/", "torch/csrc/cuda/", "cuda", "cupti",
                                "nccl", "nvml", "cublas", "cudnn", "generated_cuda"});
}

bool isQt(std::string_view target) {
  const bool isClass = target.size() > 1 && target[0] == 'Q' &&
                       std::isupper(static_cast<unsigned char>(target[1])) != 0;
  return isClass || startsWith(target, "Qt");
}

bool isGenerated(std::string_view target) {
  return target == "stagelane_version.h" || endsWith(target, ".moc") ||
         startsWith(target, "moc_") || startsWith(target, "ui_");
}

bool isNamedForCuda(std::string_view path) {
  return startsWithAny(fileName(path), {"cuda_", "cupti_"});
}

// Headers that use torch or are in a folder of engine/run: private to their top folder.
bool isPrivateHeader(std::string_view path) {
  if (startsWith(path, "engine/run/")) {
    return path.find('/', std::string_view("engine/run/").size()) != std::string_view::npos;
  }
  return startsWith(path, "profiler/capture/") && path != "profiler/capture/capture_session.h";
}

bool mayUseTorch(std::string_view path) {
  if (startsWithAny(path, {"tests/engine/run/", "tests/profiler/capture/", "tests/bench/",
                           "tests/support/async_device/", "tests/async_device/"})) {
    return true;
  }
  return startsWithAny(path, {"engine/run/", "profiler/capture/"}) &&
         (endsWith(path, ".cpp") || isPrivateHeader(path));
}

bool mayUseQt(std::string_view path) {
  if (startsWithAny(path, {"app/engine_program/", "app/stagelane_engine."})) return false;
  return startsWithAny(path, {"ui/", "app/", "tests/ui/", "tests/app/", "tests/gui/",
                              "tests/support/", "tests/bench/"});
}

bool mayUseCustomPlot(std::string_view path) {
  return startsWithAny(path, {"ui/plots/", "tests/ui/plots/"});
}

/// The folders of ui with a page: `plan` has plan_page.h.
Folders pagesOf(const std::vector<SourceFile>& files) {
  Folders pages;
  for (const SourceFile& file : files) {
    const std::string owner = ownerOf(file.path);
    if (startsWith(owner, "ui/") && file.path == owner + owner.substr(2) + "_page.h") {
      pages.insert(owner);
    }
  }
  return pages;
}

/// Collects the broken rules of a set of files.
class Checker {
 public:
  explicit Checker(const std::vector<SourceFile>& files) : m_arrows(makeArrows(pagesOf(files))) {
    for (const SourceFile& file : files) {
      m_paths.insert(file.path);
      const bool includesCuda = std::any_of(
          file.includes.begin(), file.includes.end(),
          [](const Include& include) { return !isOwn(include.target) && isCuda(include.target); });
      if (includesCuda && endsWith(file.path, ".h")) m_cudaHeaders.insert(file.path);
    }
  }

  void check(const SourceFile& file) {
    checkFolder(file);
    checkGuard(file);
    checkOwnHeaderFirst(file);
    for (const Include& include : file.includes) {
      if (isOwn(include.target)) {
        checkOwnInclude(file, include);
      } else {
        checkForeignInclude(file, include);
      }
    }
  }

  std::vector<std::string> take() { return std::move(m_violations); }

 private:
  void add(const SourceFile& file, int line, const std::string& what) {
    m_violations.push_back(file.path + ":" + std::to_string(line) + ": " + what);
  }

  void checkFolder(const SourceFile& file) {
    const std::string owner = ownerOf(file.path);
    const std::string folder = file.path.substr(0, file.path.rfind('/'));
    if (!isTest(file.path) &&
        (m_arrows.count(owner) == 0 || (folder != owner && m_inner.count(folder) == 0))) {
      add(file, 1, "is in no folder that the architecture names");
    }
  }

  void checkGuard(const SourceFile& file) {
    if (endsWith(file.path, ".h") && !file.hasIncludeGuard) add(file, 1, "has no #pragma once");
  }

  // If its .cpp includes a header before all others, the header compiles alone; other headers get a
  // generated file that only includes them.
  void checkOwnHeaderFirst(const SourceFile& file) {
    if (!endsWith(file.path, ".cpp")) return;
    const std::string header = file.path.substr(0, file.path.size() - 4) + ".h";
    if (m_paths.count(header) == 0) return;
    if (file.includes.empty() || file.includes.front().target != header) {
      add(file, file.includes.empty() ? 1 : file.includes.front().line,
          "must include its own header \"" + header + "\" before all others");
    }
  }

  void checkOwnInclude(const SourceFile& file, const Include& include) {
    const std::string quotedName = "\"" + include.target + "\"";
    if (!include.quoted) add(file, include.line, "own headers go in quotes: " + quotedName);
    if (m_paths.count(include.target) == 0) add(file, include.line, quotedName + " does not exist");
    checkArrow(file, include);
    if (isPrivateHeader(include.target) && ownerOf(file.path) != ownerOf(include.target) &&
        !isTest(file.path)) {
      add(file, include.line, quotedName + " is private to " + ownerOf(include.target));
    }
    if (isPrivateHeader(include.target) && endsWith(file.path, ".h") &&
        !isPrivateHeader(file.path) && !isNamedForCuda(file.path) && !isTest(file.path)) {
      add(file, include.line, "a public header must not include the private " + quotedName);
    }
    if (m_cudaHeaders.count(include.target) != 0 && !isNamedForCuda(file.path)) {
      add(file, include.line,
          quotedName +
              " includes CUDA's headers, so only files named cuda_* or cupti_* may include it");
    }
  }

  void checkArrow(const SourceFile& file, const Include& include) {
    const std::string to = ownerOf(include.target);
    if (isTest(file.path)) {
      const bool mayOpenApp =
          startsWithAny(file.path, {"tests/app/", "tests/gui/", "tests/bench/"});
      if (startsWith(to, "app") && !mayOpenApp) {
        add(file, include.line, "nothing but tests/app, tests/gui and tests/bench includes app");
      }
      return;
    }
    const std::string from = ownerOf(file.path);
    if (to == "tests") {
      add(file, include.line, "the product must not include tests: \"" + include.target + "\"");
      return;
    }
    if (from != to) {
      mustSee(file, include, m_arrows, from, to);
    } else if (include.target != kInterface) {
      mustSee(file, include, m_inner, innerOwnerOf(file.path), innerOwnerOf(include.target));
    }
  }

  void mustSee(const SourceFile& file, const Include& include, const Arrows& all,
               const std::string& from, const std::string& to) {
    const auto arrows = all.find(from);
    if (from != to && arrows != all.end() && arrows->second.count(to) == 0) {
      add(file, include.line, from + " must not see " + to + ": \"" + include.target + "\"");
    }
  }

  void checkForeignInclude(const SourceFile& file, const Include& include) {
    const std::string& target = include.target;
    if (include.quoted && !isGenerated(target) && !isTorch(target)) {
      add(file, include.line,
          "\"" + target + "\" is no path from the repository's root; others' headers go in <>");
    }
    if (isTorch(target) && !mayUseTorch(file.path)) {
      add(file, include.line,
          "<" + target +
              ">: torch only in .cpp files and private headers of engine/run and profiler/capture");
    }
    if (isCuda(target) && !isNamedForCuda(file.path)) {
      add(file, include.line, "<" + target + ">: CUDA only in files named cuda_* or cupti_*");
    }
    if (isQt(target) && !mayUseQt(file.path)) {
      add(file, include.line, "<" + target + ">: Qt only in ui and app");
    }
    if (target == "qcustomplot.h" && !mayUseCustomPlot(file.path)) {
      add(file, include.line, "<qcustomplot.h>: only in ui/plots");
    }
  }

  Arrows m_arrows;
  Arrows m_inner = makeInnerArrows();
  Folders m_paths;
  Folders m_cudaHeaders;
  std::vector<std::string> m_violations;
};

}  // namespace

std::vector<std::string> findViolations(const std::vector<SourceFile>& files) {
  Checker checker(files);
  for (const SourceFile& file : files) checker.check(file);
  return checker.take();
}

std::vector<Include> parseIncludes(const std::string& text) {
  std::vector<Include> includes;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') continue;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line.compare(at, 7, "include") != 0) continue;
    const std::size_t open = line.find_first_of("\"<", at + 7);
    if (open == std::string::npos) continue;
    const bool quoted = line[open] == '"';
    const std::size_t close = line.find(quoted ? '"' : '>', open + 1);
    if (close != std::string::npos) {
      includes.push_back({line.substr(open + 1, close - open - 1), quoted, number});
    }
  }
  return includes;
}

}  // namespace stagelane::structure
