#pragma once

/// A copy of an experiment for the engine, in a temporary folder that is deleted with the object.

#include <filesystem>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

class EngineInput {
 public:
  EngineInput() = default;
  ~EngineInput();
  EngineInput(const EngineInput&) = delete;
  EngineInput& operator=(const EngineInput&) = delete;

  /// @errors CannotWrite
  [[nodiscard]] Status write(const Json& document);
  [[nodiscard]] std::filesystem::path path() const { return m_folder / "experiment.json"; }
  /// The stages and orders of an experiment, for the same engine. @errors CannotWrite
  [[nodiscard]] Status writePlan(const Json& plan);
  [[nodiscard]] std::filesystem::path plan() const { return m_folder / "plan.json"; }
  /// Folder for other files of the same engine. @pre written
  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

 private:
  Status makeFolder();
  std::filesystem::path m_folder;
};

}  // namespace stagelane::app
