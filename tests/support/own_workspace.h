#pragma once

/// A workspace for a test: empty at first, removed at the end.

#include <stdlib.h>

#include <string>

#include "tests/support/temporary_folder.h"

namespace stagelane::test {

class OwnWorkspace {
 public:
  OwnWorkspace() { ::setenv(kVariable, m_folder.path().c_str(), 1); }
  ~OwnWorkspace() {
    m_before.empty() ? ::unsetenv(kVariable) : ::setenv(kVariable, m_before.c_str(), 1);
  }
  OwnWorkspace(const OwnWorkspace&) = delete;
  OwnWorkspace& operator=(const OwnWorkspace&) = delete;

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return m_folder / name;
  }

 private:
  static constexpr const char* kVariable = "STAGELANE_WORKSPACE";
  static std::string now() {
    const char* value = ::getenv(kVariable);
    return value == nullptr ? std::string() : value;
  }

  std::string m_before = now();
  TemporaryFolder m_folder;
};

}  // namespace stagelane::test
