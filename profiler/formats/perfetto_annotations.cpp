#include "profiler/formats/perfetto_annotations.h"

#include "engine/base/json.h"
#include "profiler/formats/json_text.h"
#include "profiler/formats/perfetto_fields.h"
#include "profiler/formats/proto_view.h"

namespace stagelane::formats::detail {

std::uint32_t lookUp(const Texts& texts, std::uint64_t iid) {
  const auto found = texts.find(iid);
  return found == texts.end() ? 0 : found->second;
}

std::string AnnotationJson::valueOf(std::string_view annotation, int depth) {
  constexpr int kDeepest = 32;
  std::string scalar;
  std::string members;
  std::string items;
  const auto append = [](std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ",") + item;
  };
  for (ProtoView view(annotation); view.next();) {
    switch (view.field()) {
      case annotation_fields::kBool: scalar = view.number() != 0 ? "true" : "false"; break;
      case annotation_fields::kUint: scalar = std::to_string(view.number()); break;
      case annotation_fields::kInt: scalar = std::to_string(view.integer()); break;
      case annotation_fields::kDouble: scalar = Json(view.real()).dump(); break;
      case annotation_fields::kString: scalar = jsonText(view.bytes()); break;
      case annotation_fields::kStringIid:
        scalar = jsonText(m_texts.text(lookUp(m_strings, view.number())));
        break;
      case annotation_fields::kLegacyJson: {
        std::string_view minified;
        scalar = m_minifier.value(view.bytes(), minified) ? std::string(minified) : "";
        break;
      }
      case annotation_fields::kDictionary:
      case annotation_fields::kArray: {
        const bool isMember = view.field() == annotation_fields::kDictionary;
        const std::string_view entry = view.bytes();
        const std::string value = depth < kDeepest ? valueOf(entry, depth + 1) : "";
        const std::string name = isMember ? jsonText(nameOf(entry)) + ":" : "";
        append(isMember ? members : items, name + (value.empty() ? "null" : value));
        break;
      }
      default: break;
    }
  }
  return !members.empty() ? '{' + members + '}' : !items.empty() ? '[' + items + ']' : scalar;
}

const std::string& AnnotationJson::nameOf(std::string_view annotation) {
  std::uint32_t name = 0;
  for (ProtoView view(annotation); view.next();) {
    if (view.field() == annotation_fields::kNameIid) {
      name = lookUp(m_names, view.number());
    } else if (view.field() == annotation_fields::kName) {
      name = m_texts.id(view.bytes());
    }
  }
  return m_texts.text(name);
}

}  // namespace stagelane::formats::detail
