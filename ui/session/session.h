#pragma once

/// Holds what the pages share, a class for each subject with signals of its own. It only puts them
/// together: include the header of what you use, and take that instead of the session where one
/// part is enough. Like a pointer, a const session gives parts that may be changed.

#include <memory>

namespace stagelane::ui {

class Calibration;
class Costs;
class CurrentLegend;
class CurrentSweep;
class CurrentTheme;
class ExperimentDocument;
class FileChange;
class Loading;
class Machine;
class MeasuredResults;
class PageRequests;
class Predictor;
class RunFolders;
class RunRequests;
class RunState;
class TraceFile;
class UnsavedWorkOffer;
class VariantSelection;

class Session final {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // What is edited
  [[nodiscard]] ExperimentDocument& document() const;
  [[nodiscard]] FileChange& fileChange() const;
  [[nodiscard]] UnsavedWorkOffer& unsaved() const;
  [[nodiscard]] VariantSelection& selection() const;
  // What it will cost
  [[nodiscard]] Costs& costs() const;
  [[nodiscard]] Calibration& calibration() const;
  [[nodiscard]] Predictor& predictor() const;
  [[nodiscard]] Machine& machine() const;
  // What is run and was measured
  [[nodiscard]] RunState& runState() const;
  [[nodiscard]] RunRequests& runRequests() const;
  [[nodiscard]] RunFolders& runFolders() const;
  [[nodiscard]] MeasuredResults& results() const;
  [[nodiscard]] CurrentSweep& sweep() const;
  [[nodiscard]] TraceFile& traceFile() const;
  [[nodiscard]] Loading& loading() const;
  // How it is shown
  [[nodiscard]] CurrentTheme* currentTheme() const;
  [[nodiscard]] CurrentLegend& legend() const;
  [[nodiscard]] PageRequests& pages() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace stagelane::ui
