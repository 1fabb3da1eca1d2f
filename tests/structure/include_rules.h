// The dependency arrows of docs/development/architecture.md as a pure function of files and their
// includes, so that the rules can be tested on files that do not exist. source_tree_test.cpp reads
// the tree.
#pragma once

#include <string>
#include <vector>

namespace stagelane::structure {

struct Include {
  std::string target;  // the text between the quotes or brackets
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

/// The include lines of a file's text, without commented ones.
std::vector<Include> parseIncludes(const std::string& text);

}  // namespace stagelane::structure
