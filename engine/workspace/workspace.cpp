#include "engine/workspace/workspace.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>

#include "engine/base/text.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string(value);
}

std::string timeStamp() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &local);
  return text.data();
}

// Creates `path` and its parents if needed.
Status makeFolder(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) {
    return fail(ErrorCode::CannotWrite, "cannot create the folder: " + failed.message(),
                path.string(), "set STAGELANE_WORKSPACE to a writable folder, or use --out",
                {FailureKind::Workspace});
  }
  return {};
}

class FileLock final : public RunLock {
 public:
  explicit FileLock(int descriptor) : m_descriptor(descriptor) {}
  ~FileLock() override {
    // Truncates instead of removing: otherwise two runs could lock two files of the same name.
    static_cast<void>(::ftruncate(m_descriptor, 0));
    ::close(m_descriptor);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  int descriptor() const override { return m_descriptor; }

 private:
  int m_descriptor;
};

std::string holderOf(const fs::path& path) {
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? std::string("another process") : text;
}

}  // namespace

fs::path workspaceRoot() {
  if (const std::string own = environment("STAGELANE_WORKSPACE"); !own.empty()) return own;
  if (const std::string data = environment("XDG_DATA_HOME"); !data.empty()) {
    return fs::path(data) / "stagelane";
  }
  const std::string home = environment("HOME");
  return fs::path(home.empty() ? "." : home) / ".local" / "share" / "stagelane";
}

Result<fs::path> newRunFolder(const fs::path& workspace, const std::string& experimentName) {
  return newFolder(workspace / "runs", experimentName);
}

Result<fs::path> newFolder(const fs::path& runs, const std::string& name) {
  STAGELANE_CHECK(makeFolder(runs));
  // File names have at most 255 bytes.
  const std::string stem = timeStamp() + "-" + slug(name).substr(0, 100);
  for (int attempt = 1; attempt < 1000; ++attempt) {
    const fs::path folder = runs / (attempt == 1 ? stem : stem + "-" + std::to_string(attempt));
    std::error_code failed;
    if (fs::create_directory(folder, failed)) return folder;
    if (failed) {
      return fail(ErrorCode::CannotWrite, "cannot create a run folder: " + failed.message(),
                  folder.string(), "set STAGELANE_WORKSPACE to a writable folder, or use --out",
                  {FailureKind::Workspace});
    }
  }
  return fail(ErrorCode::CannotWrite, "1000 runs with this name already started in this second",
              (runs / stem).string(), "use --out");
}

Result<std::unique_ptr<RunLock>> RunLock::take(const fs::path& workspace, const std::string& note) {
  STAGELANE_CHECK(makeFolder(workspace));
  const fs::path path = workspace / "run.lock";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return fail(ErrorCode::CannotWrite,
                "cannot open the run lock: " + std::string(std::strerror(errno)), path.string(),
                "set STAGELANE_WORKSPACE to a writable folder", {FailureKind::Workspace});
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    const bool taken = errno == EWOULDBLOCK;
    const std::string why = std::strerror(errno);
    ::close(descriptor);
    if (taken) {
      return fail(ErrorCode::CannotWrite, "another run is using this workspace: " + holderOf(path),
                  path.string(),
                  "wait for it or cancel it; simultaneous runs would distort both measurements");
    }
    return fail(ErrorCode::CannotWrite, "cannot lock the workspace: " + why, path.string(),
                "set STAGELANE_WORKSPACE to a folder on a local disk", {FailureKind::Workspace});
  }
  auto lock = std::make_unique<FileLock>(descriptor);
  const std::string text = "process " + std::to_string(::getpid()) + ", " + note + "\n";
  static_cast<void>(::ftruncate(descriptor, 0));
  // Only for the message above; the lock does not depend on it.
  static_cast<void>(::write(descriptor, text.data(), text.size()) < 0);
  return lock;
}

}  // namespace stagelane::workspace
