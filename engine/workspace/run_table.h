#pragma once

/// The tables of the index of runs in its SQLite database: a row for each listed run, and the
/// number of each run that was ever listed. Knows nothing of folders on the disk, and repairs
/// nothing. Private to engine/workspace.

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/workspace/indexed_run.h"

namespace stagelane::workspace {

/// All functions throw SQLite::Exception. @thread one
class RunTable {
 public:
  /// Opens the database or makes an empty one; `:memory:` keeps it nowhere.
  explicit RunTable(const std::string& path);

  /// How long SQLite waits for another program.
  static constexpr int kBusyTimeoutMs = 5000;

  /// The tables have the form that this program reads and writes.
  [[nodiscard]] bool hasThisForm();
  /// There are no tables yet.
  [[nodiscard]] bool isNew();
  /// Makes the tables where another program has not made them meanwhile. Rows of another form are
  /// dropped.
  void create();
  /// SQLite's own check; it finds damage that queries happen to pass by.
  [[nodiscard]] bool isSound();

  /// Waits for other writers when it begins. One that begins by reading cannot wait for them later.
  [[nodiscard]] SQLite::Transaction beginWriting() {
    return SQLite::Transaction(m_database, SQLite::TransactionBehavior::IMMEDIATE);
  }

  [[nodiscard]] KnownRuns known();
  [[nodiscard]] std::vector<RunEntry> list();  ///< newest first
  /// An empty entry where the folder is not listed.
  [[nodiscard]] RunEntry entryAt(const std::string& folder);
  /// Stores or replaces its row. A run without a number gets the one it had before, here or in
  /// `saved`, else the next.
  void store(const IndexedRun& run, const RunNumbers& saved);
  void remove(const std::string& folder);
  /// The next run in this folder is a new one.
  void forgetNumber(const std::string& folder);

 private:
  [[nodiscard]] int numberOf(const std::string& folder, const RunNumbers& saved);
  [[nodiscard]] int version();

  SQLite::Database m_database;
};

/// The numbers of runs that can be read of a database file, whatever else is wrong with it.
[[nodiscard]] RunNumbers savedNumbers(const std::filesystem::path& database);

}  // namespace stagelane::workspace
