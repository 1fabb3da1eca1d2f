#include "profiler/formats/trace_formats.h"

#include <algorithm>

#include "engine/base/find.h"

namespace stagelane::formats {
namespace {

constexpr std::array<std::string_view, 2> kPackedEndings{".gz", ".zst"};

}  // namespace

const std::vector<TraceFormat>& traceFormats() {
  static const std::vector<TraceFormat> all = [] {
    std::vector<TraceFormat> rows;
    for (const auto row : kFormatRows) rows.push_back(row());
    return rows;
  }();
  return all;
}

const TraceFormat* formatNamed(std::string_view name) {
  return findBy(traceFormats(), &TraceFormat::name, name);
}

const TraceFormat* writtenFormatOf(std::filesystem::path name) {
  const auto packed = std::find(kPackedEndings.begin(), kPackedEndings.end(), name.extension());
  if (packed != kPackedEndings.end()) name.replace_extension();
  const std::string ending = name.extension().string();
  for (const TraceFormat& format : traceFormats()) {
    const auto& own = format.endings;
    if (format.write != nullptr && contains(own, ending)) return &format;
  }
  return nullptr;
}

std::vector<std::string> writtenFormatNames() {
  std::vector<std::string> names;
  for (const TraceFormat& format : traceFormats()) {
    if (format.write != nullptr) names.emplace_back(format.name);
  }
  return names;
}

std::vector<std::string> readEndings() {
  std::vector<std::string> endings;
  for (const TraceFormat& format : traceFormats()) {
    if (format.read == nullptr) continue;
    endings.insert(endings.end(), format.endings.begin(), format.endings.end());
  }
  endings.insert(endings.end(), kPackedEndings.begin(), kPackedEndings.end());
  return endings;
}

std::string readFormatsText() {
  std::string text;
  for (const TraceFormat& format : traceFormats()) {
    if (format.read == nullptr) continue;
    text += (text.empty() ? "" : ", ") + std::string(format.title) + ' ' +
            std::string(format.endings.front());
  }
  return text + "; .gz, .zst";
}

}  // namespace stagelane::formats
