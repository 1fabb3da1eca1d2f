// A tokenizer.json, a zero byte, and a text: an error with its place, or ids whose text is made of
// them in one piece and as they come.

#include "engine/tokenizer/text_stream.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/fuzz/fuzz.h"

namespace {

namespace tokenizer = stagelane::tokenizer;
using tokenizer::SpecialTokens;

void requireMessage(bool good) {
  if (!good) std::abort();
}

/// Ids are those of tokens; where all bytes are characters, both ways to decode agree.
void checkDecoding(const std::shared_ptr<const tokenizer::Tokenizer>& read,
                   const std::vector<tokenizer::TokenId>& ids) {
  const std::string text = read->decode(ids, SpecialTokens::With);
  tokenizer::TextStream stream(read, SpecialTokens::With);
  std::string streamed;
  for (const tokenizer::TokenId id : ids) {
    if (id < 0 || id >= read->endOfIds()) std::abort();
    streamed += stream.push(id);
  }
  streamed += stream.finish();
  const bool whole = text.find("\uFFFD") == std::string::npos;
  if (whole && streamed != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = stagelane::fuzz::view(data, size);
  const std::size_t end = std::min(input.find('\0'), input.size());
  const auto read = tokenizer::Tokenizer::parse(input.substr(0, end), "fuzz");
  requireMessage(read || !read.error().message.empty());
  if (!read) return 0;
  const auto ids = (*read)->encode(input.substr(std::min(end + 1, input.size())));
  requireMessage(ids || !ids.error().message.empty());
  if (ids) checkDecoding(*read, *ids);
  return 0;
}
