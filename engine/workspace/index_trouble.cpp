#include "engine/workspace/index_trouble.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cstdint>
#include <system_error>

namespace stagelane::workspace {
namespace {

namespace fs = std::filesystem;

constexpr int kPrimaryCode = 0xff;
/// SQLite wants a few pages beside the file itself.
constexpr std::uintmax_t kLeastSpace = std::uintmax_t{256} << 10U;
constexpr const char* kMeanwhile = "; until then the runs are read from their folders";

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
    // A copy of the folders that answers in any other way is not worth a second question.
    default: return IndexTrouble::Damage;
  }
}

Error indexError(const fs::path& database, IndexTrouble trouble, const std::string& words) {
  Error error{ErrorCode::CannotWrite, "", database.string(), ""};
  const fs::path folder = database.parent_path();
  std::error_code failed;
  if (trouble == IndexTrouble::Busy) {
    error.message = "another program is writing the index of runs";
    error.hint = "try again when it is through";
  } else if (fs::is_directory(database, failed)) {
    error.message = "a folder lies where the index of runs belongs";
    error.hint = std::string("move it away") + kMeanwhile;
  } else if (::access(folder.c_str(), W_OK) != 0) {
    error.message = "the index of runs cannot be kept: its folder cannot be written";
    error.hint = std::string("make the folder writable") + kMeanwhile;
  } else if (isFull(folder)) {
    error.message = "the index of runs cannot be kept: the disk is full";
    error.hint = std::string("free some space") + kMeanwhile;
  } else if (trouble == IndexTrouble::Damage) {
    error.message = "the index of runs is damaged and cannot be made again: " + words;
    error.hint = std::string("check the disk and the permissions") + kMeanwhile;
  } else {
    error.message = "the index of runs cannot be kept: " + words;
    error.hint = std::string("check the disk and the permissions") + kMeanwhile;
  }
  return error;
}

}  // namespace stagelane::workspace
