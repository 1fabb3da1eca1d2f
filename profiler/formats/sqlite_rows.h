#pragma once

/// Rows of a table in an untrusted database: read-only, only plain tables, no more rows than fit
/// the file, and with type checks of all values. Internal to profiler/formats.

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace stagelane::formats::detail {

class SqliteFile {
 public:
  /// @errors Invalid
  [[nodiscard]] static Result<SqliteFile> open(const std::filesystem::path& path);
  /// @errors Invalid
  [[nodiscard]] static Result<SqliteFile> open(std::string_view bytes, const std::string& source);

  /// The columns of a plain table; empty if there is no table of this name.
  [[nodiscard]] std::vector<std::string> columnsOf(const std::string& table);
  [[nodiscard]] sqlite3* handle() const { return m_handle.get(); }
  [[nodiscard]] std::uint64_t mostRows() const { return m_mostRows; }
  /// Why the last call failed.
  [[nodiscard]] std::string problem() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close(handle); }
  };
  SqliteFile(std::unique_ptr<sqlite3, Close> handle, std::uint64_t bytes);

  std::unique_ptr<sqlite3, Close> m_handle;
  std::uint64_t m_mostRows;
};

/// One pass over a table with the requested columns in order. A missing column is empty in every
/// row.
class SqliteRows {
 public:
  SqliteRows(SqliteFile& file, const std::string& table, const std::vector<std::string>& wanted);
  /// True if the table exists and has at least the first requested column.
  [[nodiscard]] bool exists() const { return m_statement != nullptr; }
  [[nodiscard]] bool next();
  /// Empty if the value is not an integer.
  [[nodiscard]] std::optional<std::int64_t> integer(int column) const;
  [[nodiscard]] std::optional<std::string_view> text(int column) const;
  [[nodiscard]] std::uint64_t rows() const { return m_rows; }
  /// Why the pass ended early, or "".
  [[nodiscard]] const std::string& problem() const { return m_problem; }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  SqliteFile& m_file;
  std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
  std::uint64_t m_rows = 0;
  std::string m_problem;
};

}  // namespace stagelane::formats::detail
