#pragma once

/// Measures how long a fault takes to end, from the moment that it is made until the program has
/// said what failed. Prints the time and requires the limit that all faults have.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace stagelane::test {

/// How long a fault may take once it is noticed. A stall is noticed after its timeout.
inline constexpr std::chrono::seconds kFaultLimit{5};

/// Copies are the same clock, because what makes the fault is copied into options.
class FaultClock {
 public:
  /// The fault happens now; later calls do not count. @thread any
  void strike() const {
    std::int64_t never = 0;
    m_times->struckNs.compare_exchange_strong(never, now());
  }
  /// It has ended now; later calls do not count.
  void end() const {
    std::int64_t never = 0;
    m_times->endedNs.compare_exchange_strong(never, now());
  }
  /// Prints and records the time, and fails the test if it is above the limit plus `timeout`.
  /// `what`: which of a test's faults.
  void expectEnded(std::chrono::nanoseconds timeout = {}, const std::string& what = "") const {
    end();
    ASSERT_NE(m_times->struckNs.load(), 0) << "no fault happened";
    const std::chrono::nanoseconds took(m_times->endedNs - m_times->struckNs);
    const std::chrono::nanoseconds limit = kFaultLimit + timeout;
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    char seconds[32];
    std::snprintf(seconds, sizeof(seconds), "%.3f", std::chrono::duration<double>(took).count());
    std::printf("%s.%s%s%s: the fault ended after %s s (limit %.1f s)\n", test->test_suite_name(),
                test->name(), what.empty() ? "" : ", ", what.c_str(), seconds,
                std::chrono::duration<double>(limit).count());
    std::fflush(stdout);
    testing::Test::RecordProperty("seconds_to_end" + (what.empty() ? "" : "_" + what), seconds);
    EXPECT_LE(took, limit);
  }

 private:
  struct Times {
    std::atomic<std::int64_t> struckNs{0};
    std::atomic<std::int64_t> endedNs{0};
  };
  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  std::shared_ptr<Times> m_times = std::make_shared<Times>();
};

}  // namespace stagelane::test
