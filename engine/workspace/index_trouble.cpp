#include "engine/workspace/index_trouble.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cstdint>
#include <system_error>

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

constexpr int kPrimaryCode = 0xff;
/// SQLite needs a few pages in addition to the file.
constexpr std::uintmax_t kLeastSpace = std::uintmax_t{256} << 10U;
constexpr const char* kMeanwhile = "; until then, runs are read from their folders";

bool isFull(const fs::path& folder) {
  std::error_code failed;
  const fs::space_info space = fs::space(folder, failed);
  return !failed && space.available < kLeastSpace;
}

}  // namespace

IndexTrouble troubleOf(int sqliteCode) {
  switch (sqliteCode & kPrimaryCode) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return IndexTrouble::Busy;
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_PROTOCOL:
    case SQLITE_NOLFS:
    case SQLITE_NOMEM: return IndexTrouble::Unkept;
    // Rebuilding the database from the folders is cheap, so treat any other error as damage.
    default: return IndexTrouble::Damage;
  }
}

Error indexError(const fs::path& database, IndexTrouble trouble, const std::string& words) {
  Error error{ErrorCode::CannotWrite, "", database.string(), ""};
  const fs::path folder = database.parent_path();
  std::error_code failed;
  if (trouble == IndexTrouble::Busy) {
    error.message = "another program is writing the index of runs";
    error.hint = "try again when it is done";
  } else if (fs::is_directory(database, failed)) {
    error.message = "a folder has the name of the index of runs";
    error.hint = std::string("move it away") + kMeanwhile;
  } else if (::access(folder.c_str(), W_OK) != 0) {
    error.message = "cannot write the index of runs: its folder is not writable";
    error.hint = std::string("make the folder writable") + kMeanwhile;
  } else if (isFull(folder)) {
    error.message = "cannot write the index of runs: the disk is full";
    error.hint = std::string("free some space") + kMeanwhile;
  } else if (trouble == IndexTrouble::Damage) {
    error.message = "the index of runs is damaged and cannot be rebuilt: " + words;
    error.hint = std::string("check the disk and the permissions") + kMeanwhile;
  } else {
    error.message = "cannot write the index of runs: " + words;
    error.hint = std::string("check the disk and the permissions") + kMeanwhile;
  }
  return error;
}

}  // namespace stagelane::workspace
