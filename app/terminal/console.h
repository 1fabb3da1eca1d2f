#pragma once

/// What the command line prints: errors, one JSON document, tables. Standard output carries results
/// only, and under `--json` nothing but one document; everything else goes to standard error.

#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

/// "stagelane: error: MESSAGE (at PLACE)" and the hint below it, on standard error.
/// @returns the exit code of the error
int printError(const Error& error);
void printWarning(const std::string& message);
/// As it is, on standard error, at once: progress and remarks.
void printNote(const std::string& text);

/// All of `text` on standard output. @returns 0, or 8 (with the error printed) when it cannot be
/// written
int printText(const std::string& text);
int printJson(const Json& document);

/// Columns padded to their widest cell, two blanks between; the first row is the header.
[[nodiscard]] std::string formatTable(const std::vector<std::vector<std::string>>& rows);
/// Columns that a terminal needs for UTF-8 text without wide characters.
[[nodiscard]] std::size_t displayWidth(const std::string& text);

}  // namespace stagelane::app
