#pragma once

/// A host for tests: a script in the place of ssh, named by STAGELANE_SSH while the object lives,
/// that runs the command on this machine, and an engine there. Files in the host's folder change
/// what happens:
///   down        connections are refused
///   drop        the next follower's connection is lost after as many bytes as the file says
///   connections, followers      one line for each

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "app/engine_client/remote/host_errors.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::app::fakes {

class FakeHost {
 public:
  /// `body` is shell, run by the engine's command `run`: $OUT is the run folder, `event JSON`
  /// stores a line.
  explicit FakeHost(const std::string& body) {
    writeScript(
        "ssh",
        "while [ \"$1\" != -- ]; do shift; done\n"
        "cd '" +
            m_folder.path().string() +
            "' && echo x >>connections\n"
            "fails() { echo \"$1\" >&2; exit 255; }\n"
            "[ ! -e down ] || fails 'ssh: connect to host box port 22: Connection refused'\n"
            "export XDG_CACHE_HOME=\"$PWD/a cache\"\n"
            "case $3 in *following*) echo x >>followers ;; *) exec sh -c \"$3\" ;; esac\n"
            "[ -e drop ] || exec sh -c \"$3\"\n"
            "n=$(cat drop); rm drop; exec 3<&0\n"
            "head -c \"$n\" < <(exec sh -c \"$3\" <&3)\n"
            "fails 'client_loop: send disconnect: Broken pipe'\n");
    setEngine("[ \"$1\" != version ] || { echo '" + ownEngineVersion() +
              "'; exit; }\n"
              "[ \"$1\" != devices ] || { echo '{\"devices\":[{\"id\":\"cpu:0\"}]}'; exit; }\n"
              "echo \"$*\" >'" +
              (m_folder / "arguments").string() +
              "'\n"
              "while [ $# -gt 0 ]; do\n"
              "  case $1 in --out) OUT=$2 ;; --resume) OUT=$2 ;; esac\n"
              "  shift\n"
              "done\n"
              "event() { echo \"$1\" >>\"$OUT/events.jsonl\"; }\n" +
              body + "\n");
    ::setenv("STAGELANE_SSH", (m_folder / "ssh").c_str(), 1);
    ::setenv("STAGELANE_WORKSPACE", workspace().c_str(), 1);
    std::filesystem::create_directory(workspace());
    std::ofstream(workspace() / "hosts.json")
        << R"({"hosts": [{"name": "box", "engine": ")" << engine().string() << "\"}]}";
    std::filesystem::create_directory(out());
    std::ofstream(experiment()) << R"({"devices": ["box/cpu:0"]})";
  }
  ~FakeHost() {
    ::unsetenv("STAGELANE_SSH");
    ::unsetenv("STAGELANE_WORKSPACE");
  }
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;

  /// The whole script of the engine.
  void setEngine(const std::string& script) { writeScript("an engine", script); }
  void put(const std::string& file, const std::string& text = "") const {
    std::ofstream(m_folder / file) << text;
  }
  void remove(const std::string& file) const { std::filesystem::remove(m_folder / file); }
  [[nodiscard]] std::string text(const std::string& file) const {
    std::ifstream stream(m_folder / file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  [[nodiscard]] std::filesystem::path engine() const { return m_folder / "an engine"; }
  [[nodiscard]] std::filesystem::path workspace() const { return m_folder / "workspace"; }
  [[nodiscard]] std::filesystem::path out() const { return m_folder / "run"; }
  [[nodiscard]] std::filesystem::path experiment() const { return m_folder / "experiment.json"; }
  /// Whether the host still has files of a run.
  [[nodiscard]] bool hasRuns() const {
    const std::filesystem::path runs = m_folder / "a cache/stagelane/runs";
    return std::filesystem::exists(runs) && !std::filesystem::is_empty(runs);
  }

 private:
  void writeScript(const std::string& name, const std::string& text) const {
    std::ofstream(m_folder / name) << "#!/bin/bash\n" << text;
    ::chmod((m_folder / name).c_str(), 0755);
  }
  test::TemporaryFolder m_folder;
};

}  // namespace stagelane::app::fakes
