#include "profiler/formats/event_details.h"

#include <algorithm>

#include "profiler/formats/json_members.h"
#include "profiler/formats/json_text.h"

namespace stagelane::formats {
namespace {

constexpr std::uint8_t kIsChromes = 1;
constexpr std::uint8_t kHasArguments = 2;
constexpr std::uint8_t kIsInstant = 4;
constexpr std::uint8_t kHasNoCategory = 8;

std::uint8_t flag(bool set, std::uint8_t bit) { return set ? bit : std::uint8_t{0}; }

}  // namespace

void EventDetails::set(std::uint32_t number, const Event& event) {
  m_areChromes &= event.isChromes;
  if (number >= m_entries.size()) m_entries.resize(std::size_t{number} + 1);
  Entry& entry = m_entries[number];
  entry.repeat = event.repeat;
  entry.step = event.step;
  entry.scope = event.scope;
  entry.flags = static_cast<std::uint8_t>(
      flag(event.isChromes, kIsChromes) | flag(event.hasArguments, kHasArguments) |
      flag(event.isInstant, kIsInstant) | flag(!event.hasCategory, kHasNoCategory));
  if (m_texts.size() + event.arguments.size() > kMostTextBytes) {
    ++m_leftOut;
    return;
  }
  entry.offset = m_texts.size();
  entry.length = static_cast<std::uint32_t>(event.arguments.size());
  m_texts += event.arguments;
}

void EventDetails::addArguments(std::uint32_t number, std::string_view more) {
  if (number >= m_entries.size()) return;
  Entry& entry = m_entries[number];
  const std::vector<detail::JsonMember> added = detail::splitMembers(more);
  const auto isAdded = [&added](const detail::JsonMember& member) {
    return std::any_of(added.begin(), added.end(),
                       [&](const detail::JsonMember& other) { return other.key == member.key; });
  };
  detail::JsonMembers all;
  for (const detail::JsonMember& member :
       detail::splitMembers(std::string_view(m_texts).substr(entry.offset, entry.length))) {
    if (!isAdded(member)) all.put(member.key, member.value);
  }
  all.putAll(more);
  if (m_texts.size() + all.members().size() > kMostTextBytes) {
    ++m_leftOut;
    return;
  }
  entry.flags |= kHasArguments;
  entry.offset = m_texts.size();
  entry.length = static_cast<std::uint32_t>(all.members().size());
  m_texts += all.members();
}

void EventDetails::reorder(const std::vector<std::uint32_t>& order) {
  std::vector<Entry> sorted(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (order[place] < m_entries.size()) sorted[place] = m_entries[order[place]];
  }
  m_entries = std::move(sorted);
}

EventDetails::Event EventDetails::at(std::size_t number) const {
  Event event;
  if (number < m_entries.size()) {
    const Entry& entry = m_entries[number];
    event.arguments = std::string_view(m_texts).substr(entry.offset, entry.length);
    event.isChromes = (entry.flags & kIsChromes) != 0;
    event.hasArguments = (entry.flags & kHasArguments) != 0;
    event.isInstant = (entry.flags & kIsInstant) != 0;
    event.hasCategory = (entry.flags & kHasNoCategory) == 0;
    event.scope = entry.scope;
    event.repeat = entry.repeat;
    event.step = entry.step;
  }
  return event;
}

}  // namespace stagelane::formats
