// The SQLite index of run folders. It holds nothing that the folders do not, so damage is answered
// by making a new one, and a disk that does not take it by one in memory.

#include "engine/workspace/run_index.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "engine/workspace/folder_state.h"
#include "engine/workspace/index_trouble.h"
#include "engine/workspace/run_entry.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

constexpr int kSchemaVersion = 9;
constexpr int kBusyTimeoutMs = 5000;
constexpr int kBusyPollMs = 10;

// What is looked at without reading the rest has a column; the rest of an entry is one JSON text.
constexpr const char* kCreate =
    "CREATE TABLE IF NOT EXISTS runs(folder TEXT PRIMARY KEY, number INTEGER NOT NULL, name TEXT "
    "NOT NULL, status TEXT NOT NULL, started_at TEXT NOT NULL, favourite INTEGER NOT NULL, "
    "entry TEXT NOT NULL, words TEXT NOT NULL, stamp INTEGER NOT NULL)";

// Of all runs that ever had a line: one that comes back, as from the trash, is called as before,
// and no other is called like it meanwhile.
constexpr const char* kCreateNumbers =
    "CREATE TABLE IF NOT EXISTS numbers(folder TEXT PRIMARY KEY, number INTEGER NOT NULL)";

bool isBusy(const SQLite::Exception& problem) {
  return troubleOf(problem.getErrorCode()) == IndexTrouble::Busy;
}

/// Does the work again while another program opens or closes the database or repairs it after a kill:
/// for these SQLite answers "locked" at once, whatever its own timeout is.
/// @source https://sqlite.org/wal.html, "Sometimes Queries Return SQLITE_BUSY In WAL Mode"
template <class Work>
auto patiently(const Work& work) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
  while (true) {
    try {
      return work();
    } catch (const SQLite::Exception& problem) {
      if (!isBusy(problem) || std::chrono::steady_clock::now() > end) {
        throw;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(kBusyPollMs));
  }
}

std::string fullPath(const fs::path& folder) {
  std::error_code failed;
  const fs::path full = fs::absolute(folder, failed).lexically_normal();
  return (full.has_filename() ? full : full.parent_path()).string();
}

/// The numbers of runs by folder that can be read of a database, whatever else is wrong with it.
std::map<std::string, int> savedNumbers(const fs::path& database) {
  std::map<std::string, int> numbers;
  // Where a log beside it cannot be opened, the file itself may still be read.
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
      continue;  // what was read so far is kept
    }
  }
  return numbers;
}

class SqliteRunIndex final : public RunIndex {
 public:
  explicit SqliteRunIndex(fs::path workspace)
      : m_workspace(std::move(workspace)), m_path(m_workspace / "stagelane.db") {}

  /// Opens the file, makes it or repairs it.
  Status connect() {
    return guarded([] {});
  }

  [[nodiscard]] const std::optional<Error>& problem() const override { return m_problem; }
  [[nodiscard]] const UnreadableFolders& unreadable() const override { return m_unreadable; }

  Status put(const fs::path& folder) override {
    const auto run = record::openRun(folder);
    if (!run) {
      return tl::make_unexpected(run.error());
    }
    return guarded([&] {
      SQLite::Transaction transaction(*m_database, kWriting);
      store(lineOf(*run));
      transaction.commit();
    });
  }

  Status forget(const fs::path& folder) override {
    return guarded([&] { remove(fullPath(folder)); });
  }

  Result<std::vector<RunEntry>> list() override {
    std::vector<RunEntry> entries;
    const Status read = guarded([&] {
      if (m_unfilled) {
        readWhatIsNew({});
      }
      entries.clear();
      SQLite::Statement query(*m_database,
                              "SELECT entry, words, number FROM runs ORDER BY started_at DESC, "
                              "folder DESC");
      while (query.executeStep()) {
        RunEntry entry = entryOfText(query.getColumn(0).getString());
        entry.words = query.getColumn(1).getString();
        entry.number = query.getColumn(2).getInt();
        if (const auto why = m_unreadable.find(entry.folder); why != m_unreadable.end()) {
          entry.unreadable = why->second;
        }
        entries.push_back(std::move(entry));
      }
    });
    if (!read) {
      return tl::make_unexpected(read.error());
    }
    return entries;
  }

  Status refresh(const IndexProgress& progress) override {
    return guarded([&] { readWhatIsNew(progress); });
  }

  Status rebuild(const IndexProgress& progress) override {
    return guarded([&] { readAgain(progress); });
  }

 private:
  /// Waits for other writers when it begins. One that begins by reading cannot wait for them later.
  static constexpr auto kWriting = SQLite::TransactionBehavior::IMMEDIATE;

  struct Known {
    std::int64_t stamp = 0;
    int number = 0;
  };
  struct Line {
    RunEntry entry;
    std::int64_t stamp = 0;
  };

