#pragma once

/// The state that pages share, one class with its own signals per subject. Include the header of
/// what you use, and take that class instead of the session where one is enough. Like a pointer, a
/// const session returns mutable parts.

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

  // Editing
  [[nodiscard]] ExperimentDocument& document() const;
  [[nodiscard]] FileChange& fileChange() const;
  [[nodiscard]] UnsavedWorkOffer& unsaved() const;
  [[nodiscard]] VariantSelection& selection() const;
  // Predicted costs
  [[nodiscard]] Costs& costs() const;
  [[nodiscard]] Calibration& calibration() const;
  [[nodiscard]] Predictor& predictor() const;
  [[nodiscard]] Machine& machine() const;
  // Runs and measurements
  [[nodiscard]] RunState& runState() const;
  [[nodiscard]] RunRequests& runRequests() const;
  [[nodiscard]] RunFolders& runFolders() const;
  [[nodiscard]] MeasuredResults& results() const;
  [[nodiscard]] CurrentSweep& sweep() const;
  [[nodiscard]] TraceFile& traceFile() const;
  [[nodiscard]] Loading& loading() const;
  // Display
  [[nodiscard]] CurrentTheme* currentTheme() const;
  [[nodiscard]] CurrentLegend& legend() const;
  [[nodiscard]] PageRequests& pages() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace stagelane::ui
