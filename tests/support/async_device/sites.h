#pragma once

/// The places in the program that order something: each call that lets a stream or a thread wait,
/// or that records a stream's use of memory. A test can leave each of them out in turn and see
/// whether anybody notices, without switches in the tested code. What LibTorch orders by itself
/// (copies between devices, backward) is not among them.

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagelane::async_device {

enum class SiteKind {
  EventBlock,
  EventSynchronize,
  EventQuery,
  StreamSynchronize,
  StreamQuery,
  DeviceSynchronize,
  RecordStream
};
[[nodiscard]] std::string_view nameOf(SiteKind kind);

/// The kind, and where in the program the call is and where its caller is: bytes from the program's
/// base, within the call instruction. Functions of LibTorch and the standard library that are part
/// of the program do not count as places.
struct SiteKey {
  SiteKind kind = SiteKind::EventBlock;
  std::array<std::uintptr_t, 2> calls{};
  auto operator<=>(const SiteKey&) const = default;
};

struct Site {
  SiteKey key;
  std::uint64_t count = 0;
};

/// Collects sites from now on, or stops; stopping forgets them. Finding a call costs microseconds.
void watchSites(bool on);
/// Functions of the program with one of these words in their (mangled) name only pass calls on: the
/// places are their callers. Replaces earlier words.
void passThrough(std::vector<std::string> words);
/// Those seen since watchSites(true).
[[nodiscard]] std::vector<Site> seenSites();

/// From now on the calls at this site do nothing: a stream does not wait, a synchronize returns at
/// once, a query says that all is done, a use is not recorded. Nothing: all calls work again.
void leaveOut(std::optional<SiteKey> site);
/// The same of several at once, such as a query and the wait after it. None: all calls work again.
void leaveOutAll(const std::vector<SiteKey>& sites);
/// How many calls were left out since leaveOut.
[[nodiscard]] std::uint64_t leftOutCalls();

/// "event block in run::GpuBackend::send (gpu_backend.cpp:120), from run::Row::play (row.cpp:88)"
[[nodiscard]] std::string nameOf(const Site& site);
/// The same of several, which starts one process instead of one for each.
[[nodiscard]] std::vector<std::string> namesOf(const std::vector<Site>& sites);

// ---- for the library ----
/// How a call gets from the program into this library: by LibTorch's headers alone, or by a
/// function in one of its libraries. By the wrong way it is LibTorch's own call.
enum class Through { Headers, LibTorch };
/// Notes the site of the call that is being made. True if it is left out.
[[nodiscard]] bool isLeftOut(SiteKind kind, Through through);

}  // namespace stagelane::async_device
