#pragma once

/// For tests that compare the engine with PyTorch in Python: the interpreter, a folder for the
/// output of a script, and its tensors, read back.

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::run::test {

/// Exit code of the scripts if torch (or torchvision) cannot be imported.
inline constexpr int kNoTorch = 77;

inline std::string pythonProgram() {
  if (const char* const given = std::getenv("STAGELANE_PYTHON")) return given;
  const std::filesystem::path own = std::filesystem::path(checkout::root()) / ".venv/bin/python3";
  return std::filesystem::exists(own) ? own.string() : "python3";
}

using stagelane::test::TemporaryFolder;

/// A tensor as a script wrote it: `[file, dtype, shape]`.
inline at::Tensor load(const std::filesystem::path& folder, const Json& entry) {
  const std::string dtype = entry.at(1);
  const auto shape = entry.at(2).get<std::vector<std::int64_t>>();
  at::Tensor tensor = at::empty(
      shape, dtype == "int64" ? at::kLong : (dtype == "float64" ? at::kDouble : at::kFloat));
  std::ifstream file(folder / entry.at(0).get<std::string>(), std::ios::binary);
  file.read(static_cast<char*>(tensor.data_ptr()), static_cast<std::streamsize>(tensor.nbytes()));
  EXPECT_EQ(file.gcount(), static_cast<std::streamsize>(tensor.nbytes())) << entry.dump();
  return tensor;
}

}  // namespace stagelane::run::test
