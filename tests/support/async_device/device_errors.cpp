#include "tests/support/async_device/device_errors.h"

#include <c10/util/Exception.h>

#include <array>
#include <mutex>

namespace stagelane::async_device {
namespace {

struct Errors {
  std::mutex mutex;  ///< guards the texts
  std::array<std::string, kDevices> texts;
};

Errors& errors() {
  static auto* const kErrors = new Errors();  // streams outlive static destruction
  return *kErrors;
}

}  // namespace

void keepError(int device, const std::string& error) {
  const std::lock_guard<std::mutex> lock(errors().mutex);
  std::string& text = errors().texts.at(static_cast<std::size_t>(device));
  if (text.empty()) text = error;
}

void throwError(int device) {
  const std::lock_guard<std::mutex> lock(errors().mutex);
  const std::string& text = errors().texts.at(static_cast<std::size_t>(device));
  TORCH_CHECK(text.empty(), "async device ", device, ": ", text);
}

bool clearError() {
  const std::lock_guard<std::mutex> lock(errors().mutex);
  bool any = false;
  for (std::string& text : errors().texts) {
    any = any || !text.empty();
    text.clear();
  }
  return any;
}

}  // namespace stagelane::async_device
