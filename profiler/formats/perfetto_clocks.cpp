#include "profiler/formats/perfetto_clocks.h"

#include <vector>

#include "profiler/formats/perfetto_fields.h"
#include "profiler/formats/proto_view.h"

namespace stagelane::formats::detail {
namespace {

constexpr std::uint64_t kFirstSequenceClock = 64;
constexpr std::uint64_t kFirstGlobalClock = 128;
constexpr std::uint64_t kBootTime = 6;
constexpr std::uint64_t kMonotonic = 3;

bool inRange(std::int64_t value) {
  return value >= -trace::kLargestTimeNs && value <= trace::kLargestTimeNs;
}

struct Reading {
  std::uint64_t clock = 0;
  std::int64_t reading = 0;
  std::int64_t multiplier = 1;
  bool incremental = false;
};

Reading readClock(std::string_view message) {
  Reading reading;
  for (ProtoView view(message); view.next();) {
    switch (view.field()) {
      case clock_fields::kClockId: reading.clock = view.number(); break;
      case clock_fields::kTimestamp: reading.reading = view.integer(); break;
      case clock_fields::kIsIncremental: reading.incremental = view.number() != 0; break;
      case clock_fields::kMultiplierNs: reading.multiplier = view.integer(); break;
      default: break;
    }
  }
  return reading;
}

/// The machine's clock of a snapshot: boot time, else monotonic, else the first.
std::optional<TimeNs> machineTime(const std::vector<Reading>& readings) {
  std::optional<TimeNs> found;
  std::uint64_t best = 0;
  for (const Reading& reading : readings) {
    const bool better =
        reading.clock == kBootTime || (reading.clock == kMonotonic && best != kBootTime);
    if (reading.clock < kFirstSequenceClock && (!found || better)) {
      found = reading.reading;
      best = reading.clock;
    }
  }
  return found;
}

/// a + b * c, empty on overflow.
std::optional<TimeNs> shifted(TimeNs base, std::int64_t steps, std::int64_t multiplier) {
  TimeNs product = 0;
  TimeNs sum = 0;
  if (__builtin_mul_overflow(steps, multiplier, &product) ||
      __builtin_add_overflow(base, product, &sum) || !inRange(sum)) {
    return std::nullopt;
  }
  return sum;
}

}  // namespace

Clocks::Key Clocks::keyOf(std::uint32_t sequence, std::uint64_t clock) {
  const bool ofSequence = clock >= kFirstSequenceClock && clock < kFirstGlobalClock;
  return {ofSequence ? sequence : 0, clock};
}

void Clocks::snapshot(std::uint32_t sequence, std::string_view message) {
  std::vector<Reading> readings;
  for (ProtoView view(message); view.next();) {
    if (view.field() == clock_fields::kClocks) readings.push_back(readClock(view.bytes()));
  }
  const std::optional<TimeNs> machine = machineTime(readings);
  for (const Reading& reading : readings) {
    if (machine && inRange(*machine)) {
      m_clocks[keyOf(sequence, reading.clock)] = {*machine, reading.reading, reading.multiplier,
                                                  reading.incremental};
    }
  }
}

std::optional<TimeNs> Clocks::timeOf(std::uint32_t sequence, std::uint64_t clock,
                                     std::uint64_t timestamp) {
  const auto raw = static_cast<std::int64_t>(timestamp);
  const auto found = m_clocks.find(keyOf(sequence, clock));
  if (clock == 0 || found == m_clocks.end()) {
    return raw >= 0 && inRange(raw) ? std::optional<TimeNs>(raw) : std::nullopt;
  }
  Clock& known = found->second;
  if (known.incremental) {
    const std::optional<TimeNs> now = shifted(known.machineNs, raw, known.multiplier);
    known.machineNs = now.value_or(known.machineNs);
    return now;
  }
  std::int64_t passed = 0;
  if (__builtin_sub_overflow(raw, known.reading, &passed)) return std::nullopt;
  return shifted(known.machineNs, passed, known.multiplier);
}

}  // namespace stagelane::formats::detail
