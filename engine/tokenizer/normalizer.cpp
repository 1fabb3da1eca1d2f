#include "engine/tokenizer/normalizer.h"

#include "engine/base/text.h"
#include "engine/tokenizer/components.h"

namespace stagelane::tokenizer {

Status requireTextFits(std::size_t bytes) {
  if (bytes <= kMostTextBytes) return {};
  return fail(ErrorCode::Invalid,
              "the text is larger than " + humanBytes(static_cast<Bytes>(kMostTextBytes)), {},
              "Use a shorter text");
}

Result<std::string> replaced(std::string_view text, std::string_view pattern,
                             std::string_view content) {
  std::string answer;
  std::size_t done = 0;
  for (std::size_t at = text.find(pattern); at != std::string_view::npos;
       at = text.find(pattern, done)) {
    answer.append(text.substr(done, at - done)).append(content);
    STAGELANE_CHECK(requireTextFits(answer.size()));
    done = at + pattern.size();
  }
  answer.append(text.substr(done));
  STAGELANE_CHECK(requireTextFits(answer.size()));
  return answer;
}

Result<Normalizer> Normalizer::read(const Json* component, const std::string& pointer) {
  Normalizer normalizer;
  const auto readStep = [&](const std::string& type, ObjectReader& reader) -> Status {
    if (type == "Prepend") {
      normalizer.m_steps.push_back({"", reader.text("prepend")});
    } else if (type == "Replace") {
      std::string pattern = readPatternText(reader, "the normalizer \"Replace\"");
      normalizer.m_steps.push_back({std::move(pattern), reader.text("content")});
    } else {
      refuse(reader, "the normalizer \"" + type + "\"", "Prepend, Replace, Sequence");
    }
    return {};
  };
  STAGELANE_CHECK(readComponents(component, pointer, "normalizers", readStep));
  return normalizer;
}

Result<std::string> Normalizer::apply(std::string_view text) const {
  std::string answer(text);
  for (const Step& step : m_steps) {
    if (!step.pattern.empty()) {
      STAGELANE_TRY(next, replaced(answer, step.pattern, step.content));
      answer = std::move(*next);
    } else if (!answer.empty()) {
      answer.insert(0, step.content);
      STAGELANE_CHECK(requireTextFits(answer.size()));
    }
  }
  return answer;
}

}  // namespace stagelane::tokenizer
