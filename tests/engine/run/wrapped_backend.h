#pragma once

/// A worker's device that passes everything on to another one, so that a test can change one thing.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/run/device/backend.h"

namespace stagelane::run::test {

class WrappedBackend : public Backend {
 public:
  explicit WrappedBackend(std::unique_ptr<Backend> inner) : m_inner(std::move(inner)) {}

  [[nodiscard]] at::Device torchDevice() const override { return m_inner->torchDevice(); }
  void enterThread() override { m_inner->enterThread(); }
  void leaveThread() override { m_inner->leaveThread(); }
  [[nodiscard]] std::shared_ptr<Marker> mark() override { return m_inner->mark(); }
  void synchronize() override { m_inner->synchronize(); }
  [[nodiscard]] Parcel send(const at::Tensor& tensor, Backend& receiver) override {
    return m_inner->send(tensor, unwrapped(receiver));
  }
  [[nodiscard]] at::Tensor receive(Parcel& parcel, const StopCheck& stopped) override {
    return m_inner->receive(parcel, stopped);
  }
  [[nodiscard]] std::optional<std::string> prepareTransfer(Backend& receiver,
                                                           const StopCheck& stopped) override {
    return m_inner->prepareTransfer(unwrapped(receiver), stopped);
  }
  [[nodiscard]] std::string remark() const override { return m_inner->remark(); }
  [[nodiscard]] Bytes peakBytes() const override { return m_inner->peakBytes(); }
  void resetPeakBytes() override { m_inner->resetPeakBytes(); }
  [[nodiscard]] Bytes liveBytes() const override { return m_inner->liveBytes(); }
  [[nodiscard]] Bytes memoryBytes() const override { return m_inner->memoryBytes(); }
  void releaseCache() override { m_inner->releaseCache(); }
  [[nodiscard]] Bytes fetchedFromDevice() const override { return m_inner->fetchedFromDevice(); }
  void setMemoryLimit(Bytes limit) override { m_inner->setMemoryLimit(limit); }

 protected:
  [[nodiscard]] Backend& inner() { return *m_inner; }

 private:
  /// Devices of a kind recognize each other by their class.
  static Backend& unwrapped(Backend& backend) {
    auto* const wrapped = dynamic_cast<WrappedBackend*>(&backend);
    return wrapped == nullptr ? backend : *wrapped->m_inner;
  }

  std::unique_ptr<Backend> m_inner;
};

}  // namespace stagelane::run::test
