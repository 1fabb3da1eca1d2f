// The index of run folders. It holds only data from the folders, so a damaged one is rebuilt, and
// if the disk is not writable it lives in memory. run_table handles rows and folder_reading handles
// folders; this file decides what to read and when to abandon a database.

#include "engine/workspace/run_index.h"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "engine/base/find.h"
#include "engine/workspace/copied_runs.h"
#include "engine/workspace/folder_reading.h"
#include "engine/workspace/index_trouble.h"
#include "engine/workspace/run_entry.h"
#include "engine/workspace/run_table.h"

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

constexpr int kBusyPollMs = 10;

bool isBusy(const SQLite::Exception& problem) {
  return troubleOf(problem.getErrorCode()) == IndexTrouble::Busy;
}

/// Retries while another program opens, closes or recovers the database: SQLite then reports
/// "locked" immediately, regardless of its timeout.
/// @source https://sqlite.org/wal.html, "Sometimes Queries Return SQLITE_BUSY In WAL Mode"
template <class Work>
auto patiently(const Work& work) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(RunTable::kBusyTimeoutMs);
  while (true) {
    try {
      return work();
    } catch (const SQLite::Exception& problem) {
      if (!isBusy(problem) || std::chrono::steady_clock::now() > end) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(kBusyPollMs));
  }
}

class SqliteRunIndex final : public RunIndex {
 public:
  explicit SqliteRunIndex(fs::path workspace)
      : m_workspace(std::move(workspace)), m_path(m_workspace / "stagelane.db") {}

  /// Opens the file; creates or repairs it if needed.
  Status connect() {
    return guarded([] {});
  }

  [[nodiscard]] const std::optional<Error>& problem() const override { return m_problem; }
  [[nodiscard]] const UnreadableFolders& unreadable() const override { return m_unreadable; }

  Status put(const fs::path& folder) override {
    STAGELANE_TRY(run, record::openRun(folder));
    return guarded([&] {
      SQLite::Transaction transaction = m_table->beginWriting();
      m_table->store(indexedRunOf(*run), m_numbers);
      transaction.commit();
    });
  }

  Status forget(const fs::path& folder) override {
    return guarded([&] { m_table->remove(fullPath(folder)); });
  }

  Result<std::vector<RunEntry>> list() override {
    std::vector<RunEntry> entries;
    const Status read = guarded([&] {
      if (m_unfilled) readWhatIsNew({});
      entries = m_table->list();
    });
    STAGELANE_CHECK(read);
    for (RunEntry& entry : entries) {
      if (const auto why = m_unreadable.find(entry.folder); why != m_unreadable.end()) {
        entry.unreadable = why->second;
      }
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
        words = problem.what();  // an entry that is not JSON
      }
      // The repair may find that the disk is not writable; the index then uses memory.
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
    if (m_table) return;
    patiently([this] {
      m_table.reset();
      m_table.emplace(m_problem ? std::string(":memory:") : m_path.string());
      if (!m_table->hasThisForm()) {
        // From an older schema only the numbers are kept; everything else is in the folders.
        const RunNumbers saved = m_table->isNew() ? RunNumbers{} : savedNumbers(m_path);
        m_numbers.insert(saved.begin(), saved.end());
        m_table->create();
      }
    });
  }

  /// The next attempt creates a new file and reads everything again.
  void throwAway() {
    m_table.reset();
    m_numbers = savedNumbers(m_path);
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(m_path.string() + suffix, ignored);
    m_unfilled = true;
  }

  /// The next attempt uses memory.
  void leaveDisk(Error problem) {
    m_table.reset();
    const RunNumbers saved = savedNumbers(m_path);
    m_numbers.insert(saved.begin(), saved.end());
    m_problem = std::move(problem);
    m_unfilled = true;
  }

  /// Reads new and changed folders, and drops deleted ones.
  void readWhatIsNew(const IndexProgress& progress) {
    const KnownRuns known = m_table->known();
    m_unreadable.clear();
    std::vector<std::string> gone;
    std::vector<std::string> stale = changedFolders(known, gone);
    addNewFolders(known, stale);
    FolderReading reading = readFolders(std::move(stale), m_workspace / "runs", progress);
    m_unreadable.merge(reading.damaged);
    if (reading.stopped) {
      gone.clear();  // their new location may be in an unread folder
    }
    gone.insert(gone.end(), reading.noRuns.begin(), reading.noRuns.end());
    const std::vector<std::string> places = takeOver(reading.runs, known);
    SQLite::Transaction transaction = m_table->beginWriting();
    for (const std::string& folder : gone) m_table->remove(folder);
    forgetPlaces(places);
    storeAll(reading.runs);
    transaction.commit();
    m_unfilled = m_unfilled && reading.stopped;
  }

