#include "engine/base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <thread>

#include "engine/base/atomic_file.h"
#include "tests/support/temporary_folder.h"

namespace stagelane {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  test::TemporaryFolder m_temporary;
  const fs::path& m_folder = m_temporary.path();
};

TEST_F(Files, AreWrittenWholeAndLeaveNoTemporary) {
  const fs::path path = m_folder / "a.txt";
  ASSERT_TRUE(writeFileAtomically(path, "one"));
  ASSERT_TRUE(writeFileAtomically(path, "two"));
  EXPECT_EQ(readFile(path).value(), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 1);
}

TEST_F(Files, KeepTheirPermissionsAndAProtectedOneIsNotReplaced) {
  const fs::path path = m_folder / "a.txt";
  ASSERT_TRUE(writeFileAtomically(path, "one"));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(writeFileAtomically(path, "two"));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(path, fs::perms::owner_read);
  const Status written = writeFileAtomically(path, "three");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read);
  if (::geteuid() == 0) {
    return;  // may write to any file
  }
  EXPECT_EQ(written.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(readFile(path).value(), "two");
}

/// A process that is killed while writing leaves the old file unchanged.
TEST_F(Files, HaveNoNameBeforeTheyAreWhole) {
  const int nameless = ::open(m_folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (nameless < 0) {
    GTEST_SKIP() << "no file without a name in " << m_folder;
  }
  ::close(nameless);
  for (const char* text : {"first", "second"}) {
    AtomicFile file(m_folder / "a.txt");
    const auto before = std::distance(fs::directory_iterator(m_folder), fs::directory_iterator());
    file.write(text);
    EXPECT_EQ(before, text == std::string("first") ? 0 : 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), before);
    ASSERT_EQ(file.commit(), 0);
    EXPECT_EQ(readFile(m_folder / "a.txt").value(), text);
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 1);
  }
  struct stat about {};
  ASSERT_EQ(::stat((m_folder / "a.txt").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0644U);
}

TEST_F(Files, ALinkStaysOneAndItsTargetIsReplaced) {
  ASSERT_TRUE(writeFileAtomically(m_folder / "target", "old"));
  fs::create_symlink("target", m_folder / "link");
  ASSERT_TRUE(writeFileAtomically(m_folder / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(m_folder / "link"));
  EXPECT_EQ(readFile(m_folder / "target").value(), "new");
}

TEST_F(Files, ALinkInAFolderOfOthersIsReplacedAndItsTargetKept) {
  ASSERT_TRUE(writeFileAtomically(m_folder / "target", "old"));
  for (const char* target : {"target", "absent"}) {
    fs::create_symlink(target, m_folder / "link");
    ASSERT_TRUE(writeFileAtomically(m_folder / "link", "new", Links::Replace));
    EXPECT_FALSE(fs::is_symlink(m_folder / "link"));
    EXPECT_EQ(readFile(m_folder / "link").value(), "new");
    fs::remove(m_folder / "link");
  }
  EXPECT_EQ(readFile(m_folder / "target").value(), "old");
  EXPECT_FALSE(fs::exists(m_folder / "absent"));
  // Opening a pipe without a reader would never end.
  ASSERT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
  ASSERT_TRUE(writeFileAtomically(m_folder / "pipe", "new", Links::Replace));
  EXPECT_EQ(readFile(m_folder / "pipe").value(), "new");
}

TEST_F(Files, NothingIsAppendedThroughALink) {
  ASSERT_TRUE(writeFileAtomically(m_folder / "target", "old"));
  fs::create_symlink("target", m_folder / "link");
  fs::create_symlink("absent", m_folder / "broken");
  for (const char* name : {"link", "broken"}) {
    errno = 0;
    EXPECT_EQ(openToAppend(m_folder / name, O_CREAT), -1) << name;
    EXPECT_EQ(errno, ELOOP) << name;
    const Status refused = requireNoLink(m_folder / name);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::CannotWrite);
    EXPECT_EQ(refused.error().message, "cannot write: a symbolic link is in its place");
  }
  EXPECT_FALSE(fs::exists(m_folder / "absent"));
  EXPECT_TRUE(requireNoLink(m_folder / "target"));
  EXPECT_TRUE(requireNoLink(m_folder / "absent"));
  EXPECT_FALSE(requireNoLink(m_folder));
  const int descriptor = openToAppend(m_folder / "target", 0);
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(::write(descriptor, "+", 1), 1);
  ::close(descriptor);
  EXPECT_EQ(readFile(m_folder / "target").value(), "old+");
}

// The exit status says which number the first file gets.
[[noreturn]] void openFirstFileWithoutStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
  openStandardStreams();
  _exit(::open("/dev/zero", O_RDONLY));
}

TEST(StandardStreamsDeathTest, ClosedOnesAreNotTheNextFiles) {
  testing::FLAGS_gtest_death_test_style = "fast";
  EXPECT_EXIT(
      openFirstFileWithoutStreams(),
      [](int status) { return WIFEXITED(status) && WEXITSTATUS(status) > STDERR_FILENO; }, "");
}

TEST_F(Files, APipeIsWrittenToAndStaysAPipe) {
  const fs::path pipe = m_folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { std::getline(std::ifstream(pipe), read); });
  EXPECT_TRUE(writeFileAtomically(pipe, "through"));
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(Files, KeepTheOldContentWhenTheDiskIsFull) {
  const fs::path path = m_folder / "a.txt";
  ASSERT_TRUE(writeFileAtomically(path, "old"));
  ignoreWriteSignals();
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 1024;
  setrlimit(RLIMIT_FSIZE, &small);
  const Status status = writeFileAtomically(path, std::string(100'000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(readFile(path).value(), "old");
}

TEST_F(Files, ReportAFolderThatIsNotThere) {
  EXPECT_EQ(writeFileAtomically(m_folder / "no" / "a", "x").error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(readFile(m_folder / "no").error().code, ErrorCode::Invalid);
  EXPECT_EQ(readFile(m_folder).error().code, ErrorCode::Invalid);
}

TEST_F(Files, AnEmptyFolderIsAcceptedAndAFullOneIsNot) {
  EXPECT_TRUE(makeEmptyFolder(m_folder / "x" / "y"));
  EXPECT_TRUE(makeEmptyFolder(m_folder / "x" / "y"));
  EXPECT_EQ(makeEmptyFolder(m_folder / "x").error().code, ErrorCode::CannotWrite);
  ASSERT_TRUE(writeFileAtomically(m_folder / "file", ""));
  EXPECT_EQ(makeEmptyFolder(m_folder / "file").error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(makeEmptyFolder(m_folder / "file" / "sub").error().code, ErrorCode::CannotWrite);
}

}  // namespace
}  // namespace stagelane
