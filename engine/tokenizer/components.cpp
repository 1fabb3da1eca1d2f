#include "engine/tokenizer/components.h"

namespace stagelane::tokenizer {
namespace {

/// Far more than any tokenizer has; bounds the work of hostile files.
constexpr int kMostComponents = 32;

/// Reads components and counts them.
class Reading {
 public:
  Reading(const std::string& list, const ReadComponent& read) : m_list(list), m_read(read) {}

  Status one(const Json& component, const std::string& pointer) {
    ObjectReader reader(component, pointer);
    const std::string type = reader.text("type");
    if (type == "Sequence") return sequence(reader, pointer);
    if (++m_count > kMostComponents) {
      reader.problem("", "more than " + std::to_string(kMostComponents) + " components");
    } else if (component.is_object() && !type.empty()) {
      STAGELANE_CHECK(m_read(type, reader));
    }
    return reader.finish();
  }

 private:
  Status sequence(ObjectReader& reader, const std::string& pointer) {
    const Json* list = reader.raw(m_list);
    if (list == nullptr || !list->is_array()) {
      reader.problem(m_list, "expected the list of components \"" + m_list + "\"");
    }
    STAGELANE_CHECK(reader.finish());
    const std::string place = childPointer(pointer, m_list);
    std::size_t index = 0;
    for (const Json& member : *list) STAGELANE_CHECK(one(member, childPointer(place, index++)));
    return {};
  }

  const std::string& m_list;
  const ReadComponent& m_read;
  int m_count = 0;
};

}  // namespace

Status readComponents(const Json* component, const std::string& pointer, const std::string& list,
                      const ReadComponent& read) {
  if (component == nullptr || component->is_null()) return {};
  return Reading(list, read).one(*component, pointer);
}

void refuse(ObjectReader& reader, const std::string& what, const std::string& available) {
  reader.problem("", what + " is not supported",
                 "Supported: " + available + ". Without a tokenizer, pass token ids");
}

std::string readPatternText(ObjectReader& reader, const std::string& kind) {
  const Json* pattern = reader.raw("pattern");
  if (pattern != nullptr && pattern->is_object() && pattern->size() == 1 &&
      pattern->contains("String") && pattern->at("String").is_string()) {
    auto text = pattern->at("String").get<std::string>();
    if (text.empty()) reader.problem("pattern", "the pattern is empty");
    return text;
  }
  const bool isRegex = pattern != nullptr && pattern->is_object() && pattern->contains("Regex");
  reader.problem("pattern", isRegex ? kind + " with a regular expression is not supported"
                                    : "expected the pattern {\"String\": TEXT}");
  return {};
}

}  // namespace stagelane::tokenizer
