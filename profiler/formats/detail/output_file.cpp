#include "profiler/formats/detail/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace stagelane::formats::detail {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

tl::unexpected<Error> cannotWrite(const std::filesystem::path& path, int problem) {
  return fail(ErrorCode::CannotWrite,
              std::string("The trace cannot be written: ") + std::strerror(problem), path.string(),
              "Free some space or choose another folder");
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::filesystem::path& path) {
  std::string temporary = path.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) {
    return cannotWrite(path, errno);
  }
  return OutputFile(path, std::move(temporary), descriptor);
}

OutputFile::OutputFile(std::filesystem::path path, std::string temporary, int descriptor)
    : m_path(std::move(path)),
      m_temporary(std::move(temporary)),
      m_packer(packerFor(m_path)),
      m_descriptor(descriptor) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_temporary(std::move(other.m_temporary)),
      m_buffer(std::move(other.m_buffer)),
      m_packer(std::move(other.m_packer)),
      m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_problem(other.m_problem) {}

OutputFile::~OutputFile() {
  if (m_descriptor >= 0) {
    ::close(m_descriptor);
    ::unlink(m_temporary.c_str());
  }
}

void OutputFile::write(std::string_view bytes) {
  if (bytes.size() >= kBufferBytes) {
    flush();
    put(bytes);
    return;
  }
  m_buffer += bytes;
  if (m_buffer.size() >= kBufferBytes) {
    flush();
  }
}

void OutputFile::flush() {
  put(m_buffer);
  m_buffer.clear();
}

void OutputFile::put(std::string_view bytes) {
  if (m_packer) {
    m_packer->add(bytes, [this](std::string_view packed) { writeAll(packed); });
  } else {
    writeAll(bytes);
  }
}

void OutputFile::writeAll(std::string_view rest) {
  while (!rest.empty() && m_problem == 0) {
    const ssize_t written = ::write(m_descriptor, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      m_problem = errno;
    }
  }
}

Status OutputFile::commit(Sync sync, unsigned mode) {
  flush();
  if (m_packer) {
    m_packer->finish([this](std::string_view packed) { writeAll(packed); });
  }
  if (m_problem == 0 && ((sync == Sync::Yes && ::fsync(m_descriptor) != 0) ||
                         ::fchmod(m_descriptor, static_cast<mode_t>(mode)) != 0)) {
    m_problem = errno;
  }
  if (::close(std::exchange(m_descriptor, -1)) != 0 && m_problem == 0) {
    m_problem = errno;
  }
  if (m_problem == 0 && ::rename(m_temporary.c_str(), m_path.c_str()) != 0) {
    m_problem = errno;
  }
  if (m_problem != 0) {
    ::unlink(m_temporary.c_str());
    return cannotWrite(m_path, m_problem);
  }
  return {};
}

}  // namespace stagelane::formats::detail
