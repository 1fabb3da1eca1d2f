#include "engine/run/calibrate/process_link.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/run/ranks/local_ranks.h"

namespace stagelane::run {
namespace {

/// Two ranks of this process, and their mail.
struct Pair {
  LocalRanks ranks;
  std::unique_ptr<RankMail> first;
  std::unique_ptr<RankMail> second;
};

Result<Pair> connected() {
  Pair pair;
  STAGELANE_TRY(ranks, LocalRanks::create("link probe", 2));
  pair.ranks = std::move(*ranks);
  pair.first = std::make_unique<RankMail>(pair.ranks.groups[0]);
  pair.second = std::make_unique<RankMail>(pair.ranks.groups[1]);
  return pair;
}

}  // namespace

predict::ProcessLink linkThrough(const std::vector<MessageTime>& times) {
  double weights = 0.0;
  double x = 0.0;
  double y = 0.0;
  double xx = 0.0;
  double xy = 0.0;
  for (const MessageTime& time : times) {
    const auto bytes = static_cast<double>(time.bytes);
    const auto ns = static_cast<double>(std::max<TimeNs>(time.ns, 1));
    const double weight = 1.0 / (ns * ns);
    weights += weight;
    x += weight * bytes;
    y += weight * ns;
    xx += weight * bytes * bytes;
    xy += weight * bytes * ns;
  }
  const double spread = weights * xx - x * x;
  double nsPerByte = spread > 0.0 ? (weights * xy - x * y) / spread : 0.0;
  double latencyNs = (y - nsPerByte * x) / weights;
  if (latencyNs < 0.0) {
    latencyNs = 0.0;
    nsPerByte = xy / xx;
  }
  if (nsPerByte <= 0.0) return {{}, {}, std::llround(y / weights), 0.0};
  return {{}, {}, std::llround(latencyNs), 1e9 / nsPerByte};
}

Result<predict::ProcessLink> measureProcessLink(Worker& from, Worker& to,
                                                const RunControl& control) {
  STAGELANE_TRY(pair, connected());
  const StopCheck stopped = [&control] { return control.stopped(); };
  // Both jobs end if the other side ends early, because they share the mail that is aborted then.
  std::vector<MessageTime> times;
  auto returned = to.submit([&]() -> Status {
    Status status = returnMessages(*pair->second, 0, stopped);
    if (!status) pair->first->abort();
    return status;
  });
  auto timed = from.submit([&]() -> Status {
    auto measured = timeMessages(*pair->first, 1, stopped);
    if (!measured) pair->second->abort();
    STAGELANE_CHECK(measured);
    times = std::move(*measured);
    return {};
  });
  const Status ends[] = {timed.get(), returned.get()};
  for (const Status& end : ends) STAGELANE_CHECK(end);
  return linkThrough(times);
}

}  // namespace stagelane::run
