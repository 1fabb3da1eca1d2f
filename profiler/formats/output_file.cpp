#include "profiler/formats/output_file.h"

#include <utility>

#include "engine/base/write_failure.h"

namespace stagelane::formats::detail {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

}  // namespace

tl::unexpected<Error> cannotWrite(const std::filesystem::path& path, int problem) {
  const WriteFailure failure = writeFailure(problem);
  return fail(ErrorCode::CannotWrite, "Cannot write the trace: " + failure.why, path.string(),
              failure.advice);
}

Result<OutputFile> OutputFile::create(const std::filesystem::path& path, Links links) {
  AtomicFile file(path, links);
  if (file.problem() != 0) return cannotWrite(path, file.problem());
  return OutputFile(std::move(file));
}

OutputFile::OutputFile(AtomicFile file)
    : m_file(std::move(file)), m_packer(packerFor(m_file.path())) {}

void OutputFile::write(std::string_view bytes) {
  if (bytes.size() >= kBufferBytes) {
    flush();
    put(bytes);
    return;
  }
  m_buffer += bytes;
  if (m_buffer.size() >= kBufferBytes) flush();
}

void OutputFile::flush() {
  put(m_buffer);
  m_buffer.clear();
}

void OutputFile::put(std::string_view bytes) {
  if (m_packer) {
    m_packer->add(bytes, [this](std::string_view packed) { m_file.write(packed); });
  } else {
    m_file.write(bytes);
  }
}

Status OutputFile::commit(Sync sync, unsigned mode) {
  flush();
  if (m_packer) m_packer->finish([this](std::string_view packed) { m_file.write(packed); });
  const int problem = m_file.commit(sync, mode);
  return problem == 0 ? Status{} : cannotWrite(m_file.path(), problem);
}

}  // namespace stagelane::formats::detail
