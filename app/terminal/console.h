#pragma once

/// Output of the command line: errors, JSON, tables. Standard output has only results, with
/// `--json` exactly one document; everything else goes to standard error. Control characters in
/// text, such as escape codes in names, are printed as symbols (engine/base/visible_text.h); JSON
/// is printed as it is.

#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

/// Prints "stagelane: error: MESSAGE (at PLACE)" and the hint on the next line to standard error.
/// @returns the exit code of the error
int printError(const Error& error);
void printWarning(const std::string& message);
/// Prints `text` to standard error unchanged and unbuffered: progress and notes. Names in it must
/// have passed `visible`.
void printNote(const std::string& text);

/// Prints lines of text to standard output. A name in them whose line breaks must not show as such
/// has passed `visible`. @returns 0, or 8 after printing a write error
int printText(const std::string& text);
int printJson(const Json& document);

/// Columns padded to their widest cell, two spaces apart; the first row is the header. Each cell is
/// one line: see `visible`.
[[nodiscard]] std::string formatTable(std::vector<std::vector<std::string>> rows);
/// Number of terminal columns of UTF-8 text without wide characters.
[[nodiscard]] std::size_t displayWidth(const std::string& text);

}  // namespace stagelane::app
