#pragma once

/// Function names of the running program, from the symbol table of its file (which linkers write
/// unless told to strip), and from its debug information where there is some.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stagelane::async_device {

/// The functions in an ELF file's symbol table, by their place in the program.
class ProgramSymbols {
 public:
  /// Of the running program. Empty if its file has no symbol table.
  [[nodiscard]] static const ProgramSymbols& ofThisProgram();

  /// The mangled name of the function at `offset` bytes from the program's base; "" if unknown.
  [[nodiscard]] std::string_view at(std::uintptr_t offset) const;

 private:
  struct Symbol {
    std::uintptr_t begin;
    std::uintptr_t end;
    std::size_t name;  ///< place in m_names
  };

  explicit ProgramSymbols(const std::string& path);

  std::vector<Symbol> m_symbols;  ///< by begin
  std::string m_names;
};

/// A function and, where the file has debug information, its line: "run::Row::play (row.cpp:88)".
/// Inlined functions are named, those of LibTorch and the standard library are not. Names lose
/// their arguments and "stagelane::"; without any name, the offset in hexadecimal. One run of
/// addr2line for all offsets.
[[nodiscard]] std::vector<std::string> describeCalls(const std::vector<std::uintptr_t>& offsets);

/// Whether a mangled or a readable name is that of a function of LibTorch or the standard library,
/// whose inline functions are part of every program. What std::function calls lambdas by is not.
[[nodiscard]] bool isLibraryFunction(std::string_view name);

}  // namespace stagelane::async_device
