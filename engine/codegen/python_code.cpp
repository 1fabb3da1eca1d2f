#include "engine/codegen/python_code.h"

#include <algorithm>

#include "engine/base/json.h"

namespace stagelane::codegen::detail {

std::string pythonText(std::string_view text) {
  // JSON's escapes are valid in Python, except "\/", which is never written.
  return Json(std::string(text)).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string pythonNumber(double value) { return Json(value).dump(); }

std::string pythonBool(bool value) { return value ? "True" : "False"; }

std::string pythonTuple(const std::vector<std::int64_t>& values) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  }
  return text + (values.size() == 1 ? ",)" : ")");
}

std::string plainWords(std::string_view text) {
  std::string plain;
  for (const char letter : text) {
    const bool control = static_cast<unsigned char>(letter) < ' ' || letter == '\x7f';
    plain += control ? ' ' : letter == '"' ? '\'' : letter == '\\' ? '/' : letter;
  }
  return plain;
}

std::string Expression::inLine() const {
  if (!call) return head;
  std::string text = head + "(";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + items[i].inLine();
  return text + ")";
}

std::vector<std::string> Expression::lines(std::size_t indent, std::string_view before) const {
  const std::string blanks(indent, ' ');
  const std::string whole = blanks + std::string(before) + inLine();
  if (!call || items.empty() || whole.size() <= kPythonColumns) return {whole};
  std::vector<std::string> all{blanks + std::string(before) + head + "("};
  for (const Expression& item : items) {
    std::vector<std::string> inner = item.lines(indent + 4, "");
    inner.back() += ',';
    all.insert(all.end(), inner.begin(), inner.end());
  }
  all.push_back(blanks + ")");
  return all;
}

Expression leaf(std::string text) { return {std::move(text), {}, false}; }

Expression callOf(std::string head, std::vector<Expression> items) {
  return {std::move(head), std::move(items), true};
}

Code& Code::line(std::string_view text) {
  if (!text.empty()) m_text.append(m_indent, ' ').append(text);
  m_text += '\n';
  return *this;
}

Code& Code::lines(std::string_view text) {
  m_text += text;
  return *this;
}

Code& Code::assign(const std::string& target, const Expression& value) {
  for (const std::string& each : value.lines(m_indent, target + " = ")) m_text += each + '\n';
  return *this;
}

std::vector<std::string> wrapped(std::string_view words, std::size_t columns) {
  std::vector<std::string> all;
  std::string current;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    if (!current.empty() && current.size() + 1 + word.size() > columns) {
      all.push_back(std::move(current));
      current.clear();
    }
    current += (current.empty() ? "" : " ") + std::string(word);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  if (!current.empty()) all.push_back(std::move(current));
  return all;
}

}  // namespace stagelane::codegen::detail
