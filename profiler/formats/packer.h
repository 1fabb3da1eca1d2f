#pragma once

/// Packs bytes with gzip or zstd while a file is written. Internal to profiler/formats.

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace stagelane::formats::detail {

class Packer {
 public:
  using Sink = std::function<void(std::string_view)>;

  Packer() = default;
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  virtual ~Packer() = default;
  virtual void add(std::string_view bytes, const Sink& sink) = 0;
  virtual void finish(const Sink& sink) = 0;
};

/// The packer for the name's extension, `.gz` or `.zst`; null for others.
[[nodiscard]] std::unique_ptr<Packer> packerFor(const std::filesystem::path& path);

}  // namespace stagelane::formats::detail
