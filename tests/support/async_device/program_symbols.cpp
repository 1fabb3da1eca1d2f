#include "tests/support/async_device/program_symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

namespace stagelane::async_device {
namespace {

/// The running program's file, also for other processes.
std::string programPath() { return "/proc/" + std::to_string(getpid()) + "/exe"; }

template <class T>
T readAt(const std::string& file, std::size_t offset) {
  T value{};
  if (offset + sizeof(T) <= file.size()) std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

/// The section header with that type, or one of type SHT_NULL.
Elf64_Shdr sectionOf(const std::string& file, std::uint32_t type) {
  const auto header = readAt<Elf64_Ehdr>(file, 0);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto section = readAt<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type == type) return section;
  }
  return {};
}

std::string readable(std::string_view mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status), &std::free);
  return name == nullptr ? std::string(mangled) : std::string(name.get());
}

void eraseAll(std::string& text, std::string_view what) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) {
    text.erase(at, what.size());
  }
}

/// Without arguments (of the outermost function) and namespaces that say nothing.
std::string shortened(std::string name) {
  eraseAll(name, "(anonymous namespace)::");
  eraseAll(name, "stagelane::");
  eraseAll(name, "[abi:cxx11]");
  if (name.starts_with("std::_Function_handler<")) {
    // Behind the signature is the lambda, with the function that it is written in.
    const std::size_t signature = name.find("), ");
    if (signature != std::string::npos) name.erase(0, signature + 3);
  }
  return name.substr(0, name.find('('));
}

/// "row.cpp:88" of "/a/b/row.cpp:88 (discriminator 2)"; "" if the line is unknown.
std::string shortPlace(const std::string& place) {
  const std::string line = place.substr(0, place.find(" ("));
  const std::size_t slash = line.rfind('/');
  const std::string file = slash == std::string::npos ? line : line.substr(slash + 1);
  return file.empty() || file.front() == '?' || file.ends_with(":?") || file.ends_with(":0") ? ""
                                                                                             : file;
}

std::string hexadecimal(std::uintptr_t offset) {
  std::ostringstream text;
  text << "0x" << std::hex << offset;
  return text.str();
}

std::string outputOf(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), n);
  }
  pclose(pipe);
  return output;
}

/// (function, place) of an address, from the innermost inlined function outwards.
using Frames = std::vector<std::pair<std::string, std::string>>;

/// One entry for each address, as `addr2line -a -i -f -C` prints them; fewer if it did not run.
std::vector<Frames> parseFrames(const std::string& output) {
  std::vector<Frames> all;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("0x", 0) == 0) {
      all.emplace_back();
      continue;
    }
    std::string place;
    if (!std::getline(lines, place) || all.empty()) break;
    all.back().emplace_back(line, place);
  }
  return all;
}

std::string described(const Frames& frames, std::uintptr_t offset) {
  for (const auto& [function, place] : frames) {
    if (function.empty() || function.front() == '?' || isLibraryFunction(function)) continue;
    const std::string line = shortPlace(place);
    return shortened(function) + (line.empty() ? "" : " (" + line + ")");
  }
  const std::string_view symbol = ProgramSymbols::ofThisProgram().at(offset);
  return symbol.empty() ? hexadecimal(offset) : shortened(readable(symbol));
}

}  // namespace

ProgramSymbols::ProgramSymbols(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const Elf64_Shdr table = sectionOf(file, SHT_SYMTAB);
  const auto header = readAt<Elf64_Ehdr>(file, 0);
  if (table.sh_type != SHT_SYMTAB) return;
  const auto names = readAt<Elf64_Shdr>(file, header.e_shoff + table.sh_link * sizeof(Elf64_Shdr));
  if (names.sh_offset + names.sh_size > file.size()) return;
  m_names = file.substr(names.sh_offset, names.sh_size);
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = readAt<Elf64_Sym>(file, table.sh_offset + at);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0) continue;
    m_symbols.push_back({symbol.st_value, symbol.st_value + symbol.st_size, symbol.st_name});
  }
  std::sort(m_symbols.begin(), m_symbols.end(),
            [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; });
}

const ProgramSymbols& ProgramSymbols::ofThisProgram() {
  static const auto* const kSymbols = new ProgramSymbols(programPath());
  return *kSymbols;
}

std::string_view ProgramSymbols::at(std::uintptr_t offset) const {
  auto after = std::upper_bound(
      m_symbols.begin(), m_symbols.end(), offset,
      [](std::uintptr_t value, const Symbol& symbol) { return value < symbol.begin; });
  if (after == m_symbols.begin()) return {};
  const Symbol& symbol = *std::prev(after);
  if (offset >= symbol.end || symbol.name >= m_names.size()) return {};
  return m_names.c_str() + symbol.name;
}

bool isLibraryFunction(std::string_view name) {
  // The body of a lambda may be part of what std::function calls it by.
  if (name.starts_with("_ZNSt17_Function_handler")) return false;
  static constexpr std::array<std::string_view, 16> kBegins{
      "_ZN3c10", "_ZNK3c10",    "_ZN2at",     "_ZNK2at",   "_ZN5torch", "_ZNK5torch",
      "_ZNSt",   "_ZNKSt",      "_ZSt",       "c10::",     "at::",      "torch::",
      "std::",   "__gnu_cxx::", "void c10::", "void std::"};
  return std::any_of(kBegins.begin(), kBegins.end(),
                     [name](std::string_view begin) { return name.starts_with(begin); });
}

std::vector<std::string> describeCalls(const std::vector<std::uintptr_t>& offsets) {
  std::vector<std::string> names;
  if (offsets.empty()) return names;
  std::string command = "addr2line -e " + programPath() + " -a -i -f -C";
  for (const std::uintptr_t offset : offsets) command += " " + hexadecimal(offset);
  const std::vector<Frames> frames = parseFrames(outputOf(command + " 2>/dev/null"));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    names.push_back(described(i < frames.size() ? frames[i] : Frames{}, offsets[i]));
  }
  return names;
}

}  // namespace stagelane::async_device