  template <class Work>
  Status guarded(const Work& work) {
    for (int attempt = 1;; ++attempt) {
      IndexTrouble trouble = IndexTrouble::Damage;
      std::string words;
      try {
        openOnce();
        patiently(work);
        return {};
      } catch (const SQLite::Exception& problem) {
        trouble = troubleOf(problem.getErrorCode());
        words = problem.what();
      } catch (const std::exception& problem) {
        words = problem.what();  // an entry that is no JSON
      }
      // Mending may find that the disk takes nothing; then there is the memory.
      constexpr int kMostAttempts = 3;
      if (trouble == IndexTrouble::Busy || m_problem || attempt == kMostAttempts) {
        return tl::make_unexpected(indexError(m_path, trouble, words));
      }
      if (trouble == IndexTrouble::Damage && attempt == 1) {
        throwAway();
      } else {
        leaveDisk(indexError(m_path, trouble, words));
      }
    }
  }

  void openOnce() {
    if (m_database) {
      return;
    }
    patiently([this] {
      m_database.reset();
      const std::string path = m_problem ? std::string(":memory:") : m_path.string();
      m_database.emplace(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
      m_database->exec("PRAGMA journal_mode=WAL");
      m_database->exec("PRAGMA synchronous=NORMAL");
      const int version = m_database->execAndGet("PRAGMA user_version").getInt();
      if (version != kSchemaVersion) {
        // Of an older form the numbers are kept; all else is in the folders.
        const auto saved = version == 0 ? std::map<std::string, int>{} : savedNumbers(m_path);
        m_numbers.insert(saved.begin(), saved.end());
        makeTable();
      }
    });
  }

  /// The next attempt makes a new file, and everything is read again.
  void throwAway() {
    m_database.reset();
    m_numbers = savedNumbers(m_path);
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm"}) {
      fs::remove(m_path.string() + suffix, ignored);
    }
    m_unfilled = true;
  }

  /// The next attempt works in memory.
  void leaveDisk(Error problem) {
    m_database.reset();
    const std::map<std::string, int> saved = savedNumbers(m_path);
    m_numbers.insert(saved.begin(), saved.end());
    m_problem = std::move(problem);
    m_unfilled = true;
  }

  void readWhatIsNew(const IndexProgress& progress) {
    const std::map<std::string, Known> known = entries();
    m_unreadable.clear();
    std::vector<std::string> gone;
    std::vector<std::string> stale;
    for (const auto& [folder, entry] : known) {
      const FolderState::Kind kind = look(folder);
      if (kind == FolderState::Kind::NoRun) {
        gone.push_back(folder);
      } else if (kind == FolderState::Kind::Unreadable) {
        continue;  // its line stays as it is
      } else if (entry.stamp == 0 || entry.stamp != stampOf({folder}, /*running=*/false)) {
        stale.push_back(folder);
      }
    }
    for (const std::string& folder : foldersOfWorkspace()) {
      if (known.count(folder) == 0) {
        stale.push_back(folder);
      }
    }
    for (const auto& [folder, number] : m_numbers) {
      const bool listed =
          known.count(folder) > 0 || std::find(stale.begin(), stale.end(), folder) != stale.end();
      if (!listed && look(folder) == FolderState::Kind::Run) {
        stale.push_back(folder);
      }
    }
    Reading reading = readAll(std::move(stale), progress);
    m_unreadable.merge(reading.damaged);
    if (reading.stopped) {
      gone.clear();  // where they went may be in what was not read
    }
    gone.insert(gone.end(), reading.noRuns.begin(), reading.noRuns.end());
    const std::vector<std::string> places = takeOver(reading.lines, known);
    SQLite::Transaction transaction(*m_database, kWriting);
    for (const std::string& folder : gone) {
      remove(folder);
    }
    forgetPlaces(places);
    for (const Line& line : reading.lines) {
      store(line);
    }
    transaction.commit();
    m_unfilled = m_unfilled && reading.stopped;
  }

