#include <zlib.h>

#include <array>

#include "engine/base/files.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/perfetto.h"

namespace stagelane::formats {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kSqliteMagic = "SQLite format 3";
/// A packed file that grows beyond this is refused.
constexpr std::size_t kMostBytes = std::size_t{16} << 30;

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// What can be unpacked; a cut file gives its beginning.
Result<std::string> unzip(const std::string& packed, const std::string& source) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) {
    return fail(ErrorCode::Invalid, "gzip cannot be started", source);
  }
  std::string bytes;
  std::string chunk(kChunk, '\0');
  std::size_t taken = 0;
  int state = Z_OK;
  while (state == Z_OK && bytes.size() < kMostBytes) {
    if (stream.avail_in == 0) {
      const std::size_t part = std::min(packed.size() - taken, kChunk);
      // zlib's interface is not const; it does not write to its input.
      stream.next_in =
          reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));  // NOLINT
      stream.avail_in = static_cast<uInt>(part);
      taken += part;
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());  // NOLINT
    stream.avail_out = static_cast<uInt>(chunk.size());
    state = inflate(&stream, Z_NO_FLUSH);
    bytes.append(chunk, 0, chunk.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (bytes.empty() || bytes.size() >= kMostBytes) {
    return fail(ErrorCode::Invalid,
                bytes.empty() ? "The gzip file cannot be unpacked"
                              : "The gzip file unpacks to more than 16 GiB",
                source + ", byte 0");
  }
  return bytes;
}

}  // namespace

Result<std::string> readUnpacked(const std::filesystem::path& path) {
  Result<std::string> bytes = readFile(path);
  if (bytes && startsWith(*bytes, kGzipMagic)) {
    bytes = unzip(*bytes, path.string());
  }
  return bytes;
}

Result<ReadTrace> readTrace(const std::filesystem::path& path) {
  const Result<std::string> bytes = readUnpacked(path);
  if (!bytes) {
    return tl::make_unexpected(bytes.error());
  }
  if (startsWith(*bytes, kSqliteMagic)) {
    return fail(ErrorCode::Invalid, "Nsight Systems' SQLite is not available in this version",
                path.string(), "Export the report as JSON or open a Perfetto or Chrome trace");
  }
  const std::size_t first = bytes->find_first_not_of(" \t\r\n");
  if (first != std::string::npos && ((*bytes)[first] == '{' || (*bytes)[first] == '[')) {
    // A perfetto file begins with a line feed too, its tag; a length of '{' or '[' is possible.
    Result<ReadTrace> chrome = parseChrome(*bytes, path.string());
    if (chrome || first == 0) {
      return chrome;
    }
  }
  return parsePerfetto(*bytes, path.string());
}

}  // namespace stagelane::formats
