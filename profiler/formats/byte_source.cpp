#include "profiler/formats/byte_source.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <string>

namespace stagelane::formats::detail {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kPackedChunk = std::size_t{64} << 10;
/// Largest window of a zstd file (2^27 bytes), as in the zstd program.
constexpr int kLargestWindowLog = 27;

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : m_bytes(bytes) {}
  std::size_t read(char* buffer, std::size_t size) override {
    const std::size_t count = std::min(size, m_bytes.size());
    std::copy_n(m_bytes.data(), count, buffer);
    m_bytes.remove_prefix(count);
    return count;
  }

 private:
  std::string_view m_bytes;
};

class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, ReadProgress* progress)
      : m_descriptor(descriptor), m_progress(progress) {}
  ~FileSource() override { ::close(m_descriptor); }

  std::size_t read(char* buffer, std::size_t size) override {
    std::size_t taken = 0;
    while (taken < size && m_problem.empty()) {
      if (m_progress != nullptr && m_progress->cancel) {
        m_problem = "canceled";
        break;
      }
      // In pieces, to react to a cancellation soon.
      const ssize_t got = ::read(m_descriptor, buffer + taken, std::min(size - taken, 8 * kChunk));
      if (got > 0) {
        taken += static_cast<std::size_t>(got);
        m_place += static_cast<std::uint64_t>(got);
      } else if (got == 0) {
        break;
      } else if (errno != EINTR) {
        m_problem = std::string("cannot read further: ") + std::strerror(errno) + " at byte " +
                    std::to_string(m_place);
      }
    }
    if (m_progress != nullptr) m_progress->done = m_place;
    return taken;
  }
  [[nodiscard]] std::string problem() const override { return m_problem; }

 private:
  int m_descriptor;
  ReadProgress* m_progress;
  std::uint64_t m_place = 0;
  std::string m_problem;
};

/// Common part of gzip and zstd: the buffer of packed bytes, the limit, and the position of an
/// error.
class Unpacking : public ByteSource {
 public:
  Unpacking(std::unique_ptr<ByteSource> packed, std::string begin, std::uint64_t most)
      : m_packed(std::move(packed)), m_most(most), m_buffer(std::move(begin)) {}

  std::size_t read(char* buffer, std::size_t size) override {
    std::size_t made = 0;
    while (made < size && m_problem.empty() && !m_ended) {
      if (m_taken == m_buffer.size()) refill();
      if (m_made + made >= m_most) {
        stop("unpacks to more than " + std::to_string(m_most) + " bytes");
        break;
      }
      const std::uint64_t room = std::min<std::uint64_t>(size - made, m_most - m_made - made);
      made += unpack(buffer + made, static_cast<std::size_t>(room));
    }
    m_made += made;
    return made;
  }
  [[nodiscard]] std::string problem() const override {
    return m_problem.empty() ? m_packed->problem() : m_problem;
  }

 protected:
  /// Unpacks from `rest` into the buffer; calls `take`, and `stop` or `end`.
  virtual std::size_t unpack(char* buffer, std::size_t size) = 0;
  [[nodiscard]] std::string_view rest() const { return std::string_view(m_buffer).substr(m_taken); }
  void take(std::size_t count) { m_taken += count; }
  void end() { m_ended = true; }
  [[nodiscard]] bool noMoreInput() const { return m_noMore && m_taken == m_buffer.size(); }
  void stop(const std::string& why) {
    m_problem = why + ", at packed byte " + std::to_string(m_base + m_taken);
  }

 private:
  void refill() {
    m_base += m_buffer.size();
    m_taken = 0;
    m_buffer.resize(kPackedChunk);
    m_buffer.resize(m_packed->read(m_buffer.data(), m_buffer.size()));
    m_noMore = m_buffer.empty();
  }

  std::unique_ptr<ByteSource> m_packed;
  std::uint64_t m_most;
  std::string m_buffer;
  std::size_t m_taken = 0;
  std::uint64_t m_base = 0;
  std::uint64_t m_made = 0;
  std::string m_problem;
  bool m_noMore = false;
  bool m_ended = false;
};

class GzipSource final : public Unpacking {
 public:
  using Unpacking::Unpacking;
  ~GzipSource() override {
    if (m_started) inflateEnd(&m_stream);
  }

