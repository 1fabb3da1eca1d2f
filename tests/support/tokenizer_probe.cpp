/// Answers what a tokenizer makes of texts and ids, for comparisons with the package `tokenizers`.
///
///   stagelane_tokenizer_probe TOKENIZER.json          answers requests
///   stagelane_tokenizer_probe TOKENIZER.json TEXT N   prints the seconds of N encodings of a file
///
/// A request is a line of JSON, `{"text": TEXT}` or `{"ids": [...]}`; the answer is a line, too:
/// `{"ids", "bare"}` (with and without special tokens) or `{"text", "kept", "streamed"}`. An error
/// is `{"error": MESSAGE}`.

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/tokenizer/text_stream.h"
#include "engine/tokenizer/tokenizer.h"

namespace {

using stagelane::Json;
using stagelane::tokenizer::SpecialTokens;
using stagelane::tokenizer::TextStream;
using stagelane::tokenizer::TokenId;
using stagelane::tokenizer::Tokenizer;
using Shared = std::shared_ptr<const Tokenizer>;

Json ofText(const Tokenizer& tokenizer, const std::string& text) {
  const auto ids = tokenizer.encode(text);
  if (!ids) return {{"error", describe(ids.error())}};
  return {{"ids", *ids}, {"bare", *tokenizer.encode(text, SpecialTokens::Without)}};
}

Json ofIds(const Shared& tokenizer, const std::vector<TokenId>& ids) {
  TextStream stream(tokenizer);
  std::string streamed;
  for (const TokenId id : ids) streamed += stream.push(id);
  streamed += stream.finish();
  return {{"text", tokenizer->decode(ids)},
          {"kept", tokenizer->decode(ids, SpecialTokens::With)},
          {"streamed", streamed}};
}

int answer(const Shared& tokenizer) {
  std::string line;
  while (std::getline(std::cin, line)) {
    const Json request = Json::parse(line);
    const Json reply = request.contains("text")
                           ? ofText(*tokenizer, request.at("text").get<std::string>())
                           : ofIds(tokenizer, request.at("ids").get<std::vector<TokenId>>());
    std::cout << reply.dump() << std::endl;
  }
  return EXIT_SUCCESS;
}

int measure(const Tokenizer& tokenizer, const std::string& file, int times) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::size_t tokens = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) tokens += tokenizer.encode(text.str())->size();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::cout << Json({{"seconds", taken.count()}, {"tokens", tokens}}).dump() << std::endl;
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) return 2;
  const auto begin = std::chrono::steady_clock::now();
  const auto tokenizer = Tokenizer::read(argv[1]);
  if (!tokenizer) {
    std::cerr << describe(tokenizer.error()) << '\n';
    return static_cast<int>(tokenizer.error().code);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::cerr << "read in " << taken.count() << " s\n";
  return argc == 2 ? answer(*tokenizer) : measure(**tokenizer, argv[2], std::atoi(argv[3]));
}
