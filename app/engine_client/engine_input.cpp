#include "app/engine_client/engine_input.h"

#include <cstdlib>
#include <string>

#include "engine/base/files.h"

namespace stagelane::app {

namespace fs = std::filesystem;

EngineInput::~EngineInput() {
  std::error_code ignored;
  if (!m_folder.empty()) fs::remove_all(m_folder, ignored);
}

Status EngineInput::makeFolder() {
  if (!m_folder.empty()) return {};
  std::error_code failed;
  const fs::path parent = fs::temp_directory_path(failed);
  std::string pattern = ((failed ? fs::path("/tmp") : parent) / "stagelane-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    return fail(ErrorCode::CannotWrite, "cannot create a temporary folder", pattern,
                "set TMPDIR to a writable folder");
  }
  m_folder = pattern;
  return {};
}

Status EngineInput::write(const Json& document) {
  const Status made = makeFolder();
  return made ? writeFileAtomically(path(), document.dump(1) + "\n") : made;
}

Status EngineInput::writePlan(const Json& plan) {
  const Status made = makeFolder();
  return made ? writeFileAtomically(this->plan(), plan.dump(1) + "\n") : made;
}

}  // namespace stagelane::app
