#include "app/terminal/console.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "engine/base/visible_text.h"
#include "engine/base/write_failure.h"

namespace stagelane::app {
namespace {

/// A hint may have several lines, such as a list of forms. Indented, none looks like a message.
std::string indented(const std::string& lines) {
  std::string text = "  ";
  for (const char character : lines) {
    text += character;
    if (character == '\n') text += "  ";
  }
  return text;
}

/// @returns 0, or 8 after printing a write error
int printBytes(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return 0;
  const WriteFailure failure = writeFailure(errno);
  return printError({ErrorCode::CannotWrite, "cannot write to standard output: " + failure.why, "",
                     failure.advice});
}

}  // namespace

int printError(const Error& error) {
  std::string text = "stagelane: error: " + visible(error.message);
  if (!error.context.empty() && error.message.find(error.context) == std::string::npos) {
    text += " (at " + visible(error.context) + ")";
  }
  text += "\n";
  if (!error.hint.empty()) text += indented(visibleLines(error.hint)) + "\n";
  std::fputs(text.c_str(), stderr);
  return static_cast<int>(error.code);
}

void printWarning(const std::string& message) {
  std::fputs(("stagelane: warning: " + visible(message) + "\n").c_str(), stderr);
}

void printNote(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

int printText(const std::string& text) { return printBytes(visibleLines(text)); }

int printJson(const Json& document) {
  return printBytes(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::size_t displayWidth(const std::string& text) {
  // UTF-8 continuation bytes take no column.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string formatTable(std::vector<std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    for (std::string& cell : row) cell = visible(cell);
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], displayWidth(row[column]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += row[column];
      line += std::string(widths[column] - displayWidth(row[column]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace stagelane::app
