#include "profiler/formats/column_cache.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "engine/base/files.h"
#include "profiler/formats/chrome.h"
#include "tests/profiler/formats/sample_trace.h"
#include "tests/support/paths.h"

namespace stagelane::formats {
namespace {

using test::difference;
using test::sampleTrace;
using test::TemporaryFolder;
namespace fs = std::filesystem;

constexpr std::uint64_t kAlways = 1;

/// A trace file with a cache beside it, and the bytes of the cache.
struct Cached {
  TemporaryFolder folder;
  fs::path path = folder / "trace.json";
  std::string bytes;
  CacheKey key;
  Cached() {
    EXPECT_TRUE(writeChrome(*sampleTrace(), path));
    EXPECT_TRUE(readTrace(path, nullptr, kAlways));
    bytes = readFile(cacheBeside(path)).value_or("");
    key = cacheKeyOf(path).value_or(CacheKey{});
  }
};

TEST(ColumnCache, GivesTheTraceAndTheReportBackAsTheyWere) {
  const Cached cached;
  const std::optional<ReadTrace> read = readCache(cached.path);
  ASSERT_TRUE(read);
  EXPECT_EQ(difference(*sampleTrace(), *read->trace), "");
  EXPECT_EQ(read->report.lost, 0U);

  ReadTrace withLoss{sampleTrace(), {7, "malformed event at byte 5"}};
  ASSERT_TRUE(writeCache(cached.path, cached.key, withLoss));
  const Result<ReadTrace> again = readTrace(cached.path, nullptr, kAlways);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->report.lost, 7U);
  EXPECT_EQ(again->report.firstProblem, "malformed event at byte 5");
}

/// A seed of another version is refused at its first bytes, and nothing is fuzzed.
/// STAGELANE_UPDATE_GOLDEN=1 writes it.
TEST(ColumnCache, TheFuzzersSeedIsOfThisVersion) {
  const fs::path data = fs::path(checkout::testData()) / "fuzz";
  const fs::path seed = data / "cache" / "kineto.stagelane-cache";
  const TemporaryFolder folder;
  const fs::path path = folder / "kineto.json";
  ASSERT_TRUE(fs::copy_file(data / "chrome" / "kineto.json", path));
  ASSERT_TRUE(readTrace(path, nullptr, kAlways));
  const std::string written = readFile(cacheBeside(path)).value_or("");
  const char* update = std::getenv("STAGELANE_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    fs::copy_file(cacheBeside(path), seed, fs::copy_options::overwrite_existing);
  }
  constexpr std::size_t kUpToVersion = 32;
  ASSERT_GT(written.size(), kUpToVersion);
  EXPECT_EQ(readFile(seed).value_or("").substr(0, kUpToVersion), written.substr(0, kUpToVersion));
}

TEST(ColumnCache, IsIgnoredWhenTheFileIsAnother) {
  const Cached cached;
  const auto original = fs::last_write_time(cached.path);
  fs::last_write_time(cached.path, original + std::chrono::seconds(1));
  EXPECT_FALSE(readCache(cached.path)) << "another time";
  fs::last_write_time(cached.path, original);
  EXPECT_TRUE(readCache(cached.path));
  {
    std::fstream file(cached.path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(30);
    file << 'X';
  }
  fs::last_write_time(cached.path, original);
  EXPECT_FALSE(readCache(cached.path)) << "other bytes at the beginning";
  {
    std::ofstream file(cached.path, std::ios::app | std::ios::binary);
    file << ' ';
  }
  fs::last_write_time(cached.path, original);
  EXPECT_FALSE(readCache(cached.path)) << "another size";
}

TEST(ColumnCache, IsIgnoredWhenCutAnywhere) {
  const Cached cached;
  ASSERT_GT(cached.bytes.size(), 500U);
  for (std::size_t length = 0; length < cached.bytes.size(); ++length) {
    ASSERT_FALSE(parseCache(cached.bytes.substr(0, length), cached.key)) << length;
  }
  EXPECT_TRUE(parseCache(cached.bytes, cached.key));
  EXPECT_FALSE(parseCache(cached.bytes + "x", cached.key));
}

TEST(ColumnCache, EveryDamagedBitIsNoticed) {
  const Cached cached;
  std::mt19937 random(3);
  for (std::size_t place = 0; place < cached.bytes.size(); ++place) {
    std::string damaged = cached.bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ static_cast<char>(1U << (random() % 8)));
    ASSERT_FALSE(parseCache(damaged, cached.key)) << place;
  }
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = cached.bytes;
    for (auto count = 1 + random() % 8; count > 0; --count) {
      damaged[random() % damaged.size()] = static_cast<char>(random() % 2 == 0 ? 0xFF : random());
    }
    ASSERT_TRUE(damaged == cached.bytes || !parseCache(damaged, cached.key));
  }
}

