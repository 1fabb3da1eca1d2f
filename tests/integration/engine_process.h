#pragma once

/// Starts stagelane-engine as a separate process, as the window does, and reads its output.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/json.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::test {

inline std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class EngineProcess {
 public:
  /// Standard output goes to `out`, standard error to `out`.err. `fileSizeLimit` in bytes, 0 none.
  EngineProcess(const std::vector<std::string>& arguments, std::filesystem::path out,
                rlim_t fileSizeLimit = 0)
      : m_out(std::move(out)) {
    const std::string program = checkout::programs() + "/stagelane-engine";
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) {
      argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    const std::string errors = m_out.string() + ".err";
    m_pid = fork();
    if (m_pid == 0) {
      redirect(m_out.c_str(), STDOUT_FILENO);
      redirect(errors.c_str(), STDERR_FILENO);
      if (fileSizeLimit > 0) {
        const rlimit limit{fileSizeLimit, fileSizeLimit};
        setrlimit(RLIMIT_FSIZE, &limit);
      }
      execv(program.c_str(), argv.data());
      _exit(127);
    }
  }
  ~EngineProcess() {
    if (m_pid > 0) {
      kill(SIGKILL);
      wait();
    }
  }
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  void kill(int signal) const { ::kill(m_pid, signal); }
  /// Exit code, or minus the signal that ended it.
  int wait() {
    int status = 0;
    waitpid(m_pid, &status, 0);
    m_pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  /// Waits until so many lines with the event came; false when the process ended before.
  bool waitFor(const std::string& event, int count = 1) {
    for (;;) {
      int seen = 0;
      for (const Json& line : lines()) seen += line.value("event", "") == event ? 1 : 0;
      if (seen >= count) return true;
      siginfo_t info{};
      const bool ended =
          waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          info.si_pid != 0;
      if (ended) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  /// Whole event lines of standard output so far.
  [[nodiscard]] std::vector<Json> lines() const {
    std::vector<Json> result;
    std::istringstream text(contentOf(m_out));
    for (std::string line; std::getline(text, line) && !text.eof();) {
      result.push_back(Json::parse(line, nullptr, /*allow_exceptions=*/false));
    }
    return result;
  }
  [[nodiscard]] std::string output() const { return contentOf(m_out); }
  [[nodiscard]] std::string errors() const { return contentOf(m_out.string() + ".err"); }

 private:
  static void redirect(const char* path, int target) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(file, target);
    close(file);
  }

  std::filesystem::path m_out;
  pid_t m_pid = -1;
};

}  // namespace stagelane::test
