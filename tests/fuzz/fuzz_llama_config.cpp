// config.json of a LLaMA, also as generation_config.json: sizes that fit together, or an error with
// a place.

#include <algorithm>
#include <cmath>

#include "engine/checkpoint/generation_defaults.h"
#include "engine/checkpoint/llama_config.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace stagelane;

bool hasPlace(const Error& error) {
  return !error.message.empty() && error.context.starts_with("fuzz");
}

bool fits(const checkpoint::LlamaConfig& config) {
  if (config.heads % config.keyValueHeads != 0 || config.headSize % 2 != 0) return false;
  for (const checkpoint::LlamaTensor& tensor : checkpoint::llamaTensors(config)) {
    std::int64_t bytes = 8;
    for (const std::int64_t size : tensor.shape) {
      if (size < 1 || __builtin_mul_overflow(bytes, size, &bytes)) return false;
    }
  }
  if (config.headSize > 4096) return true;  // takes long
  const auto frequencies = checkpoint::rotaryFrequencies(config.rotary, config.headSize);
  return std::all_of(frequencies.begin(), frequencies.end(),
                     [](float each) { return std::isfinite(each) && each >= 0.0F; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::view(data, size);
  const auto config = checkpoint::parseLlamaConfig(text, "fuzz");
  if (config ? !fits(*config) : !hasPlace(config.error())) std::abort();
  const auto document = parseJson(text, "fuzz");
  if (!document || !document->is_object()) return 0;
  const auto defaults = checkpoint::readGenerationDefaults(*document, "fuzz");
  if (!defaults && !hasPlace(defaults.error())) std::abort();
  return 0;
}
