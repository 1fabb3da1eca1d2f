#include "profiler/formats/sqlite_rows.h"

#include <algorithm>
#include <system_error>

#include "engine/base/find.h"

namespace stagelane::formats::detail {
namespace {

/// Smallest size of a row in the file.
constexpr std::uint64_t kShortestRow = 4;
/// Longest text that is read; kernel names are long.
constexpr int kLongestValue = 1 << 24;

/// A path in a "file:" URI.
std::string escaped(const std::string& path) {
  constexpr std::string_view kSpecial = "%?#";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char character : path) {
    if (kSpecial.find(character) == std::string_view::npos) {
      text += character;
    } else {
      const auto byte = static_cast<unsigned char>(character);
      text += '%';
      text += kDigits[byte >> 4U];
      text += kDigits[byte & 0xFU];
    }
  }
  return text;
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char character : name) text += character == '"' ? "\"\"" : std::string(1, character);
  return text + '"';
}

tl::unexpected<Error> noDatabase(const std::string& why, const std::string& source) {
  return fail(ErrorCode::Invalid, "Cannot read the SQLite database: " + why, source + ", byte 0",
              "Export the report again: nsys export --type sqlite REPORT");
}

}  // namespace

SqliteFile::SqliteFile(std::unique_ptr<sqlite3, Close> handle, std::uint64_t bytes)
    : m_handle(std::move(handle)), m_mostRows(bytes / kShortestRow) {
  sqlite3_limit(m_handle.get(), SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_db_config(m_handle.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(m_handle.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(m_handle.get(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(m_handle.get(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_exec(m_handle.get(), "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0", nullptr, nullptr,
               nullptr);
}

Result<SqliteFile> SqliteFile::open(const std::filesystem::path& path) {
  std::error_code failed;
  const std::uint64_t bytes = std::filesystem::file_size(path, failed);
  const std::string whole = std::filesystem::absolute(path, failed).string();
  // immutable: SQLite uses no lock and no journal, and writes no files next to it.
  const std::string address = "file:" + escaped(whole) + "?mode=ro&immutable=1";
  sqlite3* handle = nullptr;
  const int status =
      sqlite3_open_v2(address.c_str(), &handle,
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<sqlite3, Close> owner(handle);
  if (failed || status != SQLITE_OK) {
    return noDatabase(handle == nullptr ? "no memory" : sqlite3_errmsg(handle), path.string());
  }
  return SqliteFile(std::move(owner), bytes);
}

Result<SqliteFile> SqliteFile::open(std::string_view bytes, const std::string& source) {
  sqlite3* handle = nullptr;
  const int opened =
      sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<sqlite3, Close> owner(handle);
  auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size() + 1));
  if (opened != SQLITE_OK || copy == nullptr) {
    sqlite3_free(copy);
    return noDatabase("no memory", source);
  }
  std::copy(bytes.begin(), bytes.end(), copy);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  // SQLite frees the copy, even on failure.
  if (sqlite3_deserialize(handle, "main", copy, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) !=
      SQLITE_OK) {
    return noDatabase(sqlite3_errmsg(handle), source);
  }
  return SqliteFile(std::move(owner), bytes.size());
}

std::string SqliteFile::problem() const { return sqlite3_errmsg(m_handle.get()); }

std::vector<std::string> SqliteFile::columnsOf(const std::string& table) {
  std::vector<std::string> columns;
  const auto run = [this, &table](const char* text) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle(), text, -1, &statement, nullptr) == SQLITE_OK) {
      sqlite3_bind_text(statement, 1, table.data(), static_cast<int>(table.size()), SQLITE_STATIC);
    }
    return statement;
  };
  // Views and virtual tables would run code of the file; exports have none.
  sqlite3_stmt* const kind =
      run("SELECT 1 FROM sqlite_master WHERE name = ?1 AND type = 'table' AND rootpage > 0");
  const bool plain = kind != nullptr && sqlite3_step(kind) == SQLITE_ROW;
  sqlite3_finalize(kind);
  if (!plain) return columns;
  sqlite3_stmt* const names = run("SELECT name FROM pragma_table_info(?1)");
  while (names != nullptr && sqlite3_step(names) == SQLITE_ROW) {
    const unsigned char* const name = sqlite3_column_text(names, 0);
    columns.emplace_back(name == nullptr ? "" : reinterpret_cast<const char*>(name));  // NOLINT
  }
  sqlite3_finalize(names);
  return columns;
}

SqliteRows::SqliteRows(SqliteFile& file, const std::string& table,
                       const std::vector<std::string>& wanted)
    : m_file(file) {
  const std::vector<std::string> there = file.columnsOf(table);
  const auto has = [&there](const std::string& column) { return contains(there, column); };
  if (wanted.empty() || !has(wanted.front())) return;
  std::string query = "SELECT ";
  for (const std::string& column : wanted) {
    query += (&column == &wanted.front() ? "" : ", ") + (has(column) ? quoted(column) : "NULL");
  }
  // NOT INDEXED: an index of an untrusted file may not match its table.
  query += " FROM " + quoted(table) + " NOT INDEXED";
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(file.handle(), query.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    m_problem = file.problem();
  }
  m_statement.reset(statement);
}

bool SqliteRows::next() {
  if (!m_statement) return false;
  if (m_rows >= m_file.mostRows()) {
    m_problem = "the table has more rows than fit the file";
    return false;
  }
  const int status = sqlite3_step(m_statement.get());
  if (status != SQLITE_ROW) {
    if (status != SQLITE_DONE) m_problem = m_file.problem();
    return false;
  }
  ++m_rows;
  return true;
}

std::optional<std::int64_t> SqliteRows::integer(int column) const {
  if (sqlite3_column_type(m_statement.get(), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(m_statement.get(), column);
}

std::optional<std::string_view> SqliteRows::text(int column) const {
  if (sqlite3_column_type(m_statement.get(), column) != SQLITE_TEXT) return std::nullopt;
  const unsigned char* const text = sqlite3_column_text(m_statement.get(), column);
  const int size = sqlite3_column_bytes(m_statement.get(), column);
  if (text == nullptr) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(text),  // NOLINT
                          static_cast<std::size_t>(size));
}

}  // namespace stagelane::formats::detail
