#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "engine/run/hogwild/crew.h"
#include "engine/run/hogwild/futex.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

constexpr TimeNs kGraceNs = 500'000'000;
constexpr useconds_t kSliceUs = 2'000;
constexpr int kNotStarted = 127;

/// The life of a child up to its program. Other threads of the parent may have held locks during
/// the fork, so only calls that a signal handler could make are allowed here.
[[noreturn]] void becomeWorker(const char* program, char* const* arguments, int memory,
                               pid_t parent) {
  // Sent when the thread ends that forked. If it has ended before this call, nobody sends it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  // A Ctrl-C is for the parent, which ends its workers at an update.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);
  // Standard output has the events; other descriptors are locked files of the run.
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  ::fcntl(memory, F_SETFD, 0);
  ::execv(program, arguments);
  ::_exit(kNotStarted);
}

std::string endOf(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return code == kNotStarted ? "could not start its program"
                             : "ended early with exit code " + std::to_string(code);
}

class ProcessCrew final : public Crew {
 public:
  ProcessCrew(std::string program, std::shared_ptr<SharedState> shared)
      : m_program(std::move(program)), m_shared(std::move(shared)) {}
  ~ProcessCrew() override { end(); }
  ProcessCrew(const ProcessCrew&) = delete;
  ProcessCrew& operator=(const ProcessCrew&) = delete;

  [[nodiscard]] Status start();
  [[nodiscard]] std::optional<LostWorker> lost() override;
  void end() override;
  [[nodiscard]] std::string nameOf(int process) const override {
    return "process " + std::to_string(process) + " (pid " +
           std::to_string(m_pids[static_cast<std::size_t>(process)]) + ")";
  }

 private:
  [[nodiscard]] bool reap(int options);

  std::string m_program;
  std::shared_ptr<SharedState> m_shared;
  std::vector<pid_t> m_pids;
  std::vector<bool> m_reaped;
};

Status ProcessCrew::start() {
  const pid_t parent = ::getpid();
  const int memory = m_shared->descriptor();
  for (int process = 0; process < m_shared->header().processes; ++process) {
    std::array<std::string, 5> words{"stagelane-engine", "hogwild-worker", std::to_string(memory),
                                     std::to_string(process), std::to_string(parent)};
    std::array<char*, words.size() + 1> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
    const pid_t pid = ::fork();
    if (pid == 0) becomeWorker(m_program.c_str(), arguments.data(), memory, parent);
    if (pid < 0) {
      return fail(ErrorCode::EngineFailure,
                  "cannot start process " + std::to_string(process) + " of " +
                      std::to_string(m_shared->header().processes) + ": " + std::strerror(errno),
                  "", "use fewer processes");
    }
    m_pids.push_back(pid);
    m_reaped.push_back(false);
  }
  return {};
}

std::optional<LostWorker> ProcessCrew::lost() {
  for (std::size_t i = 0; i < m_pids.size(); ++i) {
    int status = 0;
    if (m_reaped[i] || ::waitpid(m_pids[i], &status, WNOHANG) != m_pids[i]) continue;
    m_reaped[i] = true;
    return LostWorker{static_cast<int>(i), endOf(status)};
  }
  return std::nullopt;
}

/// Whether all have ended.
bool ProcessCrew::reap(int options) {
  bool all = true;
  for (std::size_t i = 0; i < m_pids.size(); ++i) {
    if (m_reaped[i]) continue;
    pid_t ended = 0;
    do {
      ended = ::waitpid(m_pids[i], nullptr, options);
    } while (ended < 0 && errno == EINTR);
    m_reaped[i] = ended != 0;
    all = all && m_reaped[i];
  }
  return all;
}

void ProcessCrew::end() {
  tellToQuit(m_shared->header());
  const TimeNs startNs = trace::monotonicNs();
  while (!reap(WNOHANG)) {
    if (trace::monotonicNs() - startNs > kGraceNs) break;
    ::usleep(kSliceUs);
  }
  for (std::size_t i = 0; i < m_pids.size(); ++i) {
    if (!m_reaped[i]) ::kill(m_pids[i], SIGKILL);
  }
  static_cast<void>(reap(0));
}

}  // namespace

void tellToQuit(SharedHeader& header) {
  header.stop.store(true);
  header.quit.store(true);
  // The words only have to differ from those that workers wait for.
  header.go.fetch_add(1);
  wakeAll(header.go);
  wakeAll(header.round);
}

Result<std::unique_ptr<Crew>> startProcesses(const std::string& program,
                                             const std::shared_ptr<SharedState>& shared) {
  auto crew = std::make_unique<ProcessCrew>(program, shared);
  STAGELANE_CHECK(crew->start());
  return crew;
}

}  // namespace stagelane::run
