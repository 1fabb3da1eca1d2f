#pragma once

/// Folders of models for tests: copies of those in tests/data/llama, to be changed, and safetensors
/// files made of a list of tensors. Their data is zeros that take no room on the disk.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/checkpoint/element_type.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::test {

/// The folder of the conformance files: tests/data/llama.
[[nodiscard]] std::filesystem::path llamaData();

[[nodiscard]] std::string textOf(const std::filesystem::path& path);
void writeText(const std::filesystem::path& path, const std::string& text);

/// A safetensors file: the header's length, the header, `dataBytes` zeros.
void writeSafetensors(const std::filesystem::path& path, const std::string& header,
                      std::uintmax_t dataBytes);

/// A tensor of a file that is to be written.
struct TensorToWrite {
  std::string name;
  checkpoint::ElementType type = checkpoint::ElementType::F32;
  std::vector<std::int64_t> shape;
};
void writeSafetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors);

/// A copy of a model of tests/data/llama/models.
class ModelFolder {
 public:
  explicit ModelFolder(const std::string& model);

  [[nodiscard]] const std::filesystem::path& path() const { return m_folder.path(); }
  [[nodiscard]] std::filesystem::path operator/(const std::string& file) const {
    return m_folder / file;
  }
  /// Rewrites a JSON file of the folder.
  void changeJson(const std::string& file, const std::function<void(Json&)>& change) const;
  /// Rewrites model.safetensors.
  void changeTensors(const std::function<void(std::vector<TensorToWrite>&)>& change) const;

 private:
  TemporaryFolder m_folder;
};

}  // namespace stagelane::test
