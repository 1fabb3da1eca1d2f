#include "tests/support/async_device/race_detector.h"

#include <algorithm>
#include <utility>

namespace stagelane::async_device {
namespace {

struct Range {
  std::size_t begin;
  std::size_t end;
};

Range rangeOf(const Block& block, const Access& access) {
  const auto begin = static_cast<std::size_t>(static_cast<const char*>(access.data) - block.data);
  return {begin, std::min(begin + access.bytes, block.capacity)};
}

bool overlap(const Seen& seen, const Range& range) {
  return seen.begin < range.end && range.begin < seen.end;
}

bool conflict(const Seen& seen, AccessKind kind) {
  return seen.kind == AccessKind::Write || kind == AccessKind::Write;
}

/// Remembers an access. Whatever it makes needless is dropped, so that lists stay short: a write
/// replaces all that it covers, a read the same stream's earlier one.
void remember(Block& block, Seen added) {
  std::erase_if(block.seen, [&](const Seen& seen) {
    const bool covered = added.begin <= seen.begin && seen.end <= added.end;
    const bool replaced = added.kind == AccessKind::Write ||
                          (seen.kind == AccessKind::Read && seen.stream == added.stream);
    return covered && replaced;
  });
  block.seen.push_back(std::move(added));
}

}  // namespace

void RaceDetector::byStream(const StreamTask& task, Block& block, const Access& access) {
  const Range range = rangeOf(block, access);
  for (const Seen& seen : block.seen) {
    if (overlap(seen, range) && conflict(seen, access.kind) &&
        !task.clock.covers(seen.stream, seen.task)) {
      report(seen, task.name + " on " + m_streams[task.stream], block);
    }
  }
  remember(block,
           {task.stream, task.number, task.name, access.kind, range.begin, range.end, false});
}

void RaceDetector::byHost(const std::string& name, const HostClocks& clocks, Block& block,
                          const Access& access) {
  const Range range = rangeOf(block, access);
  for (Seen& seen : block.seen) {
    if (!overlap(seen, range) || !conflict(seen, access.kind)) continue;
    const bool own = clocks.own.covers(seen.stream, seen.task);
    const bool any = clocks.any.covers(seen.stream, seen.task);
    if (own) seen.known = true;
    // A buffer that is written again was emptied by somebody else, who said so in ways not seen.
    const bool excused = any && (m_hostWaits == HostWaits::OfAnyThread || seen.known ||
                                 access.kind == AccessKind::Write);
    if (!own && !excused) report(seen, name + " in a host thread", block);
  }
}

void RaceDetector::byHostAllocator(const std::string& name, const VectorClock& any,
                                   const Block& block) {
  for (const Seen& seen : block.seen) {
    if (!any.covers(seen.stream, seen.task)) report(seen, name, block);
  }
}

std::vector<std::string> RaceDetector::take() {
  std::vector<std::string> races(m_races.begin(), m_races.end());
  m_races.clear();
  return races;
}

void RaceDetector::report(const Seen& first, const std::string& second, const Block& block) {
  m_races.insert((block.device == kPinned ? "pinned memory: " : "device memory: ") + second +
                 " is not ordered after " + first.name + " on " + m_streams[first.stream]);
}

}  // namespace stagelane::async_device
