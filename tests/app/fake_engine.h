#pragma once

/// Engines for tests: shell scripts that behave as `stagelane-engine run FILE --out DIR` does in
/// one respect, named by STAGELANE_ENGINE while the object lives.

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.h"

namespace stagelane::app::fakes {

class FakeEngine {
 public:
  /// `body` is shell; $OUT is the run folder, `event JSON` prints a line and stores it.
  explicit FakeEngine(const std::string& body) {
    const std::filesystem::path script = m_folder / "engine";
    std::ofstream(script) << "#!/bin/bash\nOUT=\"$4\"\n"
                             "event() { echo \"$1\" >> \"$OUT/events.jsonl\"; echo \"$1\"; }\n"
                          << body << "\n";
    ::chmod(script.c_str(), 0755);
    ::setenv("STAGELANE_ENGINE", script.c_str(), 1);
    std::filesystem::create_directory(out());
  }
  ~FakeEngine() { ::unsetenv("STAGELANE_ENGINE"); }
  FakeEngine(const FakeEngine&) = delete;
  FakeEngine& operator=(const FakeEngine&) = delete;
  [[nodiscard]] std::filesystem::path folder() const { return m_folder.path(); }
  [[nodiscard]] std::filesystem::path out() const { return m_folder / "run"; }

 private:
  test::TemporaryFolder m_folder;
};

inline const char* const kStarted =
    "event '{\"event\":\"started\",\"t_ns\":1,\"run\":{\"name\":\"T\",\"timing\":\"steady\"},"
    "\"variants\":[{\"id\":\"a\",\"name\":\"A\",\"status\":\"running\"}],\"devices\":[\"cpu:0\"]}'"
    "\n"
    "event "
    "'{\"event\":\"measurement\",\"t_ns\":2,\"variant\":\"a\",\"repeat\":1,\"seconds\":0.01}'\n";

/// Keeps the engine's input in the run folder: `experiment.json`, and the file of `--plan`
/// as `handed.json`.
inline const char* const kKeepInput =
    "cp \"$2\" \"$OUT/experiment.json\"\n"
    "while [ $# -gt 0 ]; do\n"
    "  if [ \"$1\" = --plan ]; then cp \"$2\" \"$OUT/handed.json\"; fi\n"
    "  shift\n"
    "done\n";

inline const char* const kFinished = "event '{\"event\":\"finished\",\"t_ns\":3}'\n";

}  // namespace stagelane::app::fakes