 private:
  std::size_t unpack(char* buffer, std::size_t size) override {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (!m_started && inflateInit2(&m_stream, kGzipOnly) != Z_OK) {
      stop("cannot initialize gzip");
      return 0;
    }
    m_started = true;
    if (m_atMemberEnd) {
      if (noMoreInput() || rest().front() == '\0') {
        end();  // zeros after the last member are padding
        return 0;
      }
      if (rest().front() != kGzipMagic.front()) {
        stop("unexpected data after the last gzip member");
        return 0;
      }
      inflateReset(&m_stream);
      m_atMemberEnd = false;
    }
    const std::string_view input = rest();
    // zlib's interface is not const; it does not write to its input.
    m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));  // NOLINT
    m_stream.avail_in = static_cast<uInt>(input.size());
    m_stream.next_out = reinterpret_cast<Bytef*>(buffer);  // NOLINT
    const std::size_t room = std::min<std::size_t>(size, std::numeric_limits<uInt>::max());
    m_stream.avail_out = static_cast<uInt>(room);
    const int state = inflate(&m_stream, Z_NO_FLUSH);
    take(input.size() - m_stream.avail_in);
    m_atMemberEnd = state == Z_STREAM_END;
    const std::size_t made = room - m_stream.avail_out;
    if (state == Z_BUF_ERROR && noMoreInput()) {
      stop("the gzip file is truncated");
    } else if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) {
      stop("the gzip file is damaged");
    }
    return made;
  }

  z_stream m_stream{};
  bool m_started = false;
  bool m_atMemberEnd = false;
};

class ZstdSource final : public Unpacking {
 public:
  ZstdSource(std::unique_ptr<ByteSource> packed, std::string begin, std::uint64_t most)
      : Unpacking(std::move(packed), std::move(begin), most), m_stream(ZSTD_createDStream()) {
    ZSTD_DCtx_setParameter(m_stream, ZSTD_d_windowLogMax, kLargestWindowLog);
  }
  ~ZstdSource() override { ZSTD_freeDStream(m_stream); }

 private:
  std::size_t unpack(char* buffer, std::size_t size) override {
    if (noMoreInput() && m_atFrameEnd) {
      end();
      return 0;
    }
    const std::string_view packed = rest();
    ZSTD_inBuffer input{packed.data(), packed.size(), 0};
    ZSTD_outBuffer output{buffer, size, 0};
    const std::size_t state = ZSTD_decompressStream(m_stream, &output, &input);
    take(input.pos);
    m_atFrameEnd = state == 0;
    if (ZSTD_isError(state) != 0) {
      stop(std::string("the zstd file is damaged (") + ZSTD_getErrorName(state) + ")");
    } else if (noMoreInput() && output.pos == 0 && state != 0) {
      stop("the zstd file is truncated");
    }
    return output.pos;
  }

  ZSTD_DStream* m_stream;
  bool m_atFrameEnd = true;
};

/// Bytes that were already read, then the rest of the source.
class Rejoined final : public ByteSource {
 public:
  Rejoined(std::string begin, std::unique_ptr<ByteSource> rest)
      : m_begin(std::move(begin)), m_rest(std::move(rest)) {}
  std::size_t read(char* buffer, std::size_t size) override {
    const std::size_t count = std::min(size, m_begin.size() - m_taken);
    std::copy_n(m_begin.data() + m_taken, count, buffer);
    m_taken += count;
    return count + (count < size ? m_rest->read(buffer + count, size - count) : 0);
  }
  [[nodiscard]] std::string problem() const override { return m_rest->problem(); }

 private:
  std::string m_begin;
  std::size_t m_taken = 0;
  std::unique_ptr<ByteSource> m_rest;
};

}  // namespace

std::unique_ptr<ByteSource> memorySource(std::string_view bytes) {
  return std::make_unique<MemorySource>(bytes);
}

std::unique_ptr<ByteSource> unpacking(std::unique_ptr<ByteSource> packed, std::uint64_t most) {
  std::string begin(kZstdMagic.size(), '\0');
  begin.resize(packed->read(begin.data(), begin.size()));
  const std::string_view view = begin;
  if (view.substr(0, kGzipMagic.size()) == kGzipMagic) {
    return std::make_unique<GzipSource>(std::move(packed), std::move(begin), most);
  }
  if (view == kZstdMagic) {
    return std::make_unique<ZstdSource>(std::move(packed), std::move(begin), most);
  }
  return std::make_unique<Rejoined>(std::move(begin), std::move(packed));
}

