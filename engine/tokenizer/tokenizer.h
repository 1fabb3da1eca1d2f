#pragma once

/// Text to token ids and back, by the tokenizer.json of LLaMA models: byte-pair encoding with byte
/// fallback (LLaMA 1 and 2) or of bytes (LLaMA 3). Gives the ids and texts of the package
/// `tokenizers`. A file with other components is refused, so that no ids are silently different.
/// Not for chat templates, padding, truncation, or pairs of texts.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/tokenizer/added_tokens.h"
#include "engine/tokenizer/bpe_model.h"
#include "engine/tokenizer/decoder.h"
#include "engine/tokenizer/normalizer.h"
#include "engine/tokenizer/post_processor.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/vocabulary.h"

namespace stagelane::tokenizer {

class WordEncoder;

/// Whether special tokens such as `<s>` are put around encoded texts and shown in decoded ones.
enum class SpecialTokens { Without, With };

/// Immutable. @thread any number can use it
class Tokenizer {
 public:
  /// Reads a tokenizer.json. @errors Invalid: unreadable, malformed, inconsistent, not supported;
  /// the context names the file and the JSON pointer
  [[nodiscard]] static Result<std::shared_ptr<const Tokenizer>> read(
      const std::filesystem::path& file);
  /// The same from the text of a file; `source` names it in errors.
  [[nodiscard]] static Result<std::shared_ptr<const Tokenizer>> parse(std::string_view text,
                                                                      const std::string& source);

  /// @errors Invalid: not UTF-8, too large, or too much work for the file's regular expression
  [[nodiscard]] Result<std::vector<TokenId>> encode(
      std::string_view text, SpecialTokens special = SpecialTokens::With) const;
  /// Ids without a token are left out; bytes that are not UTF-8 become U+FFFD.
  [[nodiscard]] std::string decode(const std::vector<TokenId>& ids,
                                   SpecialTokens special = SpecialTokens::Without) const;

  /// The id of a token by its text in the file, such as "</s>".
  [[nodiscard]] std::optional<TokenId> idOf(std::string_view token) const;
  /// One more than the largest id. A model has to have at least as many embeddings.
  [[nodiscard]] TokenId endOfIds() const { return m_endOfIds; }

 private:
  friend class TextStream;

  explicit Tokenizer(BpeModel model);
  [[nodiscard]] static Result<std::shared_ptr<const Tokenizer>> fromJson(const Json& document);
  [[nodiscard]] Status addTokens(const std::vector<AddedToken>& tokens);
  [[nodiscard]] Status requireIdsExist(const std::vector<TokenId>& ids) const;
  /// The token to decode; null: none, or one to leave out.
  [[nodiscard]] const std::string* shownToken(TokenId id, SpecialTokens special) const;
  [[nodiscard]] Status encodePart(std::string_view text, bool isFirst, WordEncoder& encoder,
                                  std::vector<TokenId>& ids) const;

  BpeModel m_model;
  Vocabulary m_added;                                     ///< tokens that the model lacks
  std::unordered_map<TokenId, std::string> m_normalized;  ///< texts that normalization changed
  std::unordered_set<TokenId> m_special;
  TokenFinder m_beforeNormalization{{}};
  TokenFinder m_afterNormalization{{}};
  Normalizer m_normalizer;
  PreTokenizer m_preTokenizer;
  PostProcessor m_postProcessor;
  std::vector<DecoderStep> m_decoder;
  TokenId m_endOfIds = 0;
};

}  // namespace stagelane::tokenizer
