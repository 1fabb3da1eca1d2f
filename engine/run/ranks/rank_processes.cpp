#include "engine/run/ranks/rank_processes.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

#include "engine/run/ranks/running_time.h"
#include "engine/run/ranks/talker.h"

namespace stagelane::run {
namespace {

/// All that the child needs, made before the fork: afterwards only system calls are safe.
struct Prepared {
  std::vector<std::string> texts;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  int output = -1;
  int error = -1;
  int report[2] = {-1, -1};

  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() {
    for (const int descriptor : {output, error, report[0], report[1]}) {
      if (descriptor >= 0) ::close(descriptor);
    }
  }
};

std::string nameOf(const std::string& variable) { return variable.substr(0, variable.find('=')); }

/// The variables of this process, with those of the command.
std::vector<std::string> environmentFor(const RankCommand& command) {
  std::map<std::string, std::string> all;
  for (char** one = environ; *one != nullptr; ++one) all[nameOf(*one)] = *one;
  for (const std::string& one : command.variables) all[nameOf(one)] = one;
  std::vector<std::string> texts;
  for (auto& [name, text] : all) texts.push_back(std::move(text));
  return texts;
}

Status openFile(const std::string& path, int& descriptor) {
  if (path.empty()) return {};
  descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor >= 0) return {};
  return fail(ErrorCode::CannotWrite, std::string("cannot create: ") + std::strerror(errno), path);
}

Status prepare(const RankCommand& command, Prepared& prepared) {
  if (command.arguments.empty()) return fail(ErrorCode::EngineFailure, "no program to start");
  STAGELANE_CHECK(openFile(command.outputPath, prepared.output));
  STAGELANE_CHECK(openFile(command.errorPath, prepared.error));
  if (::pipe2(prepared.report, O_CLOEXEC) != 0) {
    return fail(ErrorCode::EngineFailure,
                std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  prepared.texts = command.arguments;
  const std::vector<std::string> variables = environmentFor(command);
  prepared.texts.insert(prepared.texts.end(), variables.begin(), variables.end());
  for (std::size_t index = 0; index < prepared.texts.size(); ++index) {
    auto& list = index < command.arguments.size() ? prepared.arguments : prepared.environment;
    list.push_back(prepared.texts[index].data());
  }
  prepared.arguments.push_back(nullptr);
  prepared.environment.push_back(nullptr);
  return {};
}

/// In the child. Writes errno to the pipe if the program cannot be started.
[[noreturn]] void becomeProgram(const Prepared& prepared, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it ended before prctl
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) std::signal(number, SIG_DFL);
  if (prepared.output >= 0) ::dup2(prepared.output, STDOUT_FILENO);
  if (prepared.error >= 0) ::dup2(prepared.error, STDERR_FILENO);
  ::execve(prepared.arguments.front(), prepared.arguments.data(), prepared.environment.data());
  const int failed = errno;
  if (::write(prepared.report[1], &failed, sizeof(failed)) < 0) ::_exit(126);
  ::_exit(127);
}

Result<pid_t> fork(const RankCommand& command) {
  Prepared prepared;
  STAGELANE_CHECK(prepare(command, prepared));
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) becomeProgram(prepared, parent);
  int failed = child < 0 ? errno : 0;
  ::close(std::exchange(prepared.report[1], -1));
  // The pipe closes without a word when the program starts.
  if (child > 0 && ::read(prepared.report[0], &failed, sizeof(failed)) > 0) {
    ::waitpid(child, nullptr, 0);
  }
  if (failed == 0) return child;
  return fail(ErrorCode::EngineFailure,
              "cannot start the process of rank " + std::to_string(command.rank) + ": " +
                  std::strerror(failed),
              command.arguments.front());
}

}  // namespace

struct RankProcesses::Impl {
  // A child gets the signal of its parent's death when the thread that forked it ends. So all are
  // forked in a thread that lives as long as this object.
  Talker forks{"rank processes"};
  std::map<pid_t, int> running;  ///< to ranks
  std::vector<RankEnd> ends;

  void collect() {
    for (auto one = running.begin(); one != running.end();) {
      int status = 0;
      if (::waitpid(one->first, &status, WNOHANG) == 0) {
        ++one;
        continue;
      }
      const bool signaled = WIFSIGNALED(status);
      ends.push_back(
          {one->second, signaled ? 0 : WEXITSTATUS(status), signaled ? WTERMSIG(status) : 0});
      one = running.erase(one);
    }
  }
  void signalAll(int number) const {
    for (const auto& [pid, rank] : running) ::kill(-pid, number);
  }
};

RankProcesses::RankProcesses() : m_impl(std::make_unique<Impl>()) {}

RankProcesses::~RankProcesses() { terminate(0); }

Status RankProcesses::start(const RankCommand& command) {
  constexpr TimeNs kLimitNs = 30'000'000'000;
  STAGELANE_TRY(pid,
                m_impl->forks.call<pid_t>("starting rank " + std::to_string(command.rank), kLimitNs,
                                          [command]() -> Result<pid_t> { return fork(command); }));
  m_impl->running[*pid] = command.rank;
  return {};
}

std::vector<RankEnd> RankProcesses::ended() {
  m_impl->collect();
  return m_impl->ends;
}

bool RankProcesses::wait(TimeNs limitNs, const StopCheck& stopped) {
  constexpr auto kPause = std::chrono::milliseconds(5);
  RunningTime waited;
  for (;;) {
    m_impl->collect();
    if (m_impl->running.empty()) return true;
    if (waited.elapsedNs() >= limitNs || (stopped && stopped())) return false;
    std::this_thread::sleep_for(kPause);
  }
}

void RankProcesses::terminate(TimeNs graceNs) {
  constexpr TimeNs kKillNs = 10'000'000'000;
  if (graceNs > 0) m_impl->signalAll(SIGTERM);
  if (wait(graceNs)) return;
  m_impl->signalAll(SIGKILL);
  (void)wait(kKillNs);  // one that hangs in the kernel is left to it
}

std::vector<pid_t> RankProcesses::running() const {
  std::vector<pid_t> pids;
  for (const auto& [pid, rank] : m_impl->running) pids.push_back(pid);
  return pids;
}

}  // namespace stagelane::run