Result<std::unique_ptr<ByteSource>> openFile(const std::filesystem::path& path,
                                             ReadProgress* progress) {
  // Do not block on opening a pipe without a writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return fail(ErrorCode::Invalid, std::string("cannot read: ") + std::strerror(errno),
                path.string(), "Check the path and its permissions");
  }
  auto file = std::make_unique<FileSource>(descriptor, progress);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return fail(ErrorCode::Invalid,
                S_ISDIR(status.st_mode) ? "the path is a folder, not a file"
                                        : "the path is not a regular file",
                path.string(), "Use a trace file");
  }
  if (progress != nullptr) progress->total = static_cast<std::uint64_t>(status.st_size);
  return unpacking(std::move(file));
}

std::string readAll(ByteSource& source, std::uint64_t most) {
  constexpr std::size_t kFirst = std::size_t{64} << 10;
  std::string bytes;
  std::size_t filled = 0;
  while (filled < most) {
    const std::uint64_t wanted =
        std::min<std::uint64_t>(most, std::max<std::uint64_t>(kFirst, 2 * filled));
    bytes.resize(static_cast<std::size_t>(wanted));
    const std::size_t got = source.read(bytes.data() + filled, bytes.size() - filled);
    filled += got;
    if (got == 0) break;
  }
  bytes.resize(filled);
  return bytes;
}

std::uint64_t mostInMemory() {
  constexpr std::uint64_t kMost = std::uint64_t{16} << 30;
  constexpr std::uint64_t kShare = 4;
  constexpr std::uint64_t kKilo = 1024;
  std::ifstream known("/proc/meminfo");
  std::string key, unit;
  std::uint64_t value = 0;
  while (known >> key >> value) {
    if (key == "MemAvailable:") return std::min(kMost, value * kKilo / kShare);
    std::getline(known, unit);
  }
  return kMost;
}

namespace {

/// Why `held` bytes, of at most `most`, are not all of the source, or "".
std::string whyNotAll(ByteSource& source, std::uint64_t held, std::uint64_t most) {
  std::string problem = source.problem();
  char next = 0;
  if (held >= most && problem.empty() && source.read(&next, 1) > 0) {
    problem = "it exceeds the memory limit of " + std::to_string(most >> 20) +
              " MiB; the rest is not read";
  }
  return problem;
}

}  // namespace

Unpacked unpackAll(ByteSource& source, std::uint64_t most) {
  Unpacked unpacked;
  unpacked.bytes = readAll(source, most);
  unpacked.problem = whyNotAll(source, unpacked.bytes.size(), most);
  return unpacked;
}

MappedBytes::~MappedBytes() {
  if (m_bytes != nullptr) ::munmap(m_bytes, m_room);
}

void MappedBytes::grow(std::size_t room) {
  void* const bytes = m_bytes == nullptr ? ::mmap(nullptr, room, PROT_READ | PROT_WRITE,
                                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                         : ::mremap(m_bytes, m_room, room, MREMAP_MAYMOVE);
  if (bytes == MAP_FAILED) throw std::bad_alloc();  // NOLINT: a cast of the system's
  m_bytes = static_cast<char*>(bytes);
  m_room = room;
}

std::string MappedBytes::fill(ByteSource& source, std::uint64_t most) {
  while (m_size < most) {
    if (m_size == m_room) {
      const std::uint64_t wanted = std::max<std::uint64_t>(kChunk, 2 * std::uint64_t{m_room});
      grow(static_cast<std::size_t>(std::min(most, wanted)));
    }
    const std::size_t got = source.read(m_bytes + m_size, m_room - m_size);
    m_size += got;
    if (got == 0) break;
  }
  return whyNotAll(source, m_size, most);
}

void MappedBytes::forget(std::size_t place) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = std::min(place, m_size) / page * page;
  if (end <= m_forgotten) return;
  // If this fails, the memory is only freed later.
  static_cast<void>(::madvise(m_bytes + m_forgotten, end - m_forgotten, MADV_DONTNEED));
  m_forgotten = end;
}

}  // namespace stagelane::formats::detail
