#pragma once

/// Waiting for a word in memory that several processes share. `std::atomic::wait` does not do, as
/// it may use waits that only the threads of one process see.

#include <atomic>
#include <cstdint>

#include "engine/base/ids.h"

namespace stagelane::run {

/// Blocks while the word has the value, at most `timeoutNs`. May return early. @thread any
void waitWhile(const std::atomic<std::uint32_t>& word, std::uint32_t value, TimeNs timeoutNs);
/// Wakes all that wait for the word, in all processes. @thread any
void wakeAll(std::atomic<std::uint32_t>& word);

}  // namespace stagelane::run
