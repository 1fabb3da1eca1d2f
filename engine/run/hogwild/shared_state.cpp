#include "engine/run/hogwild/shared_state.h"

#include <ATen/ops/from_blob.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstring>

#include "engine/model/layer.h"

namespace stagelane::run {
namespace {

// Tensors of different processes' interest begin in cache lines of their own.
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMostDimensions = 8;

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Where a tensor is in the memory.
struct TensorPlace {
  std::int64_t offset = 0;  ///< from the start of the tensors
  std::int64_t bytes = 0;
  std::int32_t type = 0;
  std::int32_t dimensions = 0;
  std::array<std::int64_t, kMostDimensions> sizes{};
  std::array<std::int64_t, kMostDimensions> strides{};
};

TensorPlace placeOf(const at::Tensor& tensor, std::size_t offset) {
  TORCH_CHECK(tensor.dim() <= static_cast<std::int64_t>(kMostDimensions) &&
                  tensor.is_non_overlapping_and_dense(),
              "a tensor of this form cannot be shared");
  TensorPlace place;
  place.offset = static_cast<std::int64_t>(offset);
  place.bytes = static_cast<std::int64_t>(tensor.nbytes());
  place.type = static_cast<std::int32_t>(tensor.scalar_type());
  place.dimensions = static_cast<std::int32_t>(tensor.dim());
  std::copy(tensor.sizes().begin(), tensor.sizes().end(), place.sizes.begin());
  std::copy(tensor.strides().begin(), tensor.strides().end(), place.strides.begin());
  return place;
}

/// The model's tensors, tied ones once, in the order of the layers.
std::vector<std::string> namesOf(const model::Model& model) {
  std::vector<std::string> names;
  for (const model::Layer& layer : model.layers) {
    for (const model::OwnedTensor& owned : model::ownedTensors(layer.spec)) {
      std::string name = layer.name + "." + owned.name;
      if (model.ownerOf(name) == name) names.push_back(std::move(name));
    }
  }
  return names;
}

template <std::size_t size>
void copyText(const std::string& text, std::array<char, size>& target) {
  const std::size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.begin(), length, target.begin());
  target[length] = '\0';
}

/// All tensors to share, in the experiment's layout.
std::vector<at::Tensor> tensorsOf(const SharedState::Content& content) {
  std::vector<at::Tensor> tensors;
  for (const std::string& name : namesOf(content.model)) {
    tensors.push_back(placed(content.values.at(name), at::kCPU, content.format));
  }
  for (const Batch& batch : content.batches) {
    tensors.push_back(placed(batch.input, at::kCPU, content.format));
    tensors.push_back(batch.target.contiguous());
  }
  return tensors;
}

std::vector<TensorPlace> placesOf(const std::vector<at::Tensor>& tensors) {
  std::vector<TensorPlace> places;
  std::size_t offset = 0;
  for (const at::Tensor& tensor : tensors) {
    places.push_back(placeOf(tensor, offset));
    offset += aligned(tensor.nbytes());
  }
  return places;
}

void copyNumbers(const SharedHeader& from, SharedHeader& target) {
  target.processes = from.processes;
  target.updates = from.updates;
  target.lossStride = from.lossStride;
  target.tensors = from.tensors;
  target.batches = from.batches;
  target.documentBytes = from.documentBytes;
}

void clear(WorkerSlot& slot) {
  slot.longestNs.store(0);
  slot.lastNs.store(0);
  slot.updates.store(0);
  slot.peakBytes.store(0);
  slot.mostStale.store(0);
  for (auto& count : slot.staleness) count.store(0, std::memory_order_relaxed);
  slot.error.code.store(0);
}

std::size_t lossesOf(const SharedHeader& header) {
  return static_cast<std::size_t>((header.updates + header.lossStride - 1) / header.lossStride);
}

}  // namespace

SharedState::Parts SharedState::partsOf(const SharedHeader& header) {
  const auto tensors = static_cast<std::size_t>(header.tensors + 2 * header.batches);
  Parts parts;
  parts.slots = aligned(sizeof(SharedHeader));
  parts.losses =
      parts.slots + aligned(sizeof(WorkerSlot) * static_cast<std::size_t>(header.processes));
  parts.timed = parts.losses + aligned(sizeof(LossRecord) * lossesOf(header));
  parts.places = parts.timed + aligned(sizeof(TimedUpdate) * kTimedUpdates);
  parts.tensors = parts.places + aligned(sizeof(TensorPlace) * tensors);
  return parts;
}

