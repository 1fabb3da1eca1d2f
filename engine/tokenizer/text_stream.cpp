#include "engine/tokenizer/text_stream.h"

#include <utility>

namespace stagelane::tokenizer {

TextStream::TextStream(std::shared_ptr<const Tokenizer> tokenizer, SpecialTokens special,
                       const std::vector<TokenId>& context)
    : m_tokenizer(std::move(tokenizer)),
      m_special(special),
      m_decoding(m_tokenizer->m_decoder, ByteRuns::AsTheyCome) {
  for (const TokenId id : context) static_cast<void>(push(id));
}

std::string TextStream::push(TokenId id) {
  if (const std::string* token = m_tokenizer->shownToken(id, m_special)) m_decoding.push(*token);
  return m_decoding.take();
}

std::string TextStream::finish() {
  m_decoding.finish();
  return m_decoding.take();
}

}  // namespace stagelane::tokenizer
