#pragma once

/// What a file says of its events that a Trace has no column for: Chrome's `args` (Perfetto's
/// annotations) as they are, which events are instants, which have no category, and the members of
/// the JSON document. Kept for a conversion only, because it may be several times as large as the
/// trace; the analysis and the window do without.

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
    /// It was an event of Chrome's form: `arguments` are all of its `args`, so that nothing that
    /// the trace knows by itself has to be added to them.
    bool isChromes = false;
    bool hasArguments = false;  ///< Chrome's: there was an `args`, be it empty
    bool isInstant = false;
    bool hasCategory = true;
    char scope = 0;            ///< of an instant: g, p, t; 0 for none
    std::int32_t repeat = -1;  ///< as its arguments say
    std::int32_t step = -1;
  };
  /// Arguments beyond this many bytes are left out, and counted.
  static constexpr std::uint64_t kMostTextBytes = std::uint64_t{4} << 30;

  /// Copies what it needs. Numbers that are left out get an event without arguments.
  void set(std::uint32_t number, const Event& event);
  /// More members for an event that was set: of two with one key the new one stays.
  void addArguments(std::uint32_t number, std::string_view more);
  /// `order`: for each new number the one it had.
  void reorder(const std::vector<std::uint32_t>& order);
  [[nodiscard]] Event at(std::size_t number) const;
  [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }
  void leaveOut() { ++m_leftOut; }
  /// All events were of Chrome's form.
  [[nodiscard]] bool areChromes() const { return m_areChromes; }

  /// How many events were of kinds that a trace has no place for, by kind (Chrome's `ph`).
  std::map<char, std::uint64_t> otherKinds;
  /// Members of the JSON document, as they are written; not its events.
  std::map<std::string, std::string> members;
  /// The events say the steps (docs/reference/formats.md), so that writing these as well would add
  /// events.
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
