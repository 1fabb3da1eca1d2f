// stagelane: the window and the command line.

#include <exception>
#include <new>

#include "app/cli/command_line.h"
#include "app/terminal/console.h"
#include "app/window/pages.h"
#include "app/window/window.h"
#include "engine/base/files.h"

int main(int argc, char** argv) {
  stagelane::openStandardStreams();
  stagelane::ignoreWriteSignals();
  try {
    return stagelane::app::runCommandLine(argc, argv,
                                          {stagelane::app::runWindow, stagelane::app::pageNames()});
  } catch (const std::bad_alloc&) {
    return stagelane::app::printError(
        {stagelane::ErrorCode::OutOfMemory, "out of memory", "",
         "close other programs, or use a shorter trace or a smaller model"});
  } catch (const std::exception& problem) {
    return stagelane::app::printError(
        {stagelane::ErrorCode::EngineFailure, std::string("unexpected: ") + problem.what(), "",
         "this is a bug in Stagelane; report it with the command that you ran"});
  }
}
