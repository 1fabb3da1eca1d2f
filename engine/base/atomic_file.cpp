#include "engine/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace stagelane {

namespace {

/// The target of a chain of links; the path itself if it is not a link or the link is broken.
std::filesystem::path targetOf(const std::filesystem::path& path) {
  std::error_code problem;
  if (!std::filesystem::is_symlink(path, problem)) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, problem);
  return problem ? path : target;
}

/// Whether the path is a pipe or a device, which cannot be replaced by a rename.
bool takesBytes(const std::filesystem::path& path) {
  std::error_code problem;
  const auto kind = std::filesystem::status(path, problem).type();
  using Kind = std::filesystem::file_type;
  return kind == Kind::fifo || kind == Kind::character || kind == Kind::block ||
         kind == Kind::socket;
}

/// Standard output by its name. Opening it anew would write to the beginning of a redirected file,
/// or replace that file.
bool isStandardOutput(const std::filesystem::path& path) { return path == "/dev/stdout"; }

/// Opens what takes bytes in place. -1 with errno if that fails.
int openInPlace(const std::filesystem::path& path) {
  return isStandardOutput(path) ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
}

/// The path through which an open unnamed file can be linked.
std::string placeOf(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

/// Opens an unnamed file, which disappears with the process; -1 where the file system has none.
int openNameless(const std::filesystem::path& folder) {
  const char* const here = folder.empty() ? "." : folder.c_str();
  const int descriptor = ::open(here, O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor >= 0 && ::access(placeOf(descriptor).c_str(), F_OK) != 0) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

/// @returns whether the file has the name now; errno holds the reason if not
bool giveName(int descriptor, const std::string& name) {
  return ::linkat(AT_FDCWD, placeOf(descriptor).c_str(), AT_FDCWD, name.c_str(),
                  AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, Links links) {
  if (links == Links::Follow && (isStandardOutput(path) || takesBytes(path))) {
    m_path = std::move(path);
    m_way = Way::Direct;
    m_descriptor = openInPlace(m_path);
  } else {
    m_path = links == Links::Follow ? targetOf(path) : std::move(path);
    m_way = Way::Nameless;
    m_descriptor = openNameless(m_path.parent_path());
    if (m_descriptor < 0) {
      m_way = Way::Named;
      m_temporary = m_path.string() + ".XXXXXX";
      m_descriptor = ::mkostemp(m_temporary.data(), O_CLOEXEC);
    }
  }
  keep(m_descriptor >= 0);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_temporary(std::move(other.m_temporary)),
      m_way(other.m_way),
      m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_problem(other.m_problem) {}

AtomicFile::~AtomicFile() {
  if (m_descriptor >= 0) {
    ::close(m_descriptor);
    if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
  }
}

/// Keeps only the first error. @pre errno describes the operation that failed
void AtomicFile::keep(bool went) {
  if (!went && m_problem == 0) m_problem = errno;
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty() && m_problem == 0) {
    const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else {
      keep(errno == EINTR);
    }
  }
}

/// Links the unnamed file. Retries with another temporary name if one is taken, and takes the final
/// name directly if no file exists there.
void AtomicFile::nameIt() {
  constexpr int kMostTries = 100;
  bool named = giveName(m_descriptor, m_path.string());
  for (int i = 0; !named && errno == EEXIST && i < kMostTries; ++i) {
    m_temporary = m_path.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(i);
    named = giveName(m_descriptor, m_temporary);
  }
  keep(named);
  if (!named) m_temporary.clear();
}

int AtomicFile::commit(Sync sync, unsigned mode) {
  if (m_descriptor < 0) return m_problem;
  if (m_way == Way::Direct) {
    keep(::close(std::exchange(m_descriptor, -1)) == 0);
    return m_problem;
  }
  if (m_problem == 0 && sync == Sync::Yes) keep(::fsync(m_descriptor) == 0);
  if (m_problem == 0) keep(::fchmod(m_descriptor, static_cast<mode_t>(mode)) == 0);
  if (m_problem == 0 && m_way == Way::Nameless) nameIt();
  keep(::close(std::exchange(m_descriptor, -1)) == 0);
  if (m_problem == 0 && !m_temporary.empty()) {
    keep(::rename(m_temporary.c_str(), m_path.c_str()) == 0);
  }
  if (m_problem != 0 && !m_temporary.empty()) ::unlink(m_temporary.c_str());
  return m_problem;
}

}  // namespace stagelane
