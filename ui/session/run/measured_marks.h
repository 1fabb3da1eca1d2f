#pragma once

/// The last run's measurements of a variant, as marks beside its predicted figures. After edits the
/// marks stay and state how many edits ago they were measured.

#include <QString>
#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "engine/model/model.h"
#include "engine/trace/trace.h"

namespace stagelane::ui {

class ExperimentDocument;
class MeasuredResults;

struct MeasuredDevice {
  DeviceId id;
  double busyShare = 0.0;  ///< of the step
  Bytes peakBytes = 0;     ///< 0: unknown
};

struct MeasuredMarks {
  TimeNs stepNs = 0;  ///< median
  std::optional<double> speedup;
  std::vector<MeasuredDevice> devices;
  bool ofThisPlan = true;               ///< else of an earlier plan
  int editsAgo = 0;                     ///< 0: of a run before the last one, not counted
  std::vector<DeviceId> deviceOfBlock;  ///< device of each block; empty if unknown
  [[nodiscard]] const MeasuredDevice* device(const DeviceId& id) const;
  /// The cuts of the measured plan: the first block after each boundary.
  [[nodiscard]] std::vector<std::size_t> cuts() const;
  /// "measured", "measured 3 edits ago".
  [[nodiscard]] QString when() const;
};

/// Nothing if the last run did not measure the variant. `model` is the document's.
[[nodiscard]] std::optional<MeasuredMarks> measuredMarks(const MeasuredResults& results,
                                                         const ExperimentDocument& document,
                                                         const QString& variantId,
                                                         const model::Model& model);

/// A device's action in the median step of a measured trace, relative to the step's start.
struct MeasuredAction {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  trace::Category category = trace::Category::Other;
};
/// Compute actions in trace order; empty if the trace lacks the device or has no step.
[[nodiscard]] std::vector<MeasuredAction> measuredActions(const trace::Trace& trace,
                                                          const DeviceId& device);

}  // namespace stagelane::ui
