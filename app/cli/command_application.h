#pragma once

/// The QCoreApplication that a command needs for processes, timers and paths. It gets no arguments
/// because they are already parsed.

#include <QCoreApplication>
#include <array>
#include <clocale>
#include <string>

namespace stagelane::app {

class CommandApplication {
 public:
  CommandApplication() : m_application(m_count, m_arguments.data()) {
    std::setlocale(LC_NUMERIC, "C");  // QCoreApplication took the system's
  }
  CommandApplication(const CommandApplication&) = delete;
  CommandApplication& operator=(const CommandApplication&) = delete;

 private:
  int m_count = 1;
  std::string m_name = "stagelane";
  std::array<char*, 2> m_arguments{m_name.data(), nullptr};
  QCoreApplication m_application;  ///< keeps references to the others
};

}  // namespace stagelane::app
