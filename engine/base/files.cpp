#include "engine/base/files.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "engine/base/atomic_file.h"
#include "engine/base/write_failure.h"

namespace stagelane {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannotWrite(const fs::path& path, int errorNumber) {
  const WriteFailure failure = writeFailure(errorNumber);
  return fail(ErrorCode::CannotWrite, "cannot write: " + failure.why, path.string(),
              failure.advice);
}

/// A replaced file keeps its permissions.
unsigned modeFor(const fs::path& path) {
  std::error_code problem;
  const fs::file_status there = fs::status(path, problem);
  return fs::is_regular_file(there) ? static_cast<unsigned>(there.permissions())
                                    : AtomicFile::kReadableByAll;
}

}  // namespace

Status writeFileAtomically(const fs::path& path, std::string_view content) {
  std::error_code ignored;
  // The folder would allow replacing it, but a write-protected file is not overwritten.
  if (fs::exists(path, ignored) && ::access(path.c_str(), W_OK) != 0) {
    return cannotWrite(path, errno);
  }
  AtomicFile file(path);
  file.write(content);
  const int problem = file.commit(Sync::Yes, modeFor(path));
  return problem == 0 ? Status{} : cannotWrite(path, problem);
}

Result<std::string> readFile(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return fail(ErrorCode::Invalid, "is a folder, not a file", path.string());
  }
  // Reading a device file such as /dev/zero would never end.
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    return fail(ErrorCode::Invalid, "is not a regular file", path.string());
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::Invalid, std::string("cannot read: ") + std::strerror(errno),
                path.string(), "Check the path and its permissions");
  }
  std::ostringstream content;
  content << stream.rdbuf();
  if (stream.bad()) return fail(ErrorCode::Invalid, "reading failed", path.string());
  return std::move(content).str();
}

Status makeEmptyFolder(const fs::path& path) {
  std::error_code problem;
  if (fs::exists(path, problem)) {
    if (!fs::is_directory(path, problem) || !fs::is_empty(path, problem) || problem) {
      return fail(ErrorCode::CannotWrite, "is not an empty folder", path.string(),
                  "Choose a folder that does not exist yet, or an empty one");
    }
    if (::access(path.c_str(), W_OK | X_OK) != 0) return cannotWrite(path, errno);
    return {};
  }
  fs::create_directories(path, problem);
  if (problem) return cannotWrite(path, problem.value());
  return {};
}

void ignoreWriteSignals() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace stagelane