  void readAgain(const IndexProgress& progress) {
    // What a query happens to pass by may be damaged all the same.
    if (m_database->execAndGet("PRAGMA quick_check(1)").getString() != "ok") {
      throw SQLite::Exception("the file is malformed", SQLITE_CORRUPT);
    }
    m_unreadable.clear();
    std::vector<std::string> folders = foldersOfWorkspace();
    std::map<std::string, int> numbers = m_numbers;
    const std::map<std::string, Known> known = entries();
    for (const auto& [folder, entry] : known) {
      numbers[folder] = entry.number;
    }
    for (const auto& [folder, number] : numbers) {
      if (std::find(folders.begin(), folders.end(), folder) == folders.end() &&
          look(folder) == FolderState::Kind::Run) {
        folders.push_back(folder);
      }
    }
    Reading reading = readAll(std::move(folders), progress);
    if (reading.stopped) {
      return;
    }
    m_unreadable.merge(reading.damaged);
    const std::vector<std::string> places = takeOver(reading.lines, known);
    // Those that had a number keep it; the others count on from there.
    for (Line& line : reading.lines) {
      const auto kept = numbers.find(line.entry.folder);
      line.entry.number = kept == numbers.end() ? line.entry.number : kept->second;
    }
    std::stable_partition(reading.lines.begin(), reading.lines.end(),
                          [&](const Line& line) { return line.entry.number > 0; });
    SQLite::Transaction transaction(*m_database, kWriting);
    for (const auto& [folder, entry] : entries()) {
      if (m_unreadable.count(folder) == 0) {
        remove(folder);
      }
    }
    forgetPlaces(places);
    for (const Line& line : reading.lines) {
      store(line);
    }
    transaction.commit();
    m_unfilled = false;
  }

