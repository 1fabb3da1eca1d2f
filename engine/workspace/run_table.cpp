#include "engine/workspace/run_table.h"

#include <algorithm>

#include "engine/workspace/run_entry.h"

namespace stagelane::workspace {
namespace {

constexpr int kSchemaVersion = 9;

// Values that are read without the rest have a column; the rest of an entry is one JSON text.
constexpr const char* kCreate =
    "CREATE TABLE IF NOT EXISTS runs(folder TEXT PRIMARY KEY, number INTEGER NOT NULL, name TEXT "
    "NOT NULL, status TEXT NOT NULL, started_at TEXT NOT NULL, favourite INTEGER NOT NULL, "
    "entry TEXT NOT NULL, words TEXT NOT NULL, stamp INTEGER NOT NULL)";

// Numbers of all runs that ever had a row: a run that returns, for example from the trash, keeps
// its number, and no other run gets it.
constexpr const char* kCreateNumbers =
    "CREATE TABLE IF NOT EXISTS numbers(folder TEXT PRIMARY KEY, number INTEGER NOT NULL)";

}  // namespace

RunTable::RunTable(const std::string& path)
    : m_database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs) {
  m_database.exec("PRAGMA journal_mode=WAL");
  m_database.exec("PRAGMA synchronous=NORMAL");
}

int RunTable::version() { return m_database.execAndGet("PRAGMA user_version").getInt(); }

bool RunTable::hasThisForm() { return version() == kSchemaVersion; }

bool RunTable::isNew() { return version() == 0; }

void RunTable::create() {
  SQLite::Transaction transaction = beginWriting();
  if (!hasThisForm()) {
    m_database.exec("DROP TABLE IF EXISTS runs");
    m_database.exec(kCreate);
    m_database.exec(kCreateNumbers);
    m_database.exec("PRAGMA user_version=" + std::to_string(kSchemaVersion));
  }
  transaction.commit();
}

bool RunTable::isSound() {
  return m_database.execAndGet("PRAGMA quick_check(1)").getString() == "ok";
}

KnownRuns RunTable::known() {
  KnownRuns known;
  SQLite::Statement query(m_database, "SELECT folder, stamp, number FROM runs");
  while (query.executeStep()) {
    known[query.getColumn(0).getString()] = {query.getColumn(1).getInt64(),
                                             query.getColumn(2).getInt()};
  }
  return known;
}

std::vector<RunEntry> RunTable::list() {
  std::vector<RunEntry> entries;
  SQLite::Statement query(m_database,
                          "SELECT entry, words, number FROM runs ORDER BY started_at DESC, "
                          "folder DESC");
  while (query.executeStep()) {
    RunEntry entry = entryOfText(query.getColumn(0).getString());
    entry.words = query.getColumn(1).getString();
    entry.number = query.getColumn(2).getInt();
    entries.push_back(std::move(entry));
  }
  return entries;
}

RunEntry RunTable::entryAt(const std::string& folder) {
  SQLite::Statement query(m_database, "SELECT entry FROM runs WHERE folder = ?");
  query.bind(1, folder);
  return query.executeStep() ? entryOfText(query.getColumn(0).getString()) : RunEntry{};
}

void RunTable::store(const IndexedRun& run, const RunNumbers& saved) {
  RunEntry entry = run.entry;
  entry.number = entry.number > 0 ? entry.number : numberOf(entry.folder, saved);
  SQLite::Statement insert(m_database, "INSERT OR REPLACE INTO runs VALUES(?,?,?,?,?,?,?,?,?)");
  insert.bind(1, entry.folder);
  insert.bind(2, entry.number);
  insert.bind(3, entry.name);
  insert.bind(4, entry.status);
  insert.bind(5, entry.startedAt);
  insert.bind(6, entry.labels.favourite ? 1 : 0);
  insert.bind(7, textOf(entry));
  insert.bind(8, entry.words);
  insert.bind(9, run.stamp);
  insert.exec();
  SQLite::Statement number(m_database, "INSERT OR REPLACE INTO numbers VALUES(?,?)");
  number.bind(1, entry.folder);
  number.bind(2, entry.number);
  number.exec();
}

int RunTable::numberOf(const std::string& folder, const RunNumbers& saved) {
  SQLite::Statement query(m_database, "SELECT number FROM numbers WHERE folder = ?");
  query.bind(1, folder);
  if (query.executeStep()) return query.getColumn(0).getInt();
  if (const auto before = saved.find(folder); before != saved.end()) return before->second;
  int last = m_database.execAndGet("SELECT COALESCE(MAX(number), 0) FROM numbers").getInt();
  for (const auto& [other, number] : saved) last = std::max(last, number);
  return last + 1;
}

void RunTable::remove(const std::string& folder) {
  SQLite::Statement statement(m_database, "DELETE FROM runs WHERE folder = ?");
  statement.bind(1, folder);
  statement.exec();
}

void RunTable::forgetNumber(const std::string& folder) {
  SQLite::Statement statement(m_database, "DELETE FROM numbers WHERE folder = ?");
  statement.bind(1, folder);
  statement.exec();
}

RunNumbers savedNumbers(const std::filesystem::path& database) {
  RunNumbers numbers;
  // If its log cannot be opened, the file itself may still be readable.
  for (const char* how : {"?mode=ro", "?immutable=1"}) {
    try {
      const SQLite::Database saved("file:" + database.string() + how,
                                   SQLite::OPEN_READONLY | SQLite::OPEN_URI);
      SQLite::Statement query(saved, "SELECT folder, number FROM runs");
      while (query.executeStep()) {
        numbers.emplace(query.getColumn(0).getString(), query.getColumn(1).getInt());
      }
      return numbers;
    } catch (const SQLite::Exception&) {
      continue;  // keep what was read so far
    }
  }
  return numbers;
}

}  // namespace stagelane::workspace
