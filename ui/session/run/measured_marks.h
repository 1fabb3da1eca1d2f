#pragma once

/// What the last run measured of a variant, as marks beside its predicted figures. They stay when
/// the plan is edited, and then say of how many edits ago they are.

#include <QString>
#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "engine/model/model.h"
#include "engine/trace/trace.h"

namespace stagelane::ui {

class Session;

struct MeasuredDevice {
  DeviceId id;
  double busyShare = 0.0;  ///< of the step
  Bytes peakBytes = 0;     ///< 0: not known
};

struct MeasuredMarks {
  TimeNs stepNs = 0;  ///< median
  std::optional<double> speedup;
  std::vector<MeasuredDevice> devices;
  bool ofThisPlan = true;               ///< else of the plan as it was
  int editsAgo = 0;                     ///< 0: of a run before the last one, not counted
  std::vector<DeviceId> deviceOfBlock;  ///< where the blocks were; empty where that is not known
  [[nodiscard]] const MeasuredDevice* device(const DeviceId& id) const;
  /// Where the measured plan was cut: the first block behind a boundary for each of them.
  [[nodiscard]] std::vector<std::size_t> cuts() const;
  /// "measured", "measured 3 edits ago".
  [[nodiscard]] QString when() const;
};

/// Nothing where the variant was not measured in the last run. `model` is the document's.
[[nodiscard]] std::optional<MeasuredMarks> measuredMarks(const Session& session,
                                                         const QString& variantId,
                                                         const model::Model& model);

/// What a device did in the median step of a measured trace, from the step's start.
struct MeasuredAction {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  trace::Category category = trace::Category::Other;
};
/// Compute actions in the order of the trace; none where the trace has no such device or no step.
[[nodiscard]] std::vector<MeasuredAction> measuredActions(const trace::Trace& trace,
                                                          const DeviceId& device);

}  // namespace stagelane::ui