TEST(ColumnCache, ADamagedCacheIsReplacedByTheFile) {
  const Cached cached;
  std::string damaged = cached.bytes;
  damaged[damaged.size() - 5] ^= 1;
  ASSERT_TRUE(writeFileAtomically(cacheBeside(cached.path), damaged));
  const Result<ReadTrace> read = readTrace(cached.path, nullptr, kAlways);
  ASSERT_TRUE(read);
  EXPECT_EQ(difference(*sampleTrace(), *read->trace), "");
  EXPECT_EQ(readFile(cacheBeside(cached.path)).value_or(""), cached.bytes);
}

TEST(ColumnCache, SmallFilesGetNone) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeChrome(*sampleTrace(), folder / "t.json"));
  ASSERT_TRUE(readTrace(folder / "t.json"));
  EXPECT_FALSE(fs::exists(cacheBeside(folder / "t.json")));
}

TEST(ColumnCache, GoesToTheUsersFolderWhereItCannotBeBesideTheFile) {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.json";
  ASSERT_TRUE(writeChrome(*sampleTrace(), path));
  // A folder at the cache's path, because root may write to any file.
  fs::create_directory(cacheBeside(path));
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  ASSERT_TRUE(readTrace(path, nullptr, kAlways));
  EXPECT_TRUE(fs::is_regular_file(cacheOfUser(path)));
  const std::optional<ReadTrace> read = readCache(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(difference(*sampleTrace(), *read->trace), "");

  fs::remove_all(folder / "cache");
  ASSERT_TRUE(writeFileAtomically(folder / "cache", "a file"));
  EXPECT_TRUE(readTrace(path, nullptr, kAlways)) << "nowhere to write is no error";
  unsetenv("XDG_CACHE_HOME");
}

TEST(ColumnCache, IsNeverWrittenThroughALink) {
  const TemporaryFolder folder;
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  const fs::path path = folder / "t.json";
  ASSERT_TRUE(writeChrome(*sampleTrace(), path));
  ASSERT_TRUE(writeFileAtomically(folder / "precious", "precious"));
  fs::create_symlink("precious", cacheBeside(path));
  ASSERT_TRUE(readTrace(path, nullptr, kAlways));
  EXPECT_EQ(readFile(folder / "precious").value_or(""), "precious");
  EXPECT_TRUE(fs::is_symlink(cacheBeside(path)));
  EXPECT_TRUE(fs::is_regular_file(cacheOfUser(path)));
  // As where `traces` of a run folder leads elsewhere.
  fs::create_directory(folder / "elsewhere");
  ASSERT_TRUE(writeChrome(*sampleTrace(), folder / "elsewhere" / "u.json"));
  fs::create_directory_symlink("elsewhere", folder / "traces");
  const fs::path linked = folder / "traces" / "u.json";
  ASSERT_TRUE(readTrace(linked, nullptr, kAlways));
  EXPECT_FALSE(fs::exists(cacheBeside(linked)));
  EXPECT_TRUE(fs::is_regular_file(cacheOfUser(linked)));
  unsetenv("XDG_CACHE_HOME");
}

TEST(ColumnCache, MayBeReadByWhoeverMayReadTheFile) {
  const TemporaryFolder folder;
  const fs::path path = folder / "t.json";
  ASSERT_TRUE(writeChrome(*sampleTrace(), path));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(readTrace(path, nullptr, kAlways));
  EXPECT_EQ(fs::status(cacheBeside(path)).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace stagelane::formats
