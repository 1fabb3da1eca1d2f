#pragma once

/// Formats Python source: literals, calls that are wrapped if they are long, and indented lines.
/// Independent of the script's content.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stagelane::codegen::detail {

inline constexpr std::size_t kPythonColumns = 96;

/// A single-line literal with this value.
[[nodiscard]] std::string pythonText(std::string_view text);
/// The shortest literal with this value.
[[nodiscard]] std::string pythonNumber(double value);
[[nodiscard]] std::string pythonBool(bool value);
/// `(3, 128, 128)`, `(10,)`.
[[nodiscard]] std::string pythonTuple(const std::vector<std::int64_t>& values);
/// Makes text safe for a docstring or a comment: replaces quotes, backslashes and newlines.
[[nodiscard]] std::string plainWords(std::string_view text);

/// `head(items…)`, or only `head` if `call` is false.
struct Expression {
  std::string head;
  std::vector<Expression> items;
  bool call = false;

  [[nodiscard]] std::string inLine() const;
  /// Lines of at most kPythonColumns where possible; the first one follows `before`.
  [[nodiscard]] std::vector<std::string> lines(std::size_t indent, std::string_view before) const;
  friend bool operator==(const Expression&, const Expression&) = default;
};
[[nodiscard]] Expression leaf(std::string text);
[[nodiscard]] Expression callOf(std::string head, std::vector<Expression> items);

/// Collects lines of code.
class Code {
 public:
  /// One line at the current indentation; an empty line has no blanks.
  Code& line(std::string_view text = {});
  /// Appends text of several lines unchanged.
  Code& lines(std::string_view text);
  Code& assign(const std::string& target, const Expression& value);
  Code& indent() {
    m_indent += 4;
    return *this;
  }
  Code& dedent() {
    m_indent -= 4;
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  std::string m_text;
  std::size_t m_indent = 0;
};

/// Words broken into lines of at most `columns`.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view words, std::size_t columns);

}  // namespace stagelane::codegen::detail
