#include "app/engine_client/remote/upload.h"

#include <string>
#include <system_error>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/model/model.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

/// Copies the file of a `{"csv": PATH}`, and writes the path of the copy in its place.
Status takeAlong(Json& schedule, const fs::path& base, const fs::path& folder) {
  if (!schedule.is_object() || !schedule.contains("csv") || !schedule["csv"].is_string()) return {};
  const fs::path original = base / schedule["csv"].get<std::string>();
  STAGELANE_TRY(text, readFile(original));
  fs::path copy = fs::path("schedules") / original.filename();
  std::error_code failed;
  for (int number = 2; fs::exists(folder / copy, failed); ++number) {
    copy.replace_filename(original.stem().string() + "-" + std::to_string(number) + ".csv");
  }
  fs::create_directories(folder / "schedules", failed);
  schedule["csv"] = copy.string();
  return writeFileAtomically(folder / copy, *text);
}

Status takeSchedules(Json& document, const fs::path& base, const fs::path& folder) {
  if (!document.contains("variants") || !document["variants"].is_array()) return {};
  for (Json& variant : document["variants"]) {
    if (!variant.is_object() || !variant.contains("schedule")) continue;
    Json& schedule = variant["schedule"];
    STAGELANE_CHECK(takeAlong(schedule, base, folder));
    if (!schedule.is_array()) continue;
    for (Json& one : schedule) STAGELANE_CHECK(takeAlong(one, base, folder));
  }
  return {};
}

Status copyTo(const fs::path& from, const fs::path& to) {
  if (from.empty()) return {};
  STAGELANE_TRY(text, readFile(from));
  return writeFileAtomically(to, *text);
}

}  // namespace

Status gatherUpload(const UploadFiles& files, const fs::path& folder) {
  STAGELANE_CHECK(makeEmptyFolder(folder));
  STAGELANE_TRY(document, readJsonFile(files.experiment.string()));
  if (!document->is_object()) {
    return fail(ErrorCode::Invalid, "not an experiment", files.experiment.string());
  }
  std::error_code failed;
  const fs::path base = fs::absolute(files.experiment, failed).parent_path();
  if (const auto model = document->find("model");
      model != document->end() && model->is_object() && model->contains("file")) {
    STAGELANE_TRY(built, model::buildModel(*model, "/model", base.string()));
    *model = (*built)->definition;
  }
  STAGELANE_CHECK(takeSchedules(*document, base, folder));
  STAGELANE_CHECK(writeFileAtomically(folder / "experiment.json", document->dump(1) + "\n"));
  STAGELANE_CHECK(copyTo(files.plan, folder / "plan.json"));
  return copyTo(files.costs, folder / "costs.json");
}

void keepUpload(const std::filesystem::path& work, const std::filesystem::path& runFolder) {
  std::error_code ignored;
  if (!runFolder.empty()) {
    std::filesystem::copy(work / "in", runFolder, std::filesystem::copy_options::recursive,
                          ignored);
  }
  std::filesystem::remove_all(work, ignored);
}

}  // namespace stagelane::app
