// The rules of include_rules.h on the real sources.
#include "tests/structure/include_rules.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace stagelane::structure {
namespace {

namespace fs = std::filesystem;

std::string readText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<SourceFile> readSources(const fs::path& root) {
  std::vector<SourceFile> files;
  for (const char* folder : {"engine", "profiler", "ui", "app", "tests"}) {
    if (!fs::is_directory(root / folder)) {
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp")) {
        continue;
      }
      const std::string text = readText(entry.path());
      SourceFile file;
      file.path = entry.path().lexically_relative(root).generic_string();
      file.includes = parseIncludes(text);
      file.hasIncludeGuard = text.find("#pragma once") != std::string::npos;
      files.push_back(file);
    }
  }
  return files;
}

TEST(SourceTree, KeepsTheArrowsOfTheArchitecture) {
  const std::vector<SourceFile> files = readSources(STAGELANE_SOURCE_DIR);
  // Fewer would mean that the wrong folder was read, and that this test cannot fail.
  ASSERT_GT(files.size(), 10U) << "in " << STAGELANE_SOURCE_DIR;
  for (const std::string& violation : findViolations(files)) {
    ADD_FAILURE() << violation;
  }
}

}  // namespace
}  // namespace stagelane::structure
