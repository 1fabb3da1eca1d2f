#pragma once

/// A folder for a test, removed at its end.

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace stagelane::test {

class TemporaryFolder {
 public:
  explicit TemporaryFolder(
      const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string pattern = (parent / "stagelane-XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr) << pattern;
    m_path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return m_path / name;
  }

 private:
  std::filesystem::path m_path;
};

/// A place where syncing thousands of files is fast: in memory, if possible.
inline std::filesystem::path parentInMemory() {
  const std::filesystem::path memory = "/dev/shm";
  const bool writable = ::access(memory.c_str(), W_OK | X_OK) == 0;
  return writable ? memory : std::filesystem::temp_directory_path();
}

}  // namespace stagelane::test
