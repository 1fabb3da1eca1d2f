#include "engine/run/ranks/mail_probe.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "engine/base/quantile.h"
#include "engine/run/device/worker.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

// Boundaries have tags that are not negative; the team's and those of norms are small.
constexpr std::int64_t kThereTag = -(std::int64_t{1} << 40);
constexpr std::int64_t kBackTag = kThereTag - 1;

struct Size {
  Bytes bytes = 0;
  int times = 0;
};
// The first is the size of the replies. Boundaries of small and large models; up to half a mebibyte
// a message travels in frames.
constexpr std::array<Size, 4> kSizes{
    {{Bytes{4} << 10, 41}, {Bytes{128} << 10, 31}, {Bytes{1} << 20, 21}, {Bytes{8} << 20, 9}}};

/// Of the shortest exchanges: a message passes through several threads, and where another program
/// computes, each of them can wait for a core for milliseconds. A stage that waits for a message
/// leaves its core idle.
double typical(const std::vector<double>& times) { return quantile(times, 0.1); }

at::Tensor tensorOf(Bytes bytes) { return at::zeros({bytes}, at::kByte); }

/// The sizes in the order of the messages: in rounds, so that what else the machine does meets all
/// sizes alike. The first message of each size is cold.
std::vector<std::size_t> order() {
  std::vector<std::size_t> sizes;
  const int rounds = kSizes.front().times;
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t size = 0; size < kSizes.size(); ++size) {
      if (round <= kSizes[size].times) sizes.push_back(size);
    }
  }
  return sizes;
}

/// There and back on one clock: a reply takes half of the shortest exchange. No message is faster
/// than a smaller one.
std::vector<MessageTime> oneWay(const std::vector<std::vector<double>>& exchanges) {
  std::vector<MessageTime> answer;
  const double reply = typical(exchanges.front()) / 2.0;
  for (std::size_t size = 0; size < exchanges.size(); ++size) {
    const auto there = static_cast<TimeNs>(typical(exchanges[size]) - reply);
    const TimeNs least = answer.empty() ? 1 : answer.back().ns;
    answer.push_back({kSizes[size].bytes, std::max(least, there)});
  }
  return answer;
}

}  // namespace

Result<std::vector<MessageTime>> timeMessages(RankMail& mail, int peer, const StopCheck& stopped) {
  std::vector<MessageTime> answer;
  const Status status = guarded("timing messages between ranks", [&]() -> Status {
    std::vector<at::Tensor> tensors;
    for (const Size& size : kSizes) tensors.push_back(tensorOf(size.bytes));
    std::vector<std::vector<double>> exchanges(kSizes.size());
    std::array<bool, kSizes.size()> warm{};
    for (const std::size_t size : order()) {
      const TimeNs startNs = trace::monotonicNs();
      STAGELANE_CHECK(mail.post(peer, kThereTag, tensors[size], 0));
      STAGELANE_CHECK(mail.take(peer, kBackTag, stopped));
      const auto tookNs = static_cast<double>(trace::monotonicNs() - startNs);
      if (std::exchange(warm[size], true)) exchanges[size].push_back(tookNs);
    }
    answer = oneWay(exchanges);
    return {};
  });
  STAGELANE_CHECK(status);
  return answer;
}

Status returnMessages(RankMail& mail, int peer, const StopCheck& stopped) {
  return guarded("returning messages between ranks", [&]() -> Status {
    const at::Tensor reply = tensorOf(kSizes.front().bytes);
    for (std::size_t left = order().size(); left > 0; --left) {
      STAGELANE_CHECK(mail.take(peer, kThereTag, stopped));
      STAGELANE_CHECK(mail.post(peer, kBackTag, reply, 0));
    }
    return {};
  });
}

}  // namespace stagelane::run
