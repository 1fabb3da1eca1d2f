#include "app/terminal/console.h"

#include <QString>
#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "engine/base/write_failure.h"

namespace stagelane::app {
namespace {

// Messages quote files: replace invalid characters and terminal control sequences.
std::string printable(const std::string& text) {
  QString clean = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  for (QChar& character : clean) {
    if (character.category() == QChar::Other_Control && character != QLatin1Char('\n')) {
      character = QChar::ReplacementCharacter;
    }
  }
  return clean.toStdString();
}

}  // namespace

int printError(const Error& error) {
  std::string text = "stagelane: error: " + error.message;
  if (!error.context.empty() && error.message.find(error.context) == std::string::npos) {
    text += " (at " + error.context + ")";
  }
  text += "\n";
  if (!error.hint.empty()) text += "  " + error.hint + "\n";
  std::fputs(printable(text).c_str(), stderr);
  return static_cast<int>(error.code);
}

void printWarning(const std::string& message) {
  std::fputs(printable("stagelane: warning: " + message + "\n").c_str(), stderr);
}

void printNote(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

int printText(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return 0;
  const WriteFailure failure = writeFailure(errno);
  return printError({ErrorCode::CannotWrite, "cannot write to standard output: " + failure.why, "",
                     failure.advice});
}

int printJson(const Json& document) {
  return printText(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::size_t displayWidth(const std::string& text) {
  // UTF-8 continuation bytes take no column.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string formatTable(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
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
