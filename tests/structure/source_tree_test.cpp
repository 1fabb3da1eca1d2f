// The rules of include_rules.h and size_rules.h on the real sources.
#include "tests/structure/include_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>
#include "engine/plan/strategies.h"
#include "tests/structure/brace_rules.h"
#include "tests/structure/name_rules.h"
#include "tests/structure/size_rules.h"
#include "tests/support/paths.h"

namespace stagelane::structure {
namespace {

namespace fs = std::filesystem;

std::string readText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

const std::vector<std::string> kProduct{"engine", "profiler", "ui", "app"};

std::vector<SourceText> readTexts(const fs::path& root, const std::vector<std::string>& folders) {
  std::vector<SourceText> files;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp")) continue;
      files.push_back(
          {entry.path().lexically_relative(root).generic_string(), readText(entry.path())});
    }
  }
  return files;
}

std::vector<SourceFile> readSources(const fs::path& root) {
  std::vector<std::string> folders = kProduct;
  folders.push_back("tests");
  std::vector<SourceFile> files;
  for (const SourceText& read : readTexts(root, folders)) {
    SourceFile file;
    file.path = read.path;
    file.includes = parseIncludes(read.text);
    file.hasIncludeGuard = read.text.find("#pragma once") != std::string::npos;
    files.push_back(file);
  }
  return files;
}

// Names of those that exceed the limit.
std::set<std::string> largerThan(int most, const std::vector<Extent>& extents) {
  std::set<std::string> names;
  for (const Extent& extent : extents) {
    if (extent.lines > most) names.insert(extent.name);
  }
  return names;
}

TEST(SourceTree, KeepsTheArrowsOfTheArchitecture) {
  const std::vector<SourceFile> files = readSources(checkout::root());
  // Fewer would mean that the wrong folder was read and that this test cannot fail.
  ASSERT_GT(files.size(), 10U) << "in " << checkout::root();
  for (const std::string& violation : findViolations(files)) ADD_FAILURE() << violation;
}

TEST(SourceTree, HasEverythingInItsPlace) {
  std::vector<std::string> paths;
  for (const SourceText& file : readTexts(checkout::root(), kProduct)) paths.push_back(file.path);
  ASSERT_GT(paths.size(), 10U);
  for (const std::string& misplaced : findMisplaced(paths)) ADD_FAILURE() << misplaced;
}

TEST(SourceTree, HasNoTestDoubles) {
  for (const SourceText& file : readTexts(checkout::root(), kProduct)) {
    EXPECT_THAT(findTestDoubles(file), testing::IsEmpty());
  }
}

TEST(SourceTree, HasOneBraceStyle) {
  std::vector<std::string> folders = kProduct;
  folders.push_back("tests");
  for (const SourceText& file : readTexts(checkout::root(), folders)) {
    EXPECT_THAT(findNeedlessBraces(file), testing::IsEmpty());
  }
}

TEST(SourceTree, NamesStrategiesInTheirTableOnly) {
  std::vector<std::string> names;
  for (const plan::StrategyRow& row : plan::strategies()) names.emplace_back(row.name);
  for (const SourceText& file : readTexts(checkout::root(), kProduct)) {
    // Files of tokenizers have a member with the name of a strategy.
    if (file.path.rfind("engine/tokenizer/", 0) == 0) continue;
    EXPECT_THAT(findStrategyNames(file, names), testing::IsEmpty());
  }
}

TEST(SourceTree, HasNoLongFunctionsClassesOrFiles) {
  const std::vector<SourceText> files = readTexts(checkout::root(), kProduct);
  std::vector<Extent> functions;
  std::vector<Extent> whole;
  for (const SourceText& file : files) {
    const std::vector<Extent> found = functionsOf(file);
    functions.insert(functions.end(), found.begin(), found.end());
    whole.push_back(
        {file.path, static_cast<int>(std::count(file.text.begin(), file.text.end(), '\n'))});
  }
  ASSERT_GT(functions.size(), 1000U);
  EXPECT_THAT(largerThan(kMostLinesOfFunction, functions), testing::IsEmpty());
  EXPECT_THAT(largerThan(kMostLinesOfClass, classesOf(files)), testing::IsEmpty());
  EXPECT_THAT(largerThan(kMostLinesOfFile, whole), testing::IsEmpty());
}

}  // namespace
}  // namespace stagelane::structure
