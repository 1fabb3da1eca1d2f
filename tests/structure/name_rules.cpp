#include "tests/structure/name_rules.h"

#include <algorithm>
#include <regex>
#include <set>

namespace stagelane::structure {
namespace {

constexpr std::size_t kAround = 60;

class Finder {
 public:
  explicit Finder(const SourceText& file) : m_file(file) {}

  /// Every place of `text` with, around it, what matches both patterns.
  void find(const std::string& text, const std::regex& before, const std::regex& after) {
    const std::string& all = m_file.text;
    for (std::size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) {
      const std::size_t from = at < kAround ? 0 : at - kAround;
      if (std::regex_search(all.substr(from, at - from), before) &&
          std::regex_search(all.substr(at + text.size(), kAround), after)) {
        m_lines.insert(1 + std::count(all.begin(), all.begin() + static_cast<long>(at), '\n'));
      }
    }
  }

  [[nodiscard]] std::vector<std::string> found() const {
    std::vector<std::string> places;
    for (const auto line : m_lines) places.push_back(m_file.path + ":" + std::to_string(line));
    return places;
  }

 private:
  const SourceText& m_file;
  std::set<std::ptrdiff_t> m_lines;
};

}  // namespace

std::vector<std::string> findStrategyNames(const SourceText& file,
                                           const std::vector<std::string>& names) {
  static const std::regex kAny("");
  static const std::regex kNoLetterBefore(R"((^|\W)$)");
  static const std::regex kLetterAfter(R"(^[A-Z])");
  static const std::regex kWrittenBefore(R"(([!=]=|"strategy"(,|\]\s*=))\s*([\w:]+\()?$)");
  static const std::regex kComparedBefore(R"([!=]=\s*&?(\w+::)*\w*$)");
  static const std::regex kComparedAfter(R"(^\)?\s*[!=]=)");
  if (file.path.starts_with("engine/plan/strategies.")) return {};
  Finder finder(file);
  finder.find("Strategy::", kNoLetterBefore, kLetterAfter);
  finder.find("using enum", kAny, std::regex(R"(^ (\w+::)*Strategy;)"));
  finder.find("Strategy()", kComparedBefore, kAny);
  for (const std::string& name : names) {
    finder.find('"' + name + '"', kWrittenBefore, kAny);
    finder.find('"' + name + '"', kAny, kComparedAfter);
  }
  return finder.found();
}

}  // namespace stagelane::structure