  /// The known folders that have changed; an unreadable one keeps its row.
  std::vector<std::string> changedFolders(const KnownRuns& known, std::vector<std::string>& gone) {
    std::vector<std::string> stale;
    for (const auto& [folder, entry] : known) {
      if (holdsRun(folder, m_unreadable)) {
        if (entry.stamp == 0 || entry.stamp != stampOf({folder}, /*running=*/false)) {
          stale.push_back(folder);
        }
      } else if (m_unreadable.count(folder) == 0) {
        gone.push_back(folder);
      }
    }
    return stale;
  }

  void addNewFolders(const KnownRuns& known, std::vector<std::string>& folders) {
    for (std::string& folder : runFoldersIn(m_workspace / "runs", m_unreadable)) {
      if (known.count(folder) == 0) folders.push_back(std::move(folder));
    }
    for (const auto& [folder, number] : m_numbers) {
      const bool listed = known.count(folder) > 0 || contains(folders, folder);
      if (!listed && holdsRun(folder, m_unreadable)) folders.push_back(folder);
    }
  }

  void readAgain(const IndexProgress& progress) {
    if (!m_table->isSound()) throw SQLite::Exception("the file is malformed", SQLITE_CORRUPT);
    m_unreadable.clear();
    const KnownRuns known = m_table->known();
    RunNumbers numbers = m_numbers;
    for (const auto& [folder, entry] : known) numbers[folder] = entry.number;
    std::vector<std::string> folders = runFoldersIn(m_workspace / "runs", m_unreadable);
    for (const auto& [folder, number] : numbers) {
      if (!contains(folders, folder) && holdsRun(folder, m_unreadable)) folders.push_back(folder);
    }
    FolderReading reading = readFolders(std::move(folders), m_workspace / "runs", progress);
    if (reading.stopped) return;
    m_unreadable.merge(reading.damaged);
    const std::vector<std::string> places = takeOver(reading.runs, known);
    numberThem(reading.runs, numbers);
    SQLite::Transaction transaction = m_table->beginWriting();
    for (const auto& [folder, entry] : m_table->known()) {
      if (m_unreadable.count(folder) == 0) m_table->remove(folder);
    }
    forgetPlaces(places);
    storeAll(reading.runs);
    transaction.commit();
    m_unfilled = false;
  }

  /// Runs with a saved number keep it and come first; the others continue the count.
  static void numberThem(std::vector<IndexedRun>& runs, const RunNumbers& numbers) {
    for (IndexedRun& run : runs) {
      const auto kept = numbers.find(run.entry.folder);
      run.entry.number = kept == numbers.end() ? run.entry.number : kept->second;
    }
    std::stable_partition(runs.begin(), runs.end(),
                          [](const IndexedRun& run) { return run.entry.number > 0; });
  }

  void storeAll(const std::vector<IndexedRun>& runs) {
    for (const IndexedRun& run : runs) m_table->store(run, m_numbers);
  }

  /// Forgets folders together with their numbers, which now belong to folders here.
  void forgetPlaces(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
      m_table->remove(folder);
      m_table->forgetNumber(folder);
      m_numbers.erase(folder);
    }
  }

  /// @returns the folders elsewhere whose runs are here now
  [[nodiscard]] std::vector<std::string> takeOver(std::vector<IndexedRun>& read,
                                                  const KnownRuns& known) {
    const fs::path runs = fullPath(m_workspace / "runs");
    std::vector<RunEntry> elsewhere;
    for (const auto& [folder, entry] : known) {
      if (fs::path(folder).parent_path() != runs) {
        elsewhere.push_back(m_table->entryAt(folder));
        elsewhere.back().number = entry.number;
      }
    }
    // Runs of an older or damaged database were just read again as well.
    for (const IndexedRun& run : read) {
      if (fs::path(run.entry.folder).parent_path() != runs && known.count(run.entry.folder) == 0) {
        const auto number = m_numbers.find(run.entry.folder);
        elsewhere.push_back(run.entry);
        elsewhere.back().number = number == m_numbers.end() ? 0 : number->second;
      }
    }
    return takeOverNumbers(read, elsewhere, known, runs);
  }

  fs::path m_workspace;
  fs::path m_path;
  std::optional<RunTable> m_table;
  std::optional<Error> m_problem;  ///< why it uses memory
  RunNumbers m_numbers;            ///< from a database that could not be used
  UnreadableFolders m_unreadable;
  bool m_unfilled = false;  ///< created, and nothing read yet
};

}  // namespace

Result<std::unique_ptr<RunIndex>> RunIndex::open(const fs::path& workspace) {
  std::error_code failed;
  fs::create_directories(workspace, failed);
  auto index = std::make_unique<SqliteRunIndex>(workspace);
  STAGELANE_CHECK(index->connect());
  return index;
}

}  // namespace stagelane::workspace