Result<std::shared_ptr<SharedState>> SharedState::create(const Content& content) {
  const std::vector<at::Tensor> tensors = tensorsOf(content);
  const std::vector<TensorPlace> places = placesOf(tensors);
  SharedHeader numbers;
  numbers.processes = content.processes;
  numbers.updates = content.updates;
  numbers.lossStride = (content.updates + kMostLosses - 1) / kMostLosses;
  numbers.batches = static_cast<std::int64_t>(content.batches.size());
  numbers.tensors = static_cast<std::int64_t>(tensors.size()) - 2 * numbers.batches;
  numbers.documentBytes = static_cast<std::int64_t>(content.document.size());
  const Parts parts = partsOf(numbers);
  std::size_t end = parts.tensors;
  for (const TensorPlace& place : places) end += aligned(static_cast<std::size_t>(place.bytes));
  STAGELANE_TRY(memory, SharedMemory::create(end + aligned(content.document.size())));
  // The memory consists of zeros, which are the initial values of all that it contains.
  std::byte* const data = memory->data();
  const std::shared_ptr<SharedState> state(new SharedState(std::move(*memory)));
  copyNumbers(numbers, state->header());
  std::memcpy(data + parts.places, places.data(), places.size() * sizeof(TensorPlace));
  std::memcpy(data + end, content.document.data(), content.document.size());
  const c10::AutoGradMode noGrad(false);
  for (std::size_t i = 0; i < tensors.size(); ++i) state->view(i).copy_(tensors[i]);
  return state;
}

Result<std::shared_ptr<SharedState>> SharedState::open(int descriptor) {
  STAGELANE_TRY(memory, SharedMemory::open(descriptor));
  return std::shared_ptr<SharedState>(new SharedState(std::move(*memory)));
}

SharedHeader& SharedState::header() const {
  return *reinterpret_cast<SharedHeader*>(m_memory.data());
}

WorkerSlot& SharedState::slot(int process) const {
  return reinterpret_cast<WorkerSlot*>(m_memory.data() + partsOf(header()).slots)[process];
}

std::span<LossRecord> SharedState::losses() const {
  return {reinterpret_cast<LossRecord*>(m_memory.data() + partsOf(header()).losses),
          lossesOf(header())};
}

std::span<TimedUpdate> SharedState::timed() const {
  return {reinterpret_cast<TimedUpdate*>(m_memory.data() + partsOf(header()).timed), kTimedUpdates};
}

std::string SharedState::document() const {
  const auto bytes = static_cast<std::size_t>(header().documentBytes);
  const std::byte* const at = m_memory.data() + m_memory.size() - aligned(bytes);
  return {reinterpret_cast<const char*>(at), bytes};
}

at::Tensor SharedState::view(std::size_t index) const {
  const Parts parts = partsOf(header());
  const TensorPlace& place =
      reinterpret_cast<const TensorPlace*>(m_memory.data() + parts.places)[index];
  const auto count = static_cast<std::size_t>(place.dimensions);
  return at::from_blob(m_memory.data() + parts.tensors + place.offset,
                       at::IntArrayRef(place.sizes.data(), count),
                       at::IntArrayRef(place.strides.data(), count),
                       at::TensorOptions(static_cast<at::ScalarType>(place.type)));
}

InitialValues SharedState::views(const model::Model& model) const {
  InitialValues views;
  std::size_t index = 0;
  for (const std::string& name : namesOf(model)) views[name] = view(index++);
  return views;
}

Batch SharedState::batch(std::size_t index) const {
  const std::size_t first = static_cast<std::size_t>(header().tensors) + 2 * index;
  return {view(first), view(first + 1)};
}

Bytes SharedState::tensorBytes() const {
  Bytes sum = 0;
  for (std::int64_t i = 0; i < header().tensors; ++i) {
    sum += static_cast<Bytes>(view(static_cast<std::size_t>(i)).nbytes());
  }
  return sum;
}

void SharedState::reset(const model::Model& model, const InitialValues& values) const {
  const c10::AutoGradMode noGrad(false);
  for (auto& [name, tensor] : views(model)) at::Tensor(tensor).copy_(values.at(name));
  SharedHeader& shared = header();
  shared.stop.store(false);
  shared.claimed.store(0);
  shared.done.store(0);
  for (int process = 0; process < shared.processes; ++process) clear(slot(process));
  for (LossRecord& record : losses()) record.writer.store(0, std::memory_order_relaxed);
  for (TimedUpdate& update : timed()) update.number.store(0, std::memory_order_relaxed);
}

void report(WorkerSlot& slot, const Error& error) {
  if (slot.error.code.load() != 0) return;
  slot.error.kind = static_cast<std::int32_t>(error.failure.kind);
  copyText(error.message + (error.context.empty() ? "" : " (at " + error.context + ")"),
           slot.error.message);
  copyText(error.hint, slot.error.hint);
  slot.error.code.store(static_cast<std::int32_t>(error.code), std::memory_order_release);
}

std::optional<Error> reportedBy(const WorkerSlot& slot) {
  const std::int32_t code = slot.error.code.load(std::memory_order_acquire);
  if (code == 0) return std::nullopt;
  Error error{static_cast<ErrorCode>(code), slot.error.message.data(), "", slot.error.hint.data()};
  error.failure.kind = static_cast<FailureKind>(slot.error.kind);
  return error;
}

}  // namespace stagelane::run
