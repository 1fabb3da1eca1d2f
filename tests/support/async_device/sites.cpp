#include "tests/support/async_device/sites.h"

#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "tests/support/async_device/program_symbols.h"

namespace stagelane::async_device {
namespace {

/// Frames that a call takes through LibTorch's dispatcher and more.
constexpr int kMostFrames = 64;

struct Sites {
  std::atomic<bool> watched{false};
  std::atomic<bool> someLeftOut{false};
  std::mutex mutex;  ///< guards the members below
  std::map<SiteKey, std::uint64_t> seen;
  std::set<SiteKey> leftOut;
  std::uint64_t calls = 0;
  std::vector<std::string> passThrough;
};

Sites& sites() {
  static auto* const kSites = new Sites();
  return *kSites;
}

struct Extent {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] bool has(std::uintptr_t address) const { return address >= begin && address < end; }
};

/// Where the program's code and LibTorch's are in memory.
struct CodeMap {
  std::uintptr_t base = 0;
  std::vector<Extent> program;
  std::vector<Extent> torch;
};

bool isIn(const std::vector<Extent>& extents, std::uintptr_t address) {
  for (const Extent& extent : extents) {
    if (extent.has(address)) return true;
  }
  return false;
}

int addModule(dl_phdr_info* info, std::size_t /*size*/, void* to) {
  auto& map = *static_cast<CodeMap*>(to);
  const std::string_view name = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  // The program comes first and has no name.
  const bool isProgram = name.empty() && map.program.empty();
  const bool isTorch = name.find("libtorch") != std::string_view::npos;
  if (isProgram) map.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    const Extent extent{begin, begin + part.p_memsz};
    if (isProgram) map.program.push_back(extent);
    if (isTorch) map.torch.push_back(extent);
  }
  return 0;
}

const CodeMap& codeMap() {
  static const CodeMap kMap = [] {
    CodeMap map;
    dl_iterate_phdr(&addModule, &map);
    return map;
  }();
  return kMap;
}

/// Whether a function is the place of a call, and not only on the way to it.
bool isPlace(std::string_view function, const std::vector<std::string>& passThrough) {
  if (isLibraryFunction(function)) return false;
  return std::none_of(passThrough.begin(), passThrough.end(), [&](const std::string& word) {
    return function.find(word) != std::string_view::npos;
  });
}

/// A walk up the stack to the places in the program.
struct Walk {
  Through through = Through::Headers;
  const std::vector<std::string>& passThrough;
  std::array<std::uintptr_t, 2> calls{};
  std::size_t found = 0;
  int frames = 0;
  bool internal = false;  ///< LibTorch's own call
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* to) {
  auto& walk = *static_cast<Walk*>(to);
  if (++walk.frames > kMostFrames) return _URC_END_OF_STACK;
  // A return address is behind the call, and may be in the next function.
  const std::uintptr_t address = _Unwind_GetIP(context) - 1;
  const CodeMap& map = codeMap();
  if (!isIn(map.program, address)) {
    walk.internal = walk.found == 0 && walk.through == Through::Headers && isIn(map.torch, address);
    return walk.internal ? _URC_END_OF_STACK : _URC_NO_REASON;
  }
  const std::uintptr_t offset = address - map.base;
  const std::string_view name = ProgramSymbols::ofThisProgram().at(offset);
  // The time between two events asks for both; it orders nothing.
  if (walk.found == 0 && name.find("elapsedTime") != std::string_view::npos) {
    walk.internal = true;
    return _URC_END_OF_STACK;
  }
  if (!isPlace(name, walk.passThrough)) return _URC_NO_REASON;
  walk.calls.at(walk.found++) = offset;
  return walk.found == walk.calls.size() ? _URC_END_OF_STACK : _URC_NO_REASON;
}

std::vector<std::uintptr_t> offsetsOf(const std::vector<Site>& all) {
  std::vector<std::uintptr_t> offsets;
  for (const Site& site : all)
    offsets.insert(offsets.end(), site.key.calls.begin(), site.key.calls.end());
  return offsets;
}

}  // namespace

std::string_view nameOf(SiteKind kind) {
  switch (kind) {
    case SiteKind::EventBlock: return "event block";
    case SiteKind::EventSynchronize: return "event synchronize";
    case SiteKind::EventQuery: return "event query";
    case SiteKind::StreamSynchronize: return "stream synchronize";
    case SiteKind::StreamQuery: return "stream query";
    case SiteKind::DeviceSynchronize: return "device synchronize";
    case SiteKind::RecordStream: return "record_stream";
  }
  return "unknown";
}

void watchSites(bool on) {
  const std::lock_guard<std::mutex> lock(sites().mutex);
  sites().watched = on;
  sites().seen.clear();
}

void passThrough(std::vector<std::string> words) {
  const std::lock_guard<std::mutex> lock(sites().mutex);
  sites().passThrough = std::move(words);
}

std::vector<Site> seenSites() {
  const std::lock_guard<std::mutex> lock(sites().mutex);
  std::vector<Site> seen;
  for (const auto& [key, count] : sites().seen) seen.push_back({key, count});
  return seen;
}

void leaveOut(std::optional<SiteKey> site) {
  leaveOutAll(site ? std::vector<SiteKey>{*site} : std::vector<SiteKey>{});
}

void leaveOutAll(const std::vector<SiteKey>& keys) {
  const std::lock_guard<std::mutex> lock(sites().mutex);
  sites().leftOut = std::set<SiteKey>(keys.begin(), keys.end());
  sites().calls = 0;
  sites().someLeftOut = !keys.empty();
}

std::uint64_t leftOutCalls() {
  const std::lock_guard<std::mutex> lock(sites().mutex);
  return sites().calls;
}

std::vector<std::string> namesOf(const std::vector<Site>& all) {
  const std::vector<std::string> places = describeCalls(offsetsOf(all));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string name = std::string(nameOf(all[i].key.kind)) + " in " + places[2 * i];
    if (all[i].key.calls[1] != 0) name += ", from " + places[2 * i + 1];
    names.push_back(std::move(name));
  }
  return names;
}

std::string nameOf(const Site& site) { return namesOf({site}).front(); }

bool isLeftOut(SiteKind kind, Through through) {
  if (!sites().watched && !sites().someLeftOut) return false;
  const std::lock_guard<std::mutex> lock(sites().mutex);
  Walk walk{through, sites().passThrough};
  _Unwind_Backtrace(&visit, &walk);
  if (walk.internal || walk.found == 0) return false;
  const SiteKey key{kind, walk.calls};
  if (sites().watched) ++sites().seen[key];
  const bool leftOut = sites().leftOut.count(key) != 0;
  if (leftOut) ++sites().calls;
  return leftOut;
}

}  // namespace stagelane::async_device
