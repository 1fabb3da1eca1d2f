#include "engine/run/hogwild/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace stagelane::run {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

void waitWhile(const std::atomic<std::uint32_t>& word, std::uint32_t value, TimeNs timeoutNs) {
  constexpr TimeNs kSecond = 1'000'000'000;
  const timespec timeout{static_cast<time_t>(timeoutNs / kSecond),
                         static_cast<long>(timeoutNs % kSecond)};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &timeout, nullptr, 0);
}

void wakeAll(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace stagelane::run
