#pragma once

/// Figures of the shown plan: memory parts, ranges of the peaks, bytes across cuts, tied blocks,
/// and the last run's measurements.

#include <QObject>
#include <QString>
#include <cstddef>
#include <optional>

#include "ui/plan/plan_model/memory_parts.h"
#include "ui/plan/plan_model/plan_selection.h"
#include "ui/session/prediction/peak_range.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/run/measured_marks.h"

namespace stagelane::ui {

class PlanModel;

class PlanFigures final : public QObject {
  Q_OBJECT

 public:
  /// @pre `plan` outlives this
  explicit PlanFigures(const PlanModel* plan, QObject* parent = nullptr);

  /// The last run's measurements of the shown variant.
  [[nodiscard]] const std::optional<MeasuredMarks>& measured() const { return m_measured; }
  void followPlan();
  /// What fills a device's memory at the peak.
  [[nodiscard]] MemoryParts memoryOf(const PredictedDevice& device) const;
  /// The largest end of an error bar: the full width of a gauge without a budget. At least 1.
  [[nodiscard]] Bytes largestPeak() const;
  /// Range of that peak, as far as known.
  [[nodiscard]] PeakRange peakRange(const DeviceId& device) const;
  /// "fc is tied to embed, gradients are summed across devices"; empty if none of the blocks is
  /// tied.
  [[nodiscard]] QString tiedText(const BlockSet& blocks) const;
  /// The block on another device that shares a parameter with this one; empty for none.
  [[nodiscard]] QString tiedAcrossDevices(std::size_t block) const;
  /// Whether gradients return across the cuts.
  [[nodiscard]] bool trains() const;
  /// Logical bytes that a step sends across the cut before `block`; in training, both ways.
  [[nodiscard]] Bytes cutBytes(std::size_t block) const;

 Q_SIGNALS:
  void measuredChanged();

 private:
  const PlanModel* m_plan;
  std::optional<MeasuredMarks> m_measured;
};

}  // namespace stagelane::ui
