#include "app/cli/trace_source.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "app/terminal/console.h"
#include "engine/base/find.h"
#include "engine/base/text.h"
#include "engine/record/run_record.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/trace_formats.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> tracedVariants(const record::RunFolder& folder) {
  std::vector<std::string> variants;
  std::error_code failed;
  for (fs::directory_iterator it(folder.traces(), failed), end; !failed && it != end;
       it.increment(failed)) {
    if (it->path().extension() == ".pftrace") variants.push_back(it->path().stem().string());
  }
  std::sort(variants.begin(), variants.end());
  return variants;
}

}  // namespace

Result<fs::path> resolveTrace(const std::string& argument, const std::string& variant) {
  std::error_code failed;
  if (!fs::is_directory(argument, failed)) {
    if (!variant.empty()) {
      return fail(ErrorCode::Usage,
                  "--variant applies only to a run folder, but the argument is a file", argument,
                  "remove --variant");
    }
    return fs::path(argument);
  }
  const record::RunFolder folder{argument};
  if (!fs::exists(folder.result(), failed)) {
    // Opening a killed run writes its result. The traces do not depend on it.
    static_cast<void>(record::openRun(argument));
  }
  const std::vector<std::string> variants = tracedVariants(folder);
  if (variants.empty()) {
    return fail(ErrorCode::Invalid, "the folder has no traces", argument,
                "use a trace file or a run folder with traces");
  }
  if (variant.empty() && variants.size() > 1) {
    return fail(ErrorCode::Invalid, "the run has several traces", argument,
                "select one with --variant: " + joined(variants));
  }
  const std::string chosen = variant.empty() ? variants.front() : variant;
  if (!contains(variants, chosen)) {
    return fail(ErrorCode::Invalid, "the run has no trace of a variant '" + chosen + "'", argument,
                "use one of: " + joined(variants));
  }
  return folder.trace(chosen);
}

Result<formats::ReadTrace> readTrace(const fs::path& path, formats::Keep keep) {
  std::error_code failed;
  if (!fs::exists(path, failed)) {
    return fail(ErrorCode::Invalid, "no such file", path.string(),
                "use a trace (" + formats::readFormatsText() + "), or a run folder");
  }
  return keep == formats::Keep::Details ? formats::readTraceWithDetails(path)
                                        : formats::readTrace(path);
}

Result<formats::ReadTrace> openTrace(const std::string& argument, const std::string& variant,
                                     formats::Keep keep) {
  STAGELANE_TRY(path, resolveTrace(argument, variant));
  auto read = readTrace(*path, keep);
  if (read && read->report.lost > 0) {
    const std::string records = read->report.lost == 1 ? " record of " : " records of ";
    printWarning(std::to_string(read->report.lost) + records + path->string() +
                 " could not be read: " + read->report.firstProblem);
  }
  return read;
}

}  // namespace stagelane::app
