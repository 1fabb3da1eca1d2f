#pragma once

/// Details of a file's events that a Trace has no column for: Chrome's `args` (Perfetto's
/// annotations) unchanged, which events are instants, which have no category, and the members of
/// the JSON document. Kept only for a conversion, because they can be several times larger than the
/// trace.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stagelane::formats {

class EventDetails {
 public:
  struct Event {
    std::string_view arguments;  ///< members of a JSON object without its braces, minified
    /// True for a Chrome event: `arguments` are all of its `args`, so a writer adds nothing to
    /// them.
    bool isChromes = false;
    bool hasArguments = false;  ///< Chrome event with an `args`, which may be empty
    bool isInstant = false;
    bool hasCategory = true;
    char scope = 0;            ///< of an instant: g, p, t; 0 if missing
    std::int32_t repeat = -1;  ///< from its arguments
    std::int32_t step = -1;
  };
  /// Arguments beyond this many bytes are dropped and counted.
  static constexpr std::uint64_t kMostTextBytes = std::uint64_t{4} << 30;

  /// Copies its data. Skipped numbers get an event without arguments.
  void set(std::uint32_t number, const Event& event);
  /// Adds members to an event; new ones replace those with the same key.
  void addArguments(std::uint32_t number, std::string_view more);
  /// `order` has the old number of each new one.
  void reorder(const std::vector<std::uint32_t>& order);
  [[nodiscard]] Event at(std::size_t number) const;
  [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }
  void leaveOut() { ++m_leftOut; }
  /// Estimate of the most memory that the details take, also while they are reordered.
  [[nodiscard]] std::uint64_t memoryBytes() const {
    return 2 * m_texts.size() + 3 * m_entries.size() * sizeof(Entry);
  }
  /// True if all events are Chrome events.
  [[nodiscard]] bool areChromes() const { return m_areChromes; }

  /// Number of events of unsupported kinds, by kind (Chrome's `ph`).
  std::map<char, std::uint64_t> otherKinds;
  /// Members of the JSON document, unchanged, without its events.
  std::map<std::string, std::string> members;
  /// True if the events contain the steps (docs/reference/formats.md), so a writer must not add
  /// events for them.
  bool stepsAreTold = false;

 private:
  struct Entry {
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
    std::int32_t repeat = -1;
    std::int32_t step = -1;
    char scope = 0;
    std::uint8_t flags = 0;
  };
  std::string m_texts;
  std::vector<Entry> m_entries;
  std::uint64_t m_leftOut = 0;
  bool m_areChromes = true;
};

}  // namespace stagelane::formats
