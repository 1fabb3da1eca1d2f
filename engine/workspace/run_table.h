#pragma once

/// The tables of the index of runs in its SQLite database: a row for each listed run, and the
/// number of each run that was ever listed. Does not access run folders and repairs nothing.
/// Private to engine/workspace.

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/workspace/indexed_run.h"

namespace stagelane::workspace {

/// All functions throw SQLite::Exception. @thread one
class RunTable {
 public:
  /// Opens or creates the database; `:memory:` does not store it.
  explicit RunTable(const std::string& path);

  /// How long SQLite waits for another program.
  static constexpr int kBusyTimeoutMs = 5000;

  /// Whether the tables have the schema of this program.
  [[nodiscard]] bool hasThisForm();
  /// Whether there are no tables yet.
  [[nodiscard]] bool isNew();
  /// Creates the tables unless another program already has. Drops rows of another schema.
  void create();
  /// SQLite's own check, which finds damage that queries may miss.
  [[nodiscard]] bool isSound();

  /// Takes the write lock at the start, because a transaction that begins by reading cannot wait
  /// for other writers later.
  [[nodiscard]] SQLite::Transaction beginWriting() {
    return SQLite::Transaction(m_database, SQLite::TransactionBehavior::IMMEDIATE);
  }

  [[nodiscard]] KnownRuns known();
  [[nodiscard]] std::vector<RunEntry> list();  ///< newest first
  /// An empty entry if the folder is not listed.
  [[nodiscard]] RunEntry entryAt(const std::string& folder);
  /// Stores or replaces the row. A run without a number gets its earlier one, from here or from
  /// `saved`, else the next.
  void store(const IndexedRun& run, const RunNumbers& saved);
  void remove(const std::string& folder);
  /// A later run in this folder counts as new.
  void forgetNumber(const std::string& folder);

 private:
  [[nodiscard]] int numberOf(const std::string& folder, const RunNumbers& saved);
  [[nodiscard]] int version();

  SQLite::Database m_database;
};

/// The run numbers that can be read from a database file, even if it is damaged.
[[nodiscard]] RunNumbers savedNumbers(const std::filesystem::path& database);

}  // namespace stagelane::workspace
