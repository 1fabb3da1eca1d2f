#include "engine/tokenizer/byte_alphabet.h"

#include <array>
#include <cstdint>

#include "engine/tokenizer/utf8.h"

namespace stagelane::tokenizer {
namespace {

constexpr int kBytes = 256;
/// One more than the alphabet's largest code point: 68 bytes are not printable.
constexpr int kCodes = kBytes + 68;

constexpr bool isItself(int byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr std::array<char16_t, kBytes> makeCodes() {
  std::array<char16_t, kBytes> codes{};
  int next = kBytes;
  for (int byte = 0; byte < kBytes; ++byte) {
    codes.at(static_cast<std::size_t>(byte)) =
        static_cast<char16_t>(isItself(byte) ? byte : next++);
  }
  return codes;
}

constexpr std::array<char16_t, kBytes> kCodeOfByte = makeCodes();

constexpr std::array<std::int16_t, kCodes> makeBytes() {
  std::array<std::int16_t, kCodes> bytes{};
  for (auto& byte : bytes) byte = -1;
  for (std::size_t byte = 0; byte < kBytes; ++byte) {
    bytes.at(kCodeOfByte.at(byte)) = static_cast<std::int16_t>(byte);
  }
  return bytes;
}

constexpr std::array<std::int16_t, kCodes> kByteOfCode = makeBytes();

}  // namespace

std::string shownBytes(std::string_view bytes) {
  std::string shown;
  shown.reserve(bytes.size() + bytes.size() / 4);
  for (const char byte : bytes) {
    appendUtf8(shown, kCodeOfByte[static_cast<unsigned char>(byte)]);  // NOLINT: always below 256
  }
  return shown;
}

std::optional<std::string> bytesOfShown(std::string_view shown) {
  std::string bytes;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t length = utf8Length(shown[at]);
    const char32_t code = codePointOf(shown.substr(at, length));
    if (code >= kCodes || kByteOfCode.at(code) < 0) return std::nullopt;
    bytes += static_cast<char>(kByteOfCode.at(code));
    at += length;
  }
  return bytes;
}

}  // namespace stagelane::tokenizer
