#include "engine/run/hogwild/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/text.h"
#include "engine/run/device/host.h"

namespace stagelane::run {
namespace {

tl::unexpected<Error> failedCall(const std::string& what, int number, std::size_t bytes) {
  const bool full = number == ENOMEM || number == ENOSPC;
  return fail(full ? ErrorCode::OutOfMemory : ErrorCode::EngineFailure,
              "cannot " + what + " " + humanBytes(static_cast<Bytes>(bytes)) +
                  " of shared memory: " + std::strerror(number),
              "", full ? "use a smaller model, or a smaller or shorter list of batches" : "");
}

}  // namespace

SharedMemory::SharedMemory(SharedMemory&& other) noexcept { swap(other); }

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  swap(other);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (m_data != nullptr) ::munmap(m_data, m_size);
  if (m_descriptor >= 0) ::close(m_descriptor);
}

void SharedMemory::swap(SharedMemory& other) noexcept {
  std::swap(m_descriptor, other.m_descriptor);
  std::swap(m_data, other.m_data);
  std::swap(m_size, other.m_size);
}

Result<SharedMemory> SharedMemory::create(std::size_t bytes) {
  // Linux would go on until it ends a process, instead of refusing what can never fit.
  const Bytes has = hostMemory();
  if (has > 0 && bytes > static_cast<std::size_t>(has))
    return failedCall("allocate", ENOMEM, bytes);
  SharedMemory memory;
  memory.m_size = bytes;
  memory.m_descriptor = ::memfd_create("stagelane-hogwild", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory.m_descriptor < 0) return failedCall("create", errno, bytes);
  // A page that does not fit later would end the process that touches it first by a signal.
  if (::fallocate(memory.m_descriptor, 0, 0, static_cast<off_t>(bytes)) != 0) {
    return failedCall("allocate", errno, bytes);
  }
  constexpr int kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (::fcntl(memory.m_descriptor, F_ADD_SEALS, kFixedSize) != 0) {
    return failedCall("fix the size of", errno, bytes);
  }
  STAGELANE_CHECK(memory.map());
  return memory;
}

Result<SharedMemory> SharedMemory::open(int descriptor) {
  struct stat file {};
  if (::fstat(descriptor, &file) != 0 || file.st_size <= 0) {
    return fail(ErrorCode::EngineFailure,
                "descriptor " + std::to_string(descriptor) + " is not shared memory of an engine");
  }
  SharedMemory memory;
  memory.m_descriptor = descriptor;
  memory.m_size = static_cast<std::size_t>(file.st_size);
  STAGELANE_CHECK(memory.map());
  return memory;
}

Status SharedMemory::map() {
  void* const data = ::mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_SHARED, m_descriptor, 0);
  if (data == MAP_FAILED) return failedCall("map", errno, m_size);
  m_data = static_cast<std::byte*>(data);
  return {};
}

}  // namespace stagelane::run
