#include "engine/tokenizer/pre_tokenizer.h"

#include <algorithm>

#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/components.h"
#include "engine/tokenizer/metaspace.h"
#include "engine/tokenizer/normalizer.h"

namespace stagelane::tokenizer {
namespace {

/// What ByteLevel with `use_regex` cuts at: words of GPT-2.
constexpr const char* kWordsOfGpt2 =
    R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

bool beginsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

Result<PreTokenizer> PreTokenizer::read(const Json* component, const std::string& pointer) {
  PreTokenizer answer;
  const auto readOne = [&](const std::string& type, ObjectReader& reader) -> Status {
    if (type == "Metaspace") return answer.readMetaspace(reader);
    if (type == "ByteLevel") return answer.readByteLevel(reader);
    if (type == "Split") return answer.readSplit(reader);
    if (type == "Digits") return answer.readDigits(reader);
    refuse(reader, "the pre-tokenizer \"" + type + "\"",
           "Metaspace, Split, ByteLevel, Digits, Sequence");
    return {};
  };
  STAGELANE_CHECK(readComponents(component, pointer, "pretokenizers", readOne));
  return answer;
}

Status PreTokenizer::readMetaspace(ObjectReader& reader) {
  const Metaspace metaspace = tokenizer::readMetaspace(reader);
  m_steps.emplace_back(ReplaceBlanks{metaspace.replacement});
  if (metaspace.prepend != Metaspace::Prepend::Never) {
    m_steps.emplace_back(
        Prefix{metaspace.replacement, metaspace.prepend == Metaspace::Prepend::First});
  }
  if (metaspace.splits) m_steps.emplace_back(CutBefore{metaspace.replacement});
  return {};
}

Status PreTokenizer::readByteLevel(ObjectReader& reader) {
  const bool addsBlank = reader.boolean("add_prefix_space", true);
  const bool cutsWords = reader.boolean("use_regex", true);
  static_cast<void>(reader.boolean("trim_offsets", true));  // of offsets only
  if (addsBlank) m_steps.emplace_back(Prefix{" ", false});
  if (cutsWords) STAGELANE_CHECK(cutAt(kWordsOfGpt2, reader.pointerOf(""), Gaps::Keep));
  m_steps.emplace_back(ShowBytes{});
  return {};
}

Status PreTokenizer::readDigits(ObjectReader& reader) {
  const bool each = reader.boolean("individual_digits", false);
  return cutAt(each ? "\\p{N}" : "\\p{N}+", reader.pointerOf(""), Gaps::Keep);
}

Status PreTokenizer::cutAt(const std::string& pattern, const std::string& pointer, Gaps gaps) {
  STAGELANE_TRY(compiled, SplitPattern::compile(pattern, pointer));
  m_steps.emplace_back(CutAtMatches{std::move(*compiled), gaps});
  return {};
}

Status PreTokenizer::readSplit(ObjectReader& reader) {
  const std::string behavior = reader.text("behavior");
  const bool inverted = reader.boolean("invert", false);
  const Json* pattern = reader.raw("pattern");
  const bool isRegex = pattern != nullptr && pattern->is_object() && pattern->size() == 1 &&
                       pattern->contains("Regex") && pattern->at("Regex").is_string();
  if (!isRegex) {
    reader.problem("pattern", "expected the pattern {\"Regex\": TEXT}");
    return {};
  }
  // Isolated: matches and what is between them, however they are named.
  const bool keepsMatches = behavior == "Removed" && inverted;
  if (behavior != "Isolated" && !keepsMatches) {
    refuse(reader,
           "the behavior \"" + behavior + "\" of Split " + (inverted ? "with" : "without") +
               " \"invert\"",
           "Isolated, and Removed with \"invert\"");
    return {};
  }
  return cutAt(pattern->at("Regex").get<std::string>(), reader.pointerOf("pattern") + "/Regex",
               keepsMatches ? Gaps::Drop : Gaps::Keep);
}

Status PreTokenizer::cut(std::string_view text, bool isFirst, const PieceSink& sink) const {
  return runFrom(0, {text, isFirst}, sink);
}

Status PreTokenizer::runFrom(std::size_t step, Piece piece, const PieceSink& sink) const {
  if (piece.text.empty()) return {};
  if (step == m_steps.size()) return sink(piece.text);
  const Step& current = m_steps[step];
  const std::size_t next = step + 1;
  if (const auto* blanks = std::get_if<ReplaceBlanks>(&current)) {
    STAGELANE_TRY(text, replaced(piece.text, " ", blanks->content));
    return runFrom(next, {*text, piece.isFirst}, sink);
  }
  if (const auto* prefix = std::get_if<Prefix>(&current)) {
    const bool without =
        beginsWith(piece.text, prefix->text) || (prefix->onlyFirst && !piece.isFirst);
    if (without) return runFrom(next, piece, sink);
    const std::string text = prefix->text + std::string(piece.text);
    return runFrom(next, {text, piece.isFirst}, sink);
  }
  if (const auto* before = std::get_if<CutBefore>(&current)) {
    return cutBefore(*before, next, piece, sink);
  }
  if (const auto* matches = std::get_if<CutAtMatches>(&current)) {
    const auto passOn = [&](std::string_view part) {
      const bool isFirst = piece.isFirst && part.data() == piece.text.data();
      return runFrom(next, {part, isFirst}, sink);
    };
    return matches->pattern.split(piece.text, matches->gaps, passOn);
  }
  return runFrom(next, {shownBytes(piece.text), piece.isFirst}, sink);
}

Status PreTokenizer::cutBefore(const CutBefore& step, std::size_t next, Piece piece,
                               const PieceSink& sink) const {
  std::size_t begin = 0;
  while (begin < piece.text.size()) {
    const std::size_t end = std::min(piece.text.find(step.text, begin + 1), piece.text.size());
    const Piece part{piece.text.substr(begin, end - begin), piece.isFirst && begin == 0};
    STAGELANE_CHECK(runFrom(next, part, sink));
    begin = end;
  }
  return {};
}

}  // namespace stagelane::tokenizer
