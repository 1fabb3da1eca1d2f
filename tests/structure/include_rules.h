// The dependency arrows of docs/development/architecture.md as a pure function of files and their
// includes, so that the rules can be tested on files that do not exist. Reading the tree is
// source_tree's task.
#pragma once

#include <string>
#include <vector>

namespace stagelane::structure {

struct Include {
  std::string target;  // what stands between the quotes or brackets
  bool quoted = false;
  int line = 0;
};

struct SourceFile {
  std::string path;  // from the repository's root, with forward slashes
  std::vector<Include> includes;
  bool hasIncludeGuard = true;  // of headers
};

/// One sentence per broken rule, each beginning with `path:line: `.
std::vector<std::string> findViolations(const std::vector<SourceFile>& files);

/// The include lines of a file's text, commented ones left out.
std::vector<Include> parseIncludes(const std::string& text);

}  // namespace stagelane::structure
