#pragma once

/// The command line of `stagelane`: finds the command, runs it, turns every outcome into an exit
/// code of the contract. Without a command it opens the window.

namespace stagelane::app {

/// @returns the exit code of the program. @thread main
[[nodiscard]] int runCommandLine(int argc, char** argv);

}  // namespace stagelane::app
