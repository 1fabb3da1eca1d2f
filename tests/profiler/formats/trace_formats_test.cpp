#include "profiler/formats/trace_formats.h"

#include <gmock/gmock.h>

#include "engine/base/files.h"
#include "profiler/formats/chrome.h"
#include "tests/profiler/formats/sample_trace.h"
#include "tests/support/paths.h"

namespace stagelane::formats {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

std::string resource(const std::string& name) {
  const auto text = readFile(checkout::root() + "/resources/" + name);
  EXPECT_TRUE(text) << name;
  return text ? *text : "";
}

TEST(TraceFormats, HaveNamesAndEndingsAndCanBeReadOrWritten) {
  for (const TraceFormat& format : traceFormats()) {
    SCOPED_TRACE(format.name);
    EXPECT_EQ(formatNamed(format.name), &format);
    EXPECT_FALSE(format.title.empty());
    ASSERT_FALSE(format.endings.empty());
    for (const std::string_view ending : format.endings) {
      EXPECT_THAT(std::string(ending), StartsWith("."));
    }
    EXPECT_TRUE(format.read != nullptr || format.write != nullptr);
    // Readable formats are recognized by their first bytes, and fuzzed from memory.
    EXPECT_EQ(format.read != nullptr, format.begins != nullptr);
    EXPECT_EQ(format.read != nullptr, format.parse != nullptr);
  }
  EXPECT_EQ(formatNamed("xml"), nullptr);
}

TEST(TraceFormats, AreChosenForWritingByTheNameOfAFile) {
  EXPECT_EQ(writtenFormatOf("a.pftrace")->name, "perfetto");
  EXPECT_EQ(writtenFormatOf("folder.csv/a.json.gz")->name, "chrome");
  EXPECT_EQ(writtenFormatOf("a.csv.zst")->name, "csv");
  EXPECT_EQ(writtenFormatOf("a.sqlite"), nullptr);
  EXPECT_EQ(writtenFormatOf("a"), nullptr);
  EXPECT_EQ(writtenFormatOf("a.gz"), nullptr);
}

TEST(TraceFormats, ReadBackWhatTheyWrote) {
  const test::TemporaryFolder folder;
  const trace::TracePtr sample = test::sampleTrace();
  for (const TraceFormat& format : traceFormats()) {
    if (format.write == nullptr || format.read == nullptr) continue;
    SCOPED_TRACE(format.name);
    const auto path = folder / ("trace" + std::string(format.endings.front()));
    ASSERT_TRUE(format.write(*sample, path, nullptr));
    const auto beginning = readBeginning(path);
    ASSERT_TRUE(beginning);
    EXPECT_TRUE(format.begins(*beginning));
    const auto read = readTrace(path);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->trace->size(), sample->size());
  }
}

TEST(TraceFormats, AreNamedInHelpAndMessages) {
  EXPECT_THAT(writtenFormatNames(), IsSupersetOf({"perfetto", "chrome", "csv"}));
  EXPECT_THAT(writtenFormatNames(), Not(Contains("nsight")));
  EXPECT_THAT(readEndings(), Contains(".zst"));
  for (const TraceFormat& format : traceFormats()) {
    if (format.read == nullptr) continue;
    EXPECT_NE(readFormatsText().find(format.title), std::string::npos) << format.name;
  }
}

TEST(TraceFormats, WithATypeOfTheirOwnAreKnownToTheDesktop) {
  const std::string types = resource("stagelane-mime.xml"), entry = resource("stagelane.desktop");
  for (const TraceFormat& format : traceFormats()) {
    if (format.mime.empty()) continue;
    const std::string mime(format.mime), ending(format.endings.front());
    SCOPED_TRACE(mime);
    EXPECT_NE(types.find("<mime-type type=\"" + mime + "\">"), std::string::npos);
    EXPECT_NE(types.find("<glob pattern=\"*" + ending + "\"/>"), std::string::npos);
    EXPECT_NE(entry.find(mime + ";"), std::string::npos);
  }
}

}  // namespace
}  // namespace stagelane::formats
