#include "tests/structure/brace_rules.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace stagelane::structure {
namespace {

constexpr std::size_t kColumns = 100;

bool isShort(const std::string& head, const std::string& body, const std::string& indent) {
  // GoogleTest's macros contain an else, for which the compiler requires braces.
  static const std::regex kControl(
      R"(^\s*((if|for|while|do|switch|case|default)\b|EXPECT_|ASSERT_|ADD_FAILURE|FAIL\(|GTEST_SKIP).*)");
  const std::string statement = body.substr(std::min(indent.size() + 2, body.size()));
  return !statement.empty() && statement.back() == ';' && statement.front() != ' ' &&
         statement.find("//") == std::string::npos && !std::regex_match(statement, kControl) &&
         head.size() - 1 + statement.size() <= kColumns;
}

}  // namespace

std::vector<std::string> findNeedlessBraces(const SourceText& file) {
  static const std::regex kHead(R"(^(\s*)(if|for|while)( constexpr)? \(.*\) \{$)");
  std::vector<std::string> lines;
  std::istringstream stream(file.text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::vector<std::string> found;
  for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
    std::smatch head;
    if (!std::regex_match(lines[i], head, kHead)) continue;
    const std::string indent = head[1];
    if (lines[i + 2] == indent + "}" && isShort(lines[i], lines[i + 1], indent)) {
      found.push_back(file.path + ":" + std::to_string(i + 1));
    }
  }
  return found;
}

}  // namespace stagelane::structure
