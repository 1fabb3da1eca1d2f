// The places and sizes of files, and the sizes of their functions and classes, as pure functions of
// paths and texts, so that the rules can be tested on files that do not exist.
#pragma once

#include <string>
#include <vector>

namespace stagelane::structure {

struct SourceText {
  std::string path;  // from the repository's root, with forward slashes
  std::string text;
};

/// A function, a class over all of its files, or a file, with its lines.
struct Extent {
  std::string name;  // `ui/plan/plan_page.cpp: PlanPage::build`, `PlanPage`, or a path
  int lines = 0;
};

inline constexpr int kMostUnitsOfFolder = 45;
inline constexpr int kMostLinesOfFunction = 60;
inline constexpr int kMostLinesOfClass = 600;
inline constexpr int kMostLinesOfFile = 600;

/// Files that are hard to find, one sentence each: in a folder `detail`, a header apart from its
/// source, more than 45 units in one folder.
std::vector<std::string> findMisplaced(const std::vector<std::string>& paths);

/// Test doubles in a product file, by the file's name or a name in its text: `path:line`.
std::vector<std::string> findTestDoubles(const SourceText& file);

/// All functions of a source laid out by clang-format: at namespace level, in class bodies,
/// and in those of classes within a class.
std::vector<Extent> functionsOf(const SourceText& file);

/// Classes and structs that headers declare, each with its header, every source that is mainly of
/// it, and its members' definitions in other sources.
std::vector<Extent> classesOf(const std::vector<SourceText>& files);

}  // namespace stagelane::structure
