#include "app/engine_client/ssh_aliases.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_folder.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

class SshAliases : public testing::Test {
 protected:
  void SetUp() override { qputenv("HOME", m_home.path().c_str()); }
  void TearDown() override { qputenv("HOME", m_before); }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = m_home / (".ssh/" + file);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  test::TemporaryFolder m_home;
  QByteArray m_before = qgetenv("HOME");
};

TEST_F(SshAliases, AreTheNamesOfHostLinesWithoutPatterns) {
  write("config",
        "# Host no\n"
        "Host box  big-box\n"
        "  HostName 10.0.0.1\n"
        "host=equals\n"
        "HOST \"quoted\" box\n"
        "Host *.example.org !not? *\n"
        "Match host other\n");
  EXPECT_EQ(sshAliases(), (QStringList{QStringLiteral("box"), QStringLiteral("big-box"),
                                       QStringLiteral("equals"), QStringLiteral("quoted")}));
}

TEST_F(SshAliases, IncludedFilesCountInTheirPlace) {
  write("config", "Include conf.d/* ~/.ssh/more\nHost last\n");
  write("conf.d/a", "Host first\nInclude config\n");
  write("more", "Host second\n");
  EXPECT_EQ(sshAliases(), (QStringList{QStringLiteral("first"), QStringLiteral("last"),
                                       QStringLiteral("second")}))
      << "a file that includes itself is read a few times at most";
}

TEST_F(SshAliases, AreNoneWithoutAConfiguration) {
  EXPECT_TRUE(sshAliases().isEmpty());
  EXPECT_TRUE(sshAliases(QStringLiteral("/dev/zero")).isEmpty());
}

}  // namespace
}  // namespace stagelane::app
