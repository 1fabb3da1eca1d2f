#include "engine/tokenizer/decoder.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "engine/tokenizer/byte_alphabet.h"
#include "engine/tokenizer/components.h"
#include "engine/tokenizer/metaspace.h"
#include "engine/tokenizer/utf8.h"

namespace stagelane::tokenizer {
namespace {

bool fuses(const DecoderStep& step) {
  return std::holds_alternative<Fuse>(step) || std::holds_alternative<BytesOfAlphabet>(step);
}

ReplaceInToken readReplace(ObjectReader& reader) {
  ReplaceInToken step{readPatternText(reader, "the decoder \"Replace\""), reader.text("content")};
  // Bounds the text that hostile files can make of a token.
  if (step.content.size() > step.pattern.size()) {
    reader.problem("content", "a replacement longer than its pattern is not supported");
  }
  return step;
}

StripBegin readStrip(ObjectReader& reader) {
  StripBegin step;
  step.character = reader.text("content");
  if (step.character.empty() || utf8Length(step.character.front()) != step.character.size()) {
    reader.problem("content", "expected one character");
  }
  const std::int64_t count = reader.integer("start", 0);
  if (count < 0) reader.problem("start", "expected a number from 0");
  if (reader.integer("stop", 0) != 0) {
    reader.problem("stop", "taking characters off the end is not supported");
  }
  step.count = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  return step;
}

DecoderStep readByteLevel(ObjectReader& reader) {
  // Concern encoding.
  for (const char* key : {"add_prefix_space", "trim_offsets", "use_regex"}) {
    static_cast<void>(reader.boolean(key, true));
  }
  return BytesOfAlphabet{};
}

/// The byte of a token `<0x41>`. One hexadecimal digit can have a plus, as Rust reads numbers.
std::optional<char> byteOfName(std::string_view token) {
  if (token.size() != 6 || token.substr(0, 3) != "<0x" || token.back() != '>') return std::nullopt;
  std::string_view digits = token.substr(3, 2);
  if (digits.front() == '+') digits.remove_prefix(1);
  unsigned value = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (problem != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return static_cast<char>(value);
}

std::string replacedIn(const std::string& token, const ReplaceInToken& step) {
  std::string answer;
  std::size_t done = 0;
  for (std::size_t at = token.find(step.pattern); at != std::string::npos;
       at = token.find(step.pattern, done)) {
    answer.append(token, done, at - done).append(step.content);
    done = at + step.pattern.size();
  }
  return answer.append(token, done);
}

}  // namespace

Result<std::vector<DecoderStep>> readDecoder(const Json* component, const std::string& pointer) {
  std::vector<DecoderStep> steps;
  bool isFused = false;
  const auto readOne = [&](const std::string& type, ObjectReader& reader) -> Status {
    if (type == "Replace") {
      steps.emplace_back(readReplace(reader));
    } else if (type == "ByteFallback") {
      steps.emplace_back(BytesOfNames{});
    } else if (type == "Fuse") {
      steps.emplace_back(Fuse{});
    } else if (type == "Strip") {
      steps.emplace_back(readStrip(reader));
    } else if (type == "ByteLevel") {
      steps.emplace_back(readByteLevel(reader));
    } else if (type == "Metaspace") {
      const Metaspace metaspace = readMetaspace(reader);
      steps.emplace_back(
          BlanksOfMetaspace{metaspace.replacement, metaspace.prepend != Metaspace::Prepend::Never});
    } else {
      refuse(reader, "the decoder \"" + type + "\"",
             "Replace, ByteFallback, Fuse, Strip, ByteLevel, Metaspace, Sequence");
      return {};
    }
    const bool canFollow = std::holds_alternative<StripBegin>(steps.back()) ||
                           std::holds_alternative<Fuse>(steps.back());
    if (isFused && !canFollow) {
      refuse(reader, "the decoder \"" + type + "\" after Fuse or ByteLevel", "Strip there");
    }
    isFused = isFused || fuses(steps.back());
    return {};
  };
  STAGELANE_CHECK(readComponents(component, pointer, "decoders", readOne));
  if (component == nullptr || component->is_null()) steps.emplace_back(JoinWithBlanks{});
  return steps;
}

Decoding::Decoding(const std::vector<DecoderStep>& steps, ByteRuns runs)
    : m_steps(steps), m_runs(runs), m_states(steps.size()) {
  bool isFused = false;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    m_states[step].isFused = isFused;
    isFused = isFused || fuses(steps[step]);
  }
}

std::string Decoding::take() { return std::exchange(m_text, {}); }

void Decoding::finish() {
  for (std::size_t step = 0; step < m_steps.size(); ++step) {
    if (std::holds_alternative<BytesOfNames>(m_steps[step])) endRun(step);
    if (std::holds_alternative<BytesOfAlphabet>(m_steps[step]) && !m_states[step].held.empty()) {
      m_states[step].held.clear();
      pass(step + 1, std::string(kReplacementCharacter));
    }
  }
}

void Decoding::pass(std::size_t step, std::string token) {
  if (step == m_steps.size()) {
    m_text += token;
    return;
  }
  const DecoderStep& current = m_steps[step];
  State& state = m_states[step];
  const bool isFirst = !std::exchange(state.hasBegun, true);
  if (const auto* replace = std::get_if<ReplaceInToken>(&current)) {
    pass(step + 1, replacedIn(token, *replace));
  } else if (std::holds_alternative<BytesOfNames>(current)) {
    if (const auto byte = byteOfName(token)) return passByte(step, *byte);
    endRun(step);
    pass(step + 1, std::move(token));
  } else if (std::holds_alternative<BytesOfAlphabet>(current)) {
    const std::optional<std::string> bytes = bytesOfShown(token);
    state.held += bytes ? *bytes : token;
    passWhole(step, "");
  } else if (const auto* what = std::get_if<StripBegin>(&current)) {
    strip(*what, step, std::move(token));
  } else if (const auto* blanks = std::get_if<BlanksOfMetaspace>(&current)) {
    const bool drops = isFirst && blanks->dropsFirst;
    pass(step + 1, replacedIn(token, {blanks->replacement, drops ? "" : " "}));
  } else if (std::holds_alternative<JoinWithBlanks>(current)) {
    pass(step + 1, isFirst ? std::move(token) : " " + token);
  } else {
    pass(step + 1, std::move(token));
  }
}

void Decoding::passByte(std::size_t step, char byte) {
  m_states[step].held += byte;
  if (m_runs == ByteRuns::AsTheyCome) passWhole(step, kReplacementCharacter);
}

/// Passes on the complete characters of what is held. Invalid bytes become U+FFFD: each, if
/// `perInvalidByte` has one, else each sequence.
void Decoding::passWhole(std::size_t step, std::string_view perInvalidByte) {
  std::string& held = m_states[step].held;
  std::string text;
  std::size_t at = 0;
  while (at < held.size()) {
    const Utf8Step here = utf8Step(held, at);
    if (here.kind == Utf8Step::Kind::Cut) break;
    if (here.kind == Utf8Step::Kind::Whole) {
      text.append(held, at, here.bytes);
    } else if (perInvalidByte.empty()) {
      text += kReplacementCharacter;
    } else {
      for (std::size_t i = 0; i < here.bytes; ++i) text += perInvalidByte;
    }
    at += here.bytes;
  }
  held.erase(0, at);
  if (!text.empty()) pass(step + 1, std::move(text));
}

void Decoding::endRun(std::size_t step) {
  const std::string bytes = std::exchange(m_states[step].held, {});
  if (bytes.empty()) return;
  if (!firstInvalidUtf8(bytes)) return pass(step + 1, bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) pass(step + 1, std::string(kReplacementCharacter));
}

void Decoding::strip(const StripBegin& what, std::size_t step, std::string token) {
  State& state = m_states[step];
  if (!state.isFused) state.stripped = 0;
  std::size_t at = 0;
  while (state.stripped < what.count &&
         token.compare(at, what.character.size(), what.character) == 0) {
    at += what.character.size();
    ++state.stripped;
  }
  // After another character, nothing of the text is taken off.
  if (at < token.size()) state.stripped = what.count;
  pass(step + 1, token.substr(at));
}

}  // namespace stagelane::tokenizer
