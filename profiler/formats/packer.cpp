#include "profiler/formats/packer.h"

#include <zlib.h>
#include <zstd.h>

#include <string>

namespace stagelane::formats::detail {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;

class GzipPacker final : public Packer {
 public:
  GzipPacker() : m_chunk(kChunk, '\0') {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    constexpr int kMemoryLevel = 8;
    deflateInit2(&m_stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipOnly, kMemoryLevel,
                 Z_DEFAULT_STRATEGY);
  }
  ~GzipPacker() override { deflateEnd(&m_stream); }

  void add(std::string_view bytes, const Sink& sink) override {
    while (!bytes.empty()) {
      const std::string_view part = bytes.substr(0, kChunk);
      bytes.remove_prefix(part.size());
      run(part, Z_NO_FLUSH, sink);
    }
  }
  void finish(const Sink& sink) override { run({}, Z_FINISH, sink); }

 private:
  void run(std::string_view part, int flush, const Sink& sink) {
    // zlib's interface is not const; it does not write to its input.
    m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));  // NOLINT
    m_stream.avail_in = static_cast<uInt>(part.size());
    do {
      m_stream.next_out = reinterpret_cast<Bytef*>(m_chunk.data());  // NOLINT
      m_stream.avail_out = static_cast<uInt>(m_chunk.size());
      deflate(&m_stream, flush);
      sink(std::string_view(m_chunk).substr(0, m_chunk.size() - m_stream.avail_out));
    } while (m_stream.avail_out == 0);
  }

  z_stream m_stream{};
  std::string m_chunk;
};

class ZstdPacker final : public Packer {
 public:
  ZstdPacker() : m_stream(ZSTD_createCCtx()), m_chunk(kChunk, '\0') {
    ZSTD_CCtx_setParameter(m_stream, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdPacker() override { ZSTD_freeCCtx(m_stream); }

  void add(std::string_view bytes, const Sink& sink) override { run(bytes, ZSTD_e_continue, sink); }
  void finish(const Sink& sink) override { run({}, ZSTD_e_end, sink); }

 private:
  void run(std::string_view bytes, ZSTD_EndDirective directive, const Sink& sink) {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer output{m_chunk.data(), m_chunk.size(), 0};
      left = ZSTD_compressStream2(m_stream, &output, &input, directive);
      sink(std::string_view(m_chunk).substr(0, output.pos));
    } while (ZSTD_isError(left) == 0 &&
             (input.pos < input.size || (directive == ZSTD_e_end && left != 0)));
  }

  ZSTD_CCtx* m_stream;
  std::string m_chunk;
};

}  // namespace

std::unique_ptr<Packer> packerFor(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".gz") return std::make_unique<GzipPacker>();
  if (extension == ".zst") return std::make_unique<ZstdPacker>();
  return nullptr;
}

}  // namespace stagelane::formats::detail
