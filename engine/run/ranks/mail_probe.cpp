#include "engine/run/ranks/mail_probe.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>

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

at::Tensor tensorOf(Bytes bytes) { return at::zeros({bytes}, at::kByte); }

Status exchange(RankMail& mail, int peer, const at::Tensor& tensor, const StopCheck& stopped) {
  STAGELANE_CHECK(mail.post(peer, kThereTag, tensor, 0));
  STAGELANE_CHECK(mail.take(peer, kBackTag, stopped));
  return {};
}

}  // namespace

Result<std::vector<MessageTime>> timeMessages(RankMail& mail, int peer, const StopCheck& stopped) {
  std::vector<MessageTime> answer;
  double reply = 0.0;
  const Status status = guarded("timing messages between ranks", [&]() -> Status {
    for (const Size& size : kSizes) {
      const at::Tensor tensor = tensorOf(size.bytes);
      std::vector<double> times;
      // The first one is cold.
      for (int i = 0; i <= size.times; ++i) {
        const TimeNs startNs = trace::monotonicNs();
        STAGELANE_CHECK(exchange(mail, peer, tensor, stopped));
        if (i > 0) times.push_back(static_cast<double>(trace::monotonicNs() - startNs));
      }
      // There and back on one clock: a reply takes half of the shortest exchange.
      const double both = quantile(times, 0.5);
      if (answer.empty()) reply = both / 2.0;
      answer.push_back({size.bytes, static_cast<TimeNs>(std::max(1.0, both - reply))});
    }
    return {};
  });
  STAGELANE_CHECK(status);
  return answer;
}

Status returnMessages(RankMail& mail, int peer, const StopCheck& stopped) {
  return guarded("returning messages between ranks", [&]() -> Status {
    const at::Tensor reply = tensorOf(kSizes.front().bytes);
    for (const Size& size : kSizes) {
      for (int i = 0; i <= size.times; ++i) {
        STAGELANE_CHECK(mail.take(peer, kThereTag, stopped));
        STAGELANE_CHECK(mail.post(peer, kBackTag, reply, 0));
      }
    }
    return {};
  });
}

}  // namespace stagelane::run
