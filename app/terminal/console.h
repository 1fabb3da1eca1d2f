#pragma once

/// Output of the command line: errors, JSON, tables. Standard output has only results, with
/// `--json` exactly one document; everything else goes to standard error.

#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

/// Prints "stagelane: error: MESSAGE (at PLACE)" and the hint on the next line to standard error.
/// @returns the exit code of the error
int printError(const Error& error);
void printWarning(const std::string& message);
/// Prints `text` to standard error unchanged and unbuffered: progress and notes.
void printNote(const std::string& text);

/// Prints `text` to standard output. @returns 0, or 8 after printing a write error
int printText(const std::string& text);
int printJson(const Json& document);

/// Columns padded to their widest cell, two spaces apart; the first row is the header.
[[nodiscard]] std::string formatTable(const std::vector<std::vector<std::string>>& rows);
/// Number of terminal columns of UTF-8 text without wide characters.
[[nodiscard]] std::size_t displayWidth(const std::string& text);

}  // namespace stagelane::app
