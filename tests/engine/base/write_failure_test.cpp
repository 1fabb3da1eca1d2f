#include "engine/base/write_failure.h"

#include <gmock/gmock.h>

#include <cerrno>

#include "engine/base/files.h"
#include "tests/support/temporary_folder.h"

namespace stagelane {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(WriteFailure, AdvisesToFreeSpaceOnlyWhereSpaceIsMissing) {
  for (const int full : {ENOSPC, EDQUOT}) {
    EXPECT_THAT(writeFailure(full).advice, HasSubstr("free some space"));
  }
  EXPECT_THAT(writeFailure(EFBIG).advice, HasSubstr("file-size limit"));
  for (const int other : {ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, EROFS, EPIPE, EIO}) {
    EXPECT_FALSE(writeFailure(other).why.empty()) << other;
    EXPECT_THAT(writeFailure(other).advice, Not(HasSubstr("space"))) << other;
  }
  EXPECT_THAT(writeFailure(EPIPE).why, HasSubstr("reader"));
  EXPECT_THAT(writeFailure(EACCES).advice, HasSubstr("may write"));
}

TEST(WriteFailure, AFolderThatIsNotThereIsSaidByWhateverWritesAFile) {
  const test::TemporaryFolder folder;
  const Status written = writeFileAtomically(folder / "missing" / "x.png", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot write: the folder does not exist");
  EXPECT_EQ(written.error().hint, "create it, or choose another one");
}

}  // namespace
}  // namespace stagelane
