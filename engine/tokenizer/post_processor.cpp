#include "engine/tokenizer/post_processor.h"

#include "engine/tokenizer/components.h"

namespace stagelane::tokenizer {
namespace {

/// Bounds what hostile files can add to each text.
constexpr std::size_t kMostIds = 1024;

/// Reads the template of single texts: special tokens around the sequence A.
class TemplateReader {
 public:
  explicit TemplateReader(ObjectReader& reader)
      : m_reader(reader), m_specials(reader.raw("special_tokens")) {}

  Result<PostProcessor> read() {
    static_cast<void>(m_reader.raw("pair"));  // of two texts
    const Json* pieces = m_reader.raw("single");
    if (pieces == nullptr || !pieces->is_array()) {
      m_reader.problem("single", "expected a list of tokens and the sequence A");
      return m_answer;
    }
    if (pieces->size() > kMostIds) m_reader.problem("single", "too many tokens");
    STAGELANE_CHECK(m_reader.finish());
    std::size_t index = 0;
    for (const Json& piece : *pieces) {
      STAGELANE_CHECK(readPiece(piece, childPointer(m_reader.pointerOf("single"), index++)));
    }
    if (!m_seenText) m_reader.problem("single", "the sequence A is missing");
    return m_answer;
  }

 private:
  Status readPiece(const Json& piece, const std::string& pointer) {
    ObjectReader reader(piece, pointer);
    const Json* text = reader.raw("Sequence");
    const Json* token = reader.raw("SpecialToken");
    STAGELANE_CHECK(reader.finish());
    if ((text == nullptr) == (token == nullptr)) {
      return fail(ErrorCode::Invalid, "expected a \"SpecialToken\" or a \"Sequence\"", pointer);
    }
    if (token != nullptr) {
      const std::string place = pointer + "/SpecialToken";
      STAGELANE_TRY(name, readName(*token, place));
      return addIds(*name, place);
    }
    STAGELANE_TRY(name, readName(*text, pointer + "/Sequence"));
    if (*name != "A" || m_seenText) {
      return fail(ErrorCode::Invalid, "expected the sequence A once", pointer);
    }
    m_seenText = true;
    return {};
  }

  static Result<std::string> readName(const Json& object, const std::string& pointer) {
    ObjectReader reader(object, pointer);
    const std::string name = reader.text("id");
    static_cast<void>(reader.integer("type_id", 0));  // models of pairs of texts use it
    STAGELANE_CHECK(reader.finish());
    return name;
  }

  Status addIds(const std::string& name, const std::string& pointer) {
    const Json* entry = m_specials != nullptr && m_specials->is_object() &&
                                m_specials->contains(name) && m_specials->at(name).is_object()
                            ? &m_specials->at(name)
                            : nullptr;
    const Json* ids = entry != nullptr && entry->contains("ids") ? &entry->at("ids") : nullptr;
    if (ids == nullptr || !ids->is_array()) {
      return fail(ErrorCode::Invalid, "\"special_tokens\" lacks the ids of \"" + name + "\"",
                  pointer);
    }
    for (const Json& value : *ids) {
      STAGELANE_TRY(id, readId(value, m_reader.pointerOf("special_tokens")));
      (m_seenText ? m_answer.after : m_answer.before).push_back(*id);
    }
    return {};
  }

  ObjectReader& m_reader;
  const Json* m_specials;
  PostProcessor m_answer;
  bool m_seenText = false;
};

/// Later processors surround what earlier ones have made.
void surround(PostProcessor& inner, const PostProcessor& outer) {
  inner.before.insert(inner.before.begin(), outer.before.begin(), outer.before.end());
  inner.after.insert(inner.after.end(), outer.after.begin(), outer.after.end());
}

}  // namespace

Result<PostProcessor> readPostProcessor(const Json* component, const std::string& pointer) {
  PostProcessor answer;
  const auto readOne = [&](const std::string& type, ObjectReader& reader) -> Status {
    if (type == "TemplateProcessing") {
      STAGELANE_TRY(outer, TemplateReader(reader).read());
      surround(answer, *outer);
    } else if (type == "ByteLevel") {
      // Concerns offsets only.
      for (const char* key : {"add_prefix_space", "trim_offsets", "use_regex"}) {
        static_cast<void>(reader.boolean(key, true));
      }
    } else {
      refuse(reader, "the post-processor \"" + type + "\"",
             "TemplateProcessing, ByteLevel, Sequence");
    }
    return {};
  };
  STAGELANE_CHECK(readComponents(component, pointer, "processors", readOne));
  if (answer.before.size() + answer.after.size() > kMostIds) {
    return fail(ErrorCode::Invalid, "more than " + std::to_string(kMostIds) + " special tokens",
                pointer);
  }
  return answer;
}

}  // namespace stagelane::tokenizer
