// The SQLite index of run folders. It holds nothing that the folders do not, so damage is answered
// by making a new one.

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <ctime>
#include <map>

#include "engine/workspace/workspace.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

constexpr int kSchemaVersion = 1;
constexpr int kBusyTimeoutMs = 5000;

std::int64_t modifiedNs(const fs::path& path) {
  std::error_code failed;
  const fs::file_time_type time = fs::last_write_time(path, failed);
  if (failed) {
    return 0;
  }
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

// Changes with everything that a run writes. A run that was alive when it was read may end without
// writing anything, so its entry is never up to date.
std::int64_t stampOf(const record::RunFolder& folder, record::RunStatus status) {
  if (status == record::RunStatus::Running) {
    return 0;
  }
  return std::max(modifiedNs(folder.events()), modifiedNs(folder.result()));
}

std::string isoTime(std::time_t time) {
  std::tm local{};
  localtime_r(&time, &local);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &local);
  return text.data();
}

// `20261121-113544-toy` → `2026-11-21T11:35:44`; "" for another name.
std::string startFromName(const std::string& name) {
  constexpr std::size_t kStampLength = 15;
  if (name.size() < kStampLength || name[8] != '-') {
    return {};
  }
  for (std::size_t i = 0; i < kStampLength; ++i) {
    if (i != 8 && std::isdigit(static_cast<unsigned char>(name[i])) == 0) {
      return {};
    }
  }
  return name.substr(0, 4) + "-" + name.substr(4, 2) + "-" + name.substr(6, 2) + "T" +
         name.substr(9, 2) + ":" + name.substr(11, 2) + ":" + name.substr(13, 2);
}

// experiment.json is written when a run begins and never again.
std::string startOf(const record::RunFolder& folder) {
  if (std::string start = startFromName(folder.root.filename().string()); !start.empty()) {
    return start;
  }
  std::error_code failed;
  fs::file_time_type time = fs::last_write_time(folder.experiment(), failed);
  if (failed) {
    time = fs::last_write_time(folder.root, failed);
  }
  if (failed) {
    return {};
  }
  const auto system = std::chrono::file_clock::to_sys(time);
  return isoTime(std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(system)));
}

RunEntry entryOf(const record::RunFolder& folder, const record::RunResult& run) {
  RunEntry entry;
  entry.folder = folder.root.string();
  entry.name = run.name;
  entry.status = record::word(run.status);
  entry.startedAt = startOf(folder);
  for (const std::string& device : run.devices) {
    entry.devices += (entry.devices.empty() ? "" : ",") + device;
  }
  for (const record::VariantResult& variant : run.variants) {
    if (variant.status == record::RunStatus::Done &&
        variant.speedup.value_or(0.0) > entry.bestSpeedup) {
      entry.bestSpeedup = *variant.speedup;
      entry.bestVariant = variant.id;
    }
  }
  entry.variants = static_cast<int>(run.variants.size());
  return entry;
}

Error cannotUse(const fs::path& database, const std::exception& problem) {
  return {ErrorCode::CannotWrite,
          std::string("the index of runs cannot be used: ") + problem.what(), database.string(),
          "remove it, and it is made again from the run folders"};
}

bool isDamage(int sqliteCode) {
  return sqliteCode == SQLITE_NOTADB || sqliteCode == SQLITE_CORRUPT;
}

class SqliteRunIndex final : public RunIndex {
 public:
  explicit SqliteRunIndex(fs::path workspace)
      : m_workspace(std::move(workspace)),
        m_path(m_workspace / "stagelane.db"),
        m_database(m_path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs) {
    m_database.exec("PRAGMA journal_mode=WAL");
    m_database.exec("PRAGMA synchronous=NORMAL");
    const int version = m_database.execAndGet("PRAGMA user_version").getInt();
    if (version != kSchemaVersion) {
      m_database.exec("DROP TABLE IF EXISTS runs");
      m_database.exec("PRAGMA user_version=" + std::to_string(kSchemaVersion));
    }
    m_database.exec(
        "CREATE TABLE IF NOT EXISTS runs(folder TEXT PRIMARY KEY, name TEXT NOT NULL, status TEXT "
        "NOT NULL, started_at TEXT NOT NULL, devices TEXT NOT NULL, best_variant TEXT NOT NULL, "
        "best_speedup REAL NOT NULL, variants INTEGER NOT NULL, stamp INTEGER NOT NULL)");
  }

  Status put(const fs::path& folder) override {
    const auto run = record::openRun(folder);
    if (!run) {
      return tl::make_unexpected(run.error());
    }
    const record::RunFolder files{run->folder};
    return guarded([&] { store(entryOf(files, *run), stampOf(files, run->status)); });
  }

