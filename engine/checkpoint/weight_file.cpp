#include "engine/checkpoint/weight_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace stagelane::checkpoint {
namespace {

tl::unexpected<Error> cannotRead(const std::filesystem::path& path, int errorNumber) {
  return fail(ErrorCode::Invalid, std::string("cannot read: ") + std::strerror(errorNumber),
              path.string(), "Check the path and its permissions");
}

}  // namespace

WeightFile::WeightFile(std::filesystem::path path, int descriptor, Bytes size)
    : m_path(std::move(path)), m_descriptor(descriptor), m_size(size) {}

WeightFile::~WeightFile() { ::close(m_descriptor); }

Result<WeightFilePtr> WeightFile::open(std::filesystem::path path) {
  // Without O_NONBLOCK, a pipe that nobody writes would stop the program.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return cannotRead(path, errno);
  struct stat status {};
  const int problem = ::fstat(descriptor, &status) == 0 ? 0 : errno;
  if (problem != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    if (problem != 0) return cannotRead(path, problem);
    return fail(ErrorCode::Invalid, "is not a regular file", path.string());
  }
  const Bytes size = status.st_size;
  return WeightFilePtr(new WeightFile(std::move(path), descriptor, size));
}

Status WeightFile::read(Bytes offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t count = ::pread(m_descriptor, into.data(), into.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannotRead(m_path, errno);
    if (count == 0) {
      return fail(ErrorCode::Invalid, "the file ends before the data that is to be read",
                  m_path.string() + ", byte " + std::to_string(offset),
                  "Another program may be writing it; copy the file again");
    }
    offset += count;
    into = into.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace stagelane::checkpoint
