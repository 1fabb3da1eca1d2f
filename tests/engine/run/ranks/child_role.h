#pragma once

/// Real processes for tests of ranks: the test program starts itself again with a variable that
/// names a role, and does only that. (A fork alone would not do: the threads of the libraries are
/// missing in the child.)

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace stagelane::run {

/// A global of a test file: what a child with this role does instead of running tests.
class ChildRole final : public ::testing::Environment {
 public:
  static constexpr const char* kVariable = "STAGELANE_TEST_ROLE";

  ChildRole(std::string name, std::function<int()> body)
      : m_name(std::move(name)), m_body(std::move(body)) {
    // Google Test owns its environments, so it gets another object.
    ::testing::AddGlobalTestEnvironment(new ChildRole(*this));
  }
  void SetUp() override {
    const char* const role = std::getenv(kVariable);
    if (role != nullptr && m_name == role) ::_exit(m_body());
  }

 private:
  std::string m_name;
  std::function<int()> m_body;
};

/// A child that is killed at the end of the test.
class Child {
 public:
  /// `variables` are "NAME=value".
  explicit Child(const std::string& role, const std::vector<std::string>& variables = {}) {
    std::vector<std::string> texts;
    for (char** one = environ; *one != nullptr; ++one) texts.emplace_back(*one);
    for (const std::string& one : variables) texts.insert(texts.begin(), one);
    texts.insert(texts.begin(), std::string(ChildRole::kVariable) + "=" + role);
    std::vector<char*> environment;
    for (std::string& one : texts) environment.push_back(one.data());
    environment.push_back(nullptr);
    std::string program = "/proc/self/exe";
    char* arguments[] = {program.data(), nullptr};
    m_pid = ::fork();
    if (m_pid == 0) {
      ::execve(program.c_str(), arguments, environment.data());
      ::_exit(127);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (m_ended) return;
    ::kill(m_pid, SIGKILL);
    wait();
  }
  [[nodiscard]] pid_t pid() const { return m_pid; }
  void signal(int number) const { ::kill(m_pid, number); }
  /// Stops it, and waits until all its threads have stopped.
  void stop() const {
    ::kill(m_pid, SIGSTOP);
    ::waitpid(m_pid, nullptr, WUNTRACED);
  }
  /// The exit code, or 128 and the signal.
  int wait() {
    int status = 0;
    if (m_pid <= 0 || ::waitpid(m_pid, &status, 0) != m_pid) return -1;
    m_ended = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t m_pid = -1;
  bool m_ended = false;
};

}  // namespace stagelane::run
