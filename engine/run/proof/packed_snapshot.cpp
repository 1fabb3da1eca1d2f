#include "engine/run/proof/packed_snapshot.h"

#include <ATen/ops/empty.h>

#include <cstring>
#include <stdexcept>

namespace stagelane::run {
namespace {

/// Describes the tensors in a JSON list and appends their values to `bytes`.
class Packer {
 public:
  Json of(const at::Tensor& tensor) {
    if (!tensor.defined()) return nullptr;
    const at::Tensor values = tensor.contiguous();
    const std::size_t start = m_bytes.size();
    m_bytes.resize(start + values.nbytes());
    if (values.nbytes() > 0) {
      std::memcpy(m_bytes.data() + start, values.const_data_ptr(), values.nbytes());
    }
    return {{"sizes", values.sizes().vec()}, {"type", static_cast<int>(values.scalar_type())}};
  }
  [[nodiscard]] const std::string& bytes() const { return m_bytes; }

 private:
  std::string m_bytes;
};

class Unpacker {
 public:
  Unpacker(const std::string& text, std::size_t next) : m_text(text), m_next(next) {}

  at::Tensor of(const Json& json) {
    if (json.is_null()) return {};
    const auto sizes = json.at("sizes").get<std::vector<std::int64_t>>();
    at::Tensor tensor = at::empty(sizes, static_cast<at::ScalarType>(json.at("type").get<int>()));
    if (m_text.size() - m_next < tensor.nbytes()) throw std::invalid_argument("too short");
    if (tensor.nbytes() > 0) {
      std::memcpy(tensor.mutable_data_ptr(), m_text.data() + m_next, tensor.nbytes());
    }
    m_next += tensor.nbytes();
    return tensor;
  }

 private:
  const std::string& m_text;
  std::size_t m_next;
};

}  // namespace

std::string packed(const TrainingSnapshot& snapshot) {
  Packer packer;
  Json head{{"losses", Json::array()},
            {"outputs", Json::array()},
            {"gradients", Json::array()},
            {"buffers", Json::array()}};
  for (const at::Tensor& loss : snapshot.losses) head["losses"].push_back(packer.of(loss));
  for (const auto& [microBatch, output] : snapshot.outputs) {
    head["outputs"].push_back({microBatch, packer.of(output)});
  }
  for (const auto& [name, gradient] : snapshot.gradients) {
    head["gradients"].push_back({name, packer.of(gradient)});
  }
  for (const auto& [name, buffer] : snapshot.buffers) {
    head["buffers"].push_back({name, packer.of(buffer)});
  }
  return head.dump() + '\n' + packer.bytes();
}

Result<TrainingSnapshot> unpackedSnapshot(const std::string& text) {
  TrainingSnapshot snapshot;
  try {
    const std::size_t end = text.find('\n');
    const Json head = Json::parse(text.substr(0, end));
    Unpacker unpacker(text, end + 1);
    for (const Json& loss : head.at("losses")) snapshot.losses.push_back(unpacker.of(loss));
    for (const Json& output : head.at("outputs")) {
      snapshot.outputs[output.at(0).get<int>()] = unpacker.of(output.at(1));
    }
    for (const Json& gradient : head.at("gradients")) {
      snapshot.gradients[gradient.at(0).get<std::string>()] = unpacker.of(gradient.at(1));
    }
    for (const Json& buffer : head.at("buffers")) {
      snapshot.buffers[buffer.at(0).get<std::string>()] = unpacker.of(buffer.at(1));
    }
  } catch (const std::exception& error) {
    return fail(ErrorCode::EngineFailure,
                std::string("a rank answered with something unreadable: ") + error.what());
  }
  return snapshot;
}

}  // namespace stagelane::run
