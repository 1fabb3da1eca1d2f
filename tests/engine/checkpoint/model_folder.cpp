#include "tests/engine/checkpoint/model_folder.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "engine/checkpoint/safetensors.h"
#include "tests/support/paths.h"

namespace stagelane::test {
namespace fs = std::filesystem;

namespace {

/// Bytes of a file whose beginning is this length and header.
std::uintmax_t wholeFileBytes(const std::string& start) {
  const Json header = Json::parse(start.substr(8));
  std::uintmax_t dataBytes = 0;
  for (const auto& [name, tensor] : header.items()) {
    if (!tensor.contains("data_offsets")) continue;  // __metadata__
    dataBytes = std::max(dataBytes, tensor["data_offsets"][1].get<std::uintmax_t>());
  }
  return start.size() + dataBytes;
}

}  // namespace

fs::path llamaData() { return fs::path(checkout::testData()) / "llama"; }

std::string textOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void writeText(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void writeSafetensors(const fs::path& path, const std::string& header, std::uintmax_t dataBytes) {
  const std::uint64_t length = header.size();
  std::string start(reinterpret_cast<const char*>(&length), sizeof length);
  writeText(path, start + header);
  fs::resize_file(path, start.size() + header.size() + dataBytes);
}

void writeSafetensors(const fs::path& path, const std::vector<TensorToWrite>& tensors) {
  Json header = Json::object();
  std::int64_t end = 0;
  for (const TensorToWrite& tensor : tensors) {
    std::int64_t bytes = checkpoint::bitsOf(tensor.type) / 8;
    for (const std::int64_t size : tensor.shape) bytes *= size;
    header[tensor.name] = {{"dtype", checkpoint::word(tensor.type)},
                           {"shape", tensor.shape},
                           {"data_offsets", {end, end + bytes}}};
    end += bytes;
  }
  writeSafetensors(path, header.dump(), static_cast<std::uintmax_t>(end));
}

ModelFolder::ModelFolder(const std::string& model) {
  for (const fs::directory_entry& file : fs::directory_iterator(llamaData() / "models" / model)) {
    const fs::path copy = path() / file.path().filename();
    if (copy.extension() != ".header") {
      writeText(copy, textOf(file.path()));
      continue;
    }
    const std::string start = textOf(file.path());
    const fs::path whole = fs::path(copy).replace_extension();
    writeText(whole, start);
    fs::resize_file(whole, wholeFileBytes(start));
  }
}

void ModelFolder::changeJson(const std::string& file,
                             const std::function<void(Json&)>& change) const {
  Json document = Json::parse(textOf(path() / file));
  change(document);
  writeText(path() / file, document.dump());
}

void ModelFolder::changeTensors(
    const std::function<void(std::vector<TensorToWrite>&)>& change) const {
  const fs::path file = path() / "model.safetensors";
  const auto opened = checkpoint::openSafetensors(file);
  std::vector<TensorToWrite> tensors;
  for (const checkpoint::StoredTensor& tensor : opened.value()) {
    tensors.push_back({tensor.name, tensor.type, tensor.shape});
  }
  change(tensors);
  writeSafetensors(file, tensors);
}

}  // namespace stagelane::test
