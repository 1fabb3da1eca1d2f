// stagelane: the window, and the command line for everything that the window can do.

#include <exception>
#include <new>

#include "app/cli/command_line.h"
#include "app/terminal/console.h"
#include "app/window/pages.h"
#include "app/window/window.h"
#include "engine/base/files.h"

int main(int argc, char** argv) {
  stagelane::ignoreWriteSignals();
  try {
    return stagelane::app::runCommandLine(argc, argv,
                                          {stagelane::app::runWindow, stagelane::app::pageNames()});
  } catch (const std::bad_alloc&) {
    return stagelane::app::printError(
        {stagelane::ErrorCode::OutOfMemory, "there is not enough memory for this", "",
         "close other programs, or work with a shorter trace or a smaller model"});
  } catch (const std::exception& problem) {
    return stagelane::app::printError(
        {stagelane::ErrorCode::EngineFailure, std::string("unexpected: ") + problem.what(), "",
         "this is a defect of Stagelane; please report it with the command that you gave"});
  }
}
