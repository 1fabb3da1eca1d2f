#include "engine/plan/device.h"

#include <charconv>
#include <string>
#include <string_view>

#include "engine/plan/hosts.h"

namespace stagelane::plan {
namespace {

constexpr int kLargestIndex = 4095;

/// Takes a plain number (no sign, no leading zero) off the front of `text`; -1 if there is none.
int takeNumber(std::string_view& text) {
  int value = -1;
  const char* begin = text.data();
  const auto [end, problem] = std::from_chars(begin, begin + text.size(), value);
  const auto length = static_cast<std::size_t>(end - begin);
  const bool leadingZero = length > 1 && text.front() == '0';
  if (problem != std::errc{} || text.front() == '-' || leadingZero || value > kLargestIndex) {
    return -1;
  }
  text.remove_prefix(length);
  return value;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool takePartition(std::string_view& rest, ParsedDevice& device) {
  if (!take(rest, "/")) return true;
  if (device.kind != DeviceKind::Gpu) return false;
  device.kind = DeviceKind::GpuPartition;
  device.partition = takeNumber(rest);
  if (device.partition < 1 || !take(rest, "of")) return false;
  device.partitions = takeNumber(rest);
  return device.partitions >= device.partition;
}

bool takeRank(std::string_view& rest, ParsedDevice& device) {
  if (!take(rest, "@")) return true;
  device.rank = takeNumber(rest);
  return device.rank >= 0;
}

}  // namespace

Result<ParsedDevice> parseDevice(const DeviceId& id) {
  const std::string host = hostOf(id);
  std::string_view rest = id.value;
  if (!host.empty()) {
    STAGELANE_CHECK(checkHostName(host));
    rest.remove_prefix(host.size() + 1);
  }
  ParsedDevice device;
  bool known = true;
  if (take(rest, "cuda:")) {
    device.kind = DeviceKind::Gpu;
  } else if (host.empty() && take(rest, "sim:")) {
    device.kind = DeviceKind::Imagined;
  } else {
    known = take(rest, "cpu:");
  }
  if (known) device.index = takeNumber(rest);
  known = known && device.index >= 0 && takePartition(rest, device) && takeRank(rest, device);
  if (!known || !rest.empty()) {
    return fail(
        ErrorCode::Invalid, "\"" + id.value + "\" is not a device", {},
        "Use cpu:N for a CPU worker, cuda:N for a GPU, cuda:N/KofM for a partition of "
        "a GPU, sim:N for an imagined device; @R at the end selects a rank, and HOST/ before "
        "the name a host that ssh reaches");
  }
  return device;
}

bool isCpuWorker(const DeviceId& id) {
  const auto parsed = parseDevice(id);
  return parsed && parsed->kind == DeviceKind::CpuWorker;
}

bool isGpu(const DeviceId& id) {
  const auto parsed = parseDevice(id);
  return parsed && (parsed->kind == DeviceKind::Gpu || parsed->kind == DeviceKind::GpuPartition);
}

}  // namespace stagelane::plan
