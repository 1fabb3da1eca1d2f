#include "tests/structure/name_rules.h"

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <string_view>

namespace stagelane::structure {
namespace {

constexpr std::size_t kAround = 60;

/// Where the product has one of the words as the name of something else.
struct OtherUse {
  std::string_view path;
  std::string_view before;  // what is in front of the word
};

constexpr std::array kOtherUses{
    OtherUse{"app/cli/commands_analyze.cpp", "kPipelineForm = \""},      // a set of definitions
    OtherUse{"engine/plan/implicit_variants.cpp", "variant.name = \""},  // part of a title
    OtherUse{"engine/predict/prediction.cpp", "single.id = \""},         // a variant
    OtherUse{"engine/record/result_json.cpp", "kHogwildKey = \""},       // a member of result.json
    OtherUse{"engine/run/loop/run_loop.cpp", "warn(\""},                 // the code of a warning
    OtherUse{"engine/schedule/methods_basic.cpp", "{.name = \""},        // schedules
    OtherUse{"ui/plots/chart_hogwild.cpp", ".word = \""},                // a kind of chart
};

class Finder {
 public:
  explicit Finder(const SourceText& file) : m_file(file) {}

  /// Every place of `text` with, around it, what matches both patterns.
  void find(const std::string& text, const std::regex& before, const std::regex& after) {
    const std::string& all = m_file.text;
    for (std::size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) {
      const std::size_t from = at < kAround ? 0 : at - kAround;
      const std::string front = all.substr(from, at - from);
      if (std::regex_search(front, before) && !isOtherUse(front) &&
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
  [[nodiscard]] bool isOtherUse(const std::string& front) const {
    return std::any_of(kOtherUses.begin(), kOtherUses.end(), [&](const OtherUse& use) {
      return m_file.path == use.path && front.ends_with(use.before);
    });
  }

  const SourceText& m_file;
  std::set<std::ptrdiff_t> m_lines;
};

}  // namespace

std::vector<std::string> findStrategyNames(const SourceText& file,
                                           const std::vector<std::string>& names) {
  static const std::regex kAny("");
  static const std::regex kNoLetterBefore(R"((^|\W)$)");
  static const std::regex kLetterAfter(R"(^[A-Z])");
  // Every literal: "a", u"a"_s, R"(a)". Words in longer texts, such as hints, are allowed.
  static const std::regex kQuoteBefore(R"re("\(?$)re");
  static const std::regex kQuoteAfter(R"re(^\)?")re");
  static const std::regex kComparedBefore(R"([!=]=\s*&?(\w+::)*\w*$)");
  static const std::regex kComparedAfter(R"(^(\.(strategy|name))?\)?\s*[!=]=)");
  if (file.path.starts_with("engine/plan/strategies.")) return {};
  Finder finder(file);
  finder.find("Strategy::", kNoLetterBefore, kLetterAfter);
  finder.find("using enum", kAny, std::regex(R"(^ (\w+::)*Strategy;)"));
  finder.find("Strategy()", kComparedBefore, kAny);
  finder.find("Strategy()", kAny, kComparedAfter);
  for (const std::string& name : names) finder.find(name, kQuoteBefore, kQuoteAfter);
  return finder.found();
}

}  // namespace stagelane::structure
