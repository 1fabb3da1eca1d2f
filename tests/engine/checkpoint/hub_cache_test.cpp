#include "engine/checkpoint/hub_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/engine/checkpoint/model_folder.h"

namespace stagelane::checkpoint {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class HubCache : public ::testing::Test {
 protected:
  HubCache() { m_variables["HF_HUB_CACHE"] = m_cache.path().string(); }

  Environment environment() {
    return [this](const char* name) { return m_variables[name]; };
  }
  Result<fs::path> locate(const std::string& name) {
    return locateModel(name, m_base.path(), environment());
  }
  /// A snapshot of a model in the cache.
  fs::path snapshot(const std::string& entry, const std::string& revision) {
    const fs::path folder = m_cache / entry / "snapshots" / revision;
    fs::create_directories(folder);
    return folder;
  }
  void setMain(const std::string& entry, const std::string& revision) {
    fs::create_directories(m_cache / entry / "refs");
    test::writeText(m_cache / entry / "refs" / "main", revision);
  }

  test::TemporaryFolder m_base, m_cache;
  std::map<std::string, std::string> m_variables;
};

TEST_F(HubCache, IsWhereHuggingFaceKeepsIt) {
  m_variables = {{"HOME", "/home/x"}};
  EXPECT_EQ(hubCacheFolder(environment()), "/home/x/.cache/huggingface/hub");
  m_variables["XDG_CACHE_HOME"] = "/cache";
  EXPECT_EQ(hubCacheFolder(environment()), "/cache/huggingface/hub");
  m_variables["HF_HOME"] = "~/hf";
  EXPECT_EQ(hubCacheFolder(environment()), "/home/x/hf/hub");
  m_variables["HUGGINGFACE_HUB_CACHE"] = "/older";
  EXPECT_EQ(hubCacheFolder(environment()), "/older");
  m_variables["HF_HUB_CACHE"] = "/newer";
  EXPECT_EQ(hubCacheFolder(environment()), "/newer");
}

TEST_F(HubCache, HasTheSnapshotOfTheRevisionMain) {
  snapshot("models--org--name", "aaa");
  const fs::path newest = snapshot("models--org--name", "bbb");
  setMain("models--org--name", "bbb\n");
  EXPECT_EQ(locate("org/name"), newest);
  const fs::path plain = snapshot("models--gpt", "ccc");
  EXPECT_EQ(locate("gpt"), plain);  // without the reference: the only one
}

TEST_F(HubCache, IsNotAskedForAFolderThatIsThere) {
  snapshot("models--org--name", "aaa");
  fs::create_directories(m_base / "org" / "name");
  EXPECT_EQ(locate("org/name"), m_base / "org/name");
  EXPECT_EQ(locate(m_cache.path().string()), m_cache.path());
}

TEST_F(HubCache, WithoutTheModelIsAnErrorWithTheFoldersThatWereTried) {
  const auto found = locate("org/name");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::Invalid);
  EXPECT_EQ(found.error().message,
            "no model \"org/name\" here; folders tried: " + (m_base / "org/name").string() + ", " +
                (m_cache / "models--org--name").string());
  const auto path = locate("../x/y/z");
  ASSERT_FALSE(path);
  EXPECT_THAT(path.error().message, HasSubstr((m_base / "../x/y/z").string()));
  EXPECT_THAT(path.error().message, testing::Not(HasSubstr("models--")));
}

TEST_F(HubCache, IsNotLeftThroughARevision) {
  snapshot("models--org--name", "aaa");
  fs::create_directories(m_cache / "models--org--name" / "other");
  for (const char* revision : {"../other", "..", ".", "", "bbb", "/"}) {
    SCOPED_TRACE(revision);
    setMain("models--org--name", revision);
    const auto found = locate("org/name");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().context, (m_cache / "models--org--name/refs/main").string());
  }
}

TEST_F(HubCache, WithSeveralSnapshotsAndNoRevisionMainDoesNotChoose) {
  fs::create_directories(m_cache / "models--org--name" / "blobs");
  EXPECT_EQ(locate("org/name").error().hint, "Download it: hf download org/name");
  snapshot("models--org--name", "aaa");
  snapshot("models--org--name", "bbb");
  const auto found = locate("org/name");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "the cache has several snapshots of org/name: aaa, bbb");
}

TEST_F(HubCache, HasNoModelOfANameThatIsAPath) {
  fs::create_directories(m_cache / "models--..");
  for (const char* name : {"..x/../..", "a/b/c", "/", "-x", "a b", "é"}) {
    SCOPED_TRACE(name);
    const auto found = locate(std::string(name) + "/absent");
    EXPECT_FALSE(found);
  }
  EXPECT_FALSE(locate(""));
  test::writeText(m_base / "model.safetensors", "");
  EXPECT_EQ(locate("model.safetensors").error().message, "is not a folder");
}

TEST_F(HubCache, OfTheProcessIsTheDefault) {
  ::setenv("HF_HUB_CACHE", m_cache.path().c_str(), 1);
  const fs::path folder = snapshot("models--org--name", "aaa");
  EXPECT_EQ(locateModel("org/name", m_base.path()), folder);
  ::unsetenv("HF_HUB_CACHE");
}

}  // namespace
}  // namespace stagelane::checkpoint
