#include "engine/checkpoint/rotary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/text.h"
#include "engine/checkpoint/json_object_file.h"
#include "engine/checkpoint/quoted_name.h"

namespace stagelane::checkpoint {
namespace {

struct KindRow {
  RotaryKind kind;
  std::string_view word;
};
constexpr std::array kKinds{KindRow{RotaryKind::Default, "default"},
                            KindRow{RotaryKind::Linear, "linear"},
                            KindRow{RotaryKind::Llama3, "llama3"}};

std::string kindWords() {
  std::vector<std::string> words;
  for (const KindRow& row : kKinds) words.emplace_back(row.word);
  return joined(words);
}

// Far beyond any model; in the range of float32.
constexpr double kLargest = 1e18;

/// A number from `least` to `kLargest`.
double numberFrom(ObjectReader& reader, const std::string& key, double least,
                  std::optional<double> fallback) {
  const double value = reader.number(key, fallback);
  if (reader.has(key) && !(value >= least && value <= kLargest)) {
    reader.problem(key,
                   "must be a number from " + Json(least).dump() + " to " + Json(kLargest).dump());
  }
  return value;
}

/// `rope_type`, or `type` as the first versions wrote it.
RotaryKind readKind(ObjectReader& reader) {
  const std::string older = reader.text("type", "default");
  const std::string name = reader.text("rope_type", older);
  const auto* row = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&](const KindRow& each) { return each.word == name; });
  if (row != kKinds.end()) return row->kind;
  reader.problem(reader.has("rope_type") ? "rope_type" : "type",
                 "rope type " + quotedName(name) + " is not available",
                 "Available: " + kindWords());
  return RotaryKind::Default;
}

void readFactors(ObjectReader& reader, RotaryConfig& rotary, double positions) {
  const double original = numberFrom(reader, "original_max_position_embeddings", 1.0, positions);
  if (rotary.kind == RotaryKind::Default) return;
  rotary.factor = numberFrom(reader, "factor", 1.0, {});
  if (rotary.kind == RotaryKind::Linear) return;
  constexpr double kSmallest = 1e-3;
  rotary.lowFrequencyFactor = numberFrom(reader, "low_freq_factor", kSmallest, {});
  rotary.highFrequencyFactor = numberFrom(reader, "high_freq_factor", kSmallest, {});
  if (!(rotary.lowFrequencyFactor < rotary.highFrequencyFactor)) {
    reader.problem("high_freq_factor", "must be larger than low_freq_factor");
  }
  rotary.originalPositions = original;
}

/// The object without nulls, which mean absent. A key of another kind of rope stays, so that the
/// reader finds it.
Json membersOf(const Json& object) {
  if (!object.is_object()) return object;  // the reader says what it found
  Json members = present(
      object, {"rope_type", "type", "rope_theta", "factor", "low_freq_factor", "high_freq_factor",
               "original_max_position_embeddings", "partial_rotary_factor"});
  for (const auto& [key, value] : object.items()) {
    if (members.contains(key) || value.is_null()) continue;
    members[key] = value;
    break;
  }
  return members;
}

/// One of the two objects. `theta` is rope_theta beside it.
Result<RotaryConfig> readObject(const Json& object, const std::string& pointer,
                                std::optional<double> theta, double positions) {
  const Json members = membersOf(object);
  ObjectReader reader(members, pointer);
  RotaryConfig rotary;
  rotary.kind = readKind(reader);
  rotary.theta = numberFrom(reader, "rope_theta", 1.0, theta.value_or(rotary.theta));
  readFactors(reader, rotary, positions);
  // These may be there for a kind that does not use them.
  for (const char* key : {"factor", "low_freq_factor", "high_freq_factor"}) (void)reader.has(key);
  if (numberFrom(reader, "partial_rotary_factor", 0.0, 1.0) != 1.0) {
    reader.problem("partial_rotary_factor", "only 1 is available");
  }
  STAGELANE_CHECK(reader.finish());
  if (theta && *theta != rotary.theta) {
    return fail(ErrorCode::Invalid, "differs from rope_theta outside of " + pointer.substr(1),
                childPointer(pointer, "rope_theta"), "Remove one of them");
  }
  return rotary;
}

std::vector<float> defaultFrequencies(double theta, std::int64_t headSize) {
  std::vector<float> frequencies;
  for (std::int64_t i = 0; i < headSize; i += 2) {
    const float exponent = static_cast<float>(i) / static_cast<float>(headSize);
    frequencies.push_back(1.0F / std::pow(static_cast<float>(theta), exponent));
  }
  return frequencies;
}

float llama3Frequency(const RotaryConfig& rotary, float frequency) {
  const auto low = static_cast<float>(rotary.lowFrequencyFactor);
  const auto high = static_cast<float>(rotary.highFrequencyFactor);
  const auto factor = static_cast<float>(rotary.factor);
  const auto positions = static_cast<float>(rotary.originalPositions);
  const float wavelength = static_cast<float>(2.0 * std::numbers::pi) / frequency;
  if (wavelength > positions / low) return frequency / factor;
  if (wavelength < positions / high) return frequency;
  const float smooth = (positions / wavelength - low) / (high - low);
  return (1.0F - smooth) * frequency / factor + smooth * frequency;
}

}  // namespace

Result<RotaryConfig> readRotary(const Json& config, double positions) {
  const Json members = present(config, {"rope_theta", "rope_scaling", "rope_parameters"});
  ObjectReader reader(members, "");
  std::optional<double> theta;
  if (reader.has("rope_theta")) theta = numberFrom(reader, "rope_theta", 1.0, {});
  std::optional<RotaryConfig> rotary;
  for (const char* key : {"rope_parameters", "rope_scaling"}) {
    const Json* object = reader.raw(key);
    // Python takes an empty object for none.
    if (object == nullptr || (object->is_object() && object->empty())) continue;
    STAGELANE_TRY(read, readObject(*object, childPointer("", key), theta, positions));
    if (rotary && *rotary != *read) reader.problem(key, "differs from rope_parameters");
    if (!rotary) rotary = *read;
  }
  STAGELANE_CHECK(reader.finish());
  RotaryConfig plain;
  plain.theta = theta.value_or(plain.theta);
  return rotary.value_or(plain);
}

std::vector<float> rotaryFrequencies(const RotaryConfig& config, std::int64_t headSize) {
  std::vector<float> frequencies = defaultFrequencies(config.theta, headSize);
  for (float& frequency : frequencies) {
    if (config.kind == RotaryKind::Linear) frequency /= static_cast<float>(config.factor);
    if (config.kind == RotaryKind::Llama3) frequency = llama3Frequency(config, frequency);
  }
  return frequencies;
}

}  // namespace stagelane::checkpoint