  Result<std::vector<RunEntry>> list() override {
    std::vector<RunEntry> entries;
    const Status read = guarded([&] {
      SQLite::Statement query(
          m_database,
          "SELECT folder, name, status, started_at, devices, best_variant, "
          "best_speedup, variants FROM runs ORDER BY started_at DESC, folder DESC");
      while (query.executeStep()) {
        entries.push_back({query.getColumn(0).getString(), query.getColumn(1).getString(),
                           query.getColumn(2).getString(), query.getColumn(3).getString(),
                           query.getColumn(4).getString(), query.getColumn(5).getString(),
                           query.getColumn(6).getDouble(), query.getColumn(7).getInt()});
      }
    });
    if (!read) {
      return tl::make_unexpected(read.error());
    }
    return entries;
  }

  Status refresh() override {
    return guarded([&] {
      std::map<std::string, std::int64_t> known = stamps();
      SQLite::Transaction transaction(m_database);
      for (const auto& [folder, stamp] : known) {
        if (!isRunFolder(folder)) {
          remove(folder);
        } else if (stamp == 0 || stamp != stampOf({folder}, record::RunStatus::Done)) {
          read(folder);
        }
      }
      for (const std::string& folder : foldersOfWorkspace()) {
        if (known.count(folder) == 0) {
          read(folder);
        }
      }
      transaction.commit();
    });
  }

  Status rebuild() override {
    return guarded([&] {
      SQLite::Transaction transaction(m_database);
      const std::map<std::string, std::int64_t> known = stamps();
      m_database.exec("DELETE FROM runs");
      for (const auto& [folder, stamp] : known) {
        read(folder);
      }
      for (const std::string& folder : foldersOfWorkspace()) {
        if (known.count(folder) == 0) {
          read(folder);
        }
      }
      transaction.commit();
    });
  }

 private:
  template <class Work>
  Status guarded(const Work& work) {
    try {
      work();
      return {};
    } catch (const std::exception& problem) {
      return tl::make_unexpected(cannotUse(m_path, problem));
    }
  }

  static bool isRunFolder(const fs::path& folder) {
    std::error_code ignored;
    const record::RunFolder files{folder};
    return fs::exists(files.events(), ignored) || fs::exists(files.result(), ignored) ||
           fs::exists(files.experiment(), ignored);
  }

  // What is no run, or can no longer be read, has no place in the index.
  void read(const std::string& folder) {
    const auto run = record::openRun(folder);
    if (!run) {
      remove(folder);
      return;
    }
    const record::RunFolder files{run->folder};
    store(entryOf(files, *run), stampOf(files, run->status));
  }

  void store(const RunEntry& entry, std::int64_t stamp) {
    SQLite::Statement insert(m_database, "INSERT OR REPLACE INTO runs VALUES(?,?,?,?,?,?,?,?,?)");
    insert.bind(1, entry.folder);
    insert.bind(2, entry.name);
    insert.bind(3, entry.status);
    insert.bind(4, entry.startedAt);
    insert.bind(5, entry.devices);
    insert.bind(6, entry.bestVariant);
    insert.bind(7, entry.bestSpeedup);
    insert.bind(8, entry.variants);
    insert.bind(9, stamp);
    insert.exec();
  }

  void remove(const std::string& folder) {
    SQLite::Statement statement(m_database, "DELETE FROM runs WHERE folder = ?");
    statement.bind(1, folder);
    statement.exec();
  }

  std::map<std::string, std::int64_t> stamps() {
    std::map<std::string, std::int64_t> known;
    SQLite::Statement query(m_database, "SELECT folder, stamp FROM runs");
    while (query.executeStep()) {
      known[query.getColumn(0).getString()] = query.getColumn(1).getInt64();
    }
    return known;
  }

  std::vector<std::string> foldersOfWorkspace() {
    std::vector<std::string> folders;
    std::error_code failed;
    const fs::path runs = fs::absolute(m_workspace / "runs", failed).lexically_normal();
    for (fs::directory_iterator it(runs, failed), end; !failed && it != end; it.increment(failed)) {
      if (it->is_directory() && isRunFolder(it->path())) {
        folders.push_back(it->path().string());
      }
    }
    return folders;
  }

  fs::path m_workspace;
  fs::path m_path;
  SQLite::Database m_database;
};

}  // namespace

Result<std::unique_ptr<RunIndex>> RunIndex::open(const fs::path& workspace) {
  std::error_code failed;
  fs::create_directories(workspace, failed);
  const fs::path database = workspace / "stagelane.db";
  try {
    return std::make_unique<SqliteRunIndex>(workspace);
  } catch (const SQLite::Exception& problem) {
    if (!isDamage(problem.getErrorCode())) {
      return tl::make_unexpected(cannotUse(database, problem));
    }
  }
  for (const char* suffix : {"", "-wal", "-shm"}) {
    fs::remove(database.string() + suffix, failed);
  }
  try {
    auto index = std::make_unique<SqliteRunIndex>(workspace);
    const Status rebuilt = index->rebuild();
    if (!rebuilt) {
      return tl::make_unexpected(rebuilt.error());
    }
    return index;
  } catch (const SQLite::Exception& problem) {
    return tl::make_unexpected(cannotUse(database, problem));
  }
}

}  // namespace stagelane::workspace