  /// With their numbers, which are of folders here now.
  void forgetPlaces(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
      remove(folder);
      SQLite::Statement statement(*m_database, "DELETE FROM numbers WHERE folder = ?");
      statement.bind(1, folder);
      statement.exec();
      m_numbers.erase(folder);
    }
  }

  /// A workspace that was copied or moved brings along a database that knows its runs by where they
  /// were. Here they keep their numbers; the lines that the same runs have there are left out.
  /// @returns the folders there
  [[nodiscard]] std::vector<std::string> takeOver(std::vector<Line>& lines,
                                                  const std::map<std::string, Known>& known) {
    std::map<fs::path, RunEntry> elsewhere;  // by the folder's own name
    for (const auto& [folder, entry] : known) {
      if (!isOfWorkspace(folder)) {
        RunEntry& there = elsewhere[fs::path(folder).filename()] = storedEntry(folder);
        there.number = entry.number;
      }
    }
    // Those of a database of an older form, or of a damaged one, were just read as well.
    for (const Line& line : lines) {
      if (!isOfWorkspace(line.entry.folder) && known.count(line.entry.folder) == 0) {
        const auto number = m_numbers.find(line.entry.folder);
        RunEntry& there = elsewhere[fs::path(line.entry.folder).filename()] = line.entry;
        there.number = number == m_numbers.end() ? 0 : number->second;
      }
    }
    std::vector<std::string> places;
    for (Line& line : lines) {
      const auto there = isOfWorkspace(line.entry.folder)
                             ? elsewhere.find(fs::path(line.entry.folder).filename())
                             : elsewhere.end();
      if (there == elsewhere.end() || !isSameRun(line.entry, there->second)) {
        continue;
      }
      if (known.count(line.entry.folder) == 0) {
        line.entry.number = there->second.number;
      }
      places.push_back(there->second.folder);
    }
    lines.erase(std::remove_if(lines.begin(), lines.end(),
                               [&](const Line& line) {
                                 return std::find(places.begin(), places.end(),
                                                  line.entry.folder) != places.end();
                               }),
                lines.end());
    return places;
  }

  static bool isSameRun(const RunEntry& left, const RunEntry& right) {
    return left.name == right.name && left.startedAt == right.startedAt &&
           left.status == right.status && left.best == right.best;
  }

  RunEntry storedEntry(const std::string& folder) {
    SQLite::Statement query(*m_database, "SELECT entry FROM runs WHERE folder = ?");
    query.bind(1, folder);
    return query.executeStep() ? entryOfText(query.getColumn(0).getString()) : RunEntry{};
  }

  [[nodiscard]] bool isOfWorkspace(const fs::path& folder) const {
    return folder.parent_path() == fullPath(m_workspace / "runs");
  }

  /// Remembers what cannot be read.
  FolderState::Kind look(const std::string& folder) {
    FolderState state = stateOf(folder);
    if (state.kind == FolderState::Kind::Unreadable) {
      m_unreadable[folder] = std::move(state.why);
    }
    return state.kind;
  }

  void makeTable() {
    SQLite::Transaction transaction(*m_database, kWriting);
    // Another program may have made it meanwhile.
    if (m_database->execAndGet("PRAGMA user_version").getInt() != kSchemaVersion) {
      m_database->exec("DROP TABLE IF EXISTS runs");
      m_database->exec(kCreate);
      m_database->exec(kCreateNumbers);
      m_database->exec("PRAGMA user_version=" + std::to_string(kSchemaVersion));
    }
    transaction.commit();
  }

  struct Reading {
    std::vector<Line> lines;
    std::vector<std::string> noRuns;  ///< these have no place in the index
    UnreadableFolders damaged;
    bool stopped = false;
  };

  static Line lineOf(const record::RunResult& run) {
    const record::RunFolder files{run.folder};
    // What is written while it is read makes it stale.
    const std::int64_t stamp = stampOf(files, run.status == record::RunStatus::Running);
    return {entryOf(files, run), stamp};
  }

  // Reads without holding the database, since another program may want to add its run meanwhile.
  // Folders' names begin with the time, so new runs get their numbers in the order they were made.
  static Reading readAll(std::vector<std::string> folders, const IndexProgress& progress) {
    std::sort(folders.begin(), folders.end(),
              [](const std::string& left, const std::string& right) {
                return fs::path(left).filename() < fs::path(right).filename();
              });
    Reading reading;
    for (std::size_t i = 0; i < folders.size() && !reading.stopped; ++i) {
      if (const auto run = record::openRun(folders[i])) {
        reading.lines.push_back(lineOf(*run));
      } else if (stateOf(folders[i]).kind == FolderState::Kind::Run) {
        reading.damaged[folders[i]] = run.error().message;
      } else {
        reading.noRuns.push_back(folders[i]);
      }
      reading.stopped = progress && !progress(i + 1, folders.size());
    }
    return reading;
  }

  void store(const Line& line) {
    RunEntry entry = line.entry;
    entry.number = entry.number > 0 ? entry.number : numberOf(entry.folder);
    SQLite::Statement insert(*m_database, "INSERT OR REPLACE INTO runs VALUES(?,?,?,?,?,?,?,?,?)");
    insert.bind(1, entry.folder);
    insert.bind(2, entry.number);
    insert.bind(3, entry.name);
    insert.bind(4, entry.status);
    insert.bind(5, entry.startedAt);
    insert.bind(6, entry.labels.favourite ? 1 : 0);
    insert.bind(7, textOf(entry));
    insert.bind(8, entry.words);
    insert.bind(9, line.stamp);
    insert.exec();
    SQLite::Statement number(*m_database, "INSERT OR REPLACE INTO numbers VALUES(?,?)");
    number.bind(1, entry.folder);
    number.bind(2, entry.number);
    number.exec();
  }

  int numberOf(const std::string& folder) {
    SQLite::Statement query(*m_database, "SELECT number FROM numbers WHERE folder = ?");
    query.bind(1, folder);
    if (query.executeStep()) {
      return query.getColumn(0).getInt();
    }
    if (const auto saved = m_numbers.find(folder); saved != m_numbers.end()) {
      return saved->second;
    }
    int last = m_database->execAndGet("SELECT COALESCE(MAX(number), 0) FROM numbers").getInt();
    for (const auto& [known, number] : m_numbers) {
      last = std::max(last, number);
    }
    return last + 1;
  }

  void remove(const std::string& folder) {
    SQLite::Statement statement(*m_database, "DELETE FROM runs WHERE folder = ?");
    statement.bind(1, folder);
    statement.exec();
  }

  std::map<std::string, Known> entries() {
    std::map<std::string, Known> known;
    SQLite::Statement query(*m_database, "SELECT folder, stamp, number FROM runs");
    while (query.executeStep()) {
      known[query.getColumn(0).getString()] = {query.getColumn(1).getInt64(),
                                               query.getColumn(2).getInt()};
    }
    return known;
  }

  // A folder whose name begins with a dot is being copied to its place.
  std::vector<std::string> foldersOfWorkspace() {
    std::vector<std::string> folders;
    std::error_code failed;
    const fs::path runs = fs::absolute(m_workspace / "runs", failed).lexically_normal();
    for (fs::directory_iterator it(runs, failed), end; !failed && it != end; it.increment(failed)) {
      std::error_code ignored;
      if (it->is_directory(ignored) && it->path().filename().string().front() != '.' &&
          look(it->path().string()) == FolderState::Kind::Run) {
        folders.push_back(it->path().string());
      }
    }
    if (failed && failed != std::errc::no_such_file_or_directory) {
      m_unreadable[runs.string()] = failed.message();
    }
    return folders;
  }

  fs::path m_workspace;
  fs::path m_path;
  std::optional<SQLite::Database> m_database;
  std::optional<Error> m_problem;        ///< why it works in memory
  std::map<std::string, int> m_numbers;  ///< of a database that could not be used
  UnreadableFolders m_unreadable;
  bool m_unfilled = false;  ///< made anew, and nothing was read yet
};

}  // namespace

Result<std::unique_ptr<RunIndex>> RunIndex::open(const fs::path& workspace) {
  std::error_code failed;
  fs::create_directories(workspace, failed);
  auto index = std::make_unique<SqliteRunIndex>(workspace);
  if (const Status connected = index->connect(); !connected) {
    return tl::make_unexpected(connected.error());
  }
  return index;
}

}  // namespace stagelane::workspace
