#pragma once

/// Finds the objects of a `traceEvents` array without parsing them, so that one broken object costs
/// itself only and a cut file gives all that came before. Internal to profiler/formats.

#include <cstddef>
#include <optional>
#include <string_view>

namespace stagelane::formats::detail {

class JsonEvents {
 public:
  /// Looks for the array: the whole text, or the member `traceEvents` of the outermost object.
  explicit JsonEvents(std::string_view text);

  [[nodiscard]] bool found() const { return m_found; }
  /// The next object of the array. Nothing at its end, or where the text breaks off: see `cut`.
  [[nodiscard]] std::optional<std::string_view> next();
  /// The text ended inside the array; `place` is where its last, unfinished object begins.
  [[nodiscard]] bool cut() const { return m_cut; }
  [[nodiscard]] std::size_t place() const { return m_place; }

 private:
  [[nodiscard]] std::size_t skipString(std::size_t place) const;
  [[nodiscard]] std::size_t skipValue(std::size_t place) const;
  [[nodiscard]] std::size_t skipSpace(std::size_t place) const;
  void findArray();

  std::string_view m_text;
  std::size_t m_place = 0;
  bool m_found = false;
  bool m_cut = false;
};

}  // namespace stagelane::formats::detail
