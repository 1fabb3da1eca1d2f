#pragma once

/// The right side of the Plan page: predicted step time, speed-up, idle share and peak memory per
/// device, and the last run's measurements. During a drag it shows the plan after the drop and the
/// differences.

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>
#include <utility>
#include <vector>

#include "ui/kit/badge.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/prediction/gauge_bar.h"
#include "ui/plan/prediction/idle_bar.h"
#include "ui/plan/prediction/suggestion_panel.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

class AllReduceSection;

class PlanInspector final : public QWidget {
  Q_OBJECT

 public:
  explicit PlanInspector(PlanModel* plan, QWidget* parent = nullptr);

  [[nodiscard]] const SuggestionPanel& suggestions() const { return *m_suggestions; }

 Q_SIGNALS:
  void restoreRequested();

 private:
  struct DeviceRow {
    QLabel* name = nullptr;
    QLabel* share = nullptr;
    QLabel* measuredShare = nullptr;
    IdleBar* idle = nullptr;
    QLabel* peakName = nullptr;
    GaugeBar* peakBar = nullptr;
    QLabel* peak = nullptr;
    QLabel* measuredPeak = nullptr;
  };
  void build();
  void buildHead();
  void buildStepTime();
  void buildSpeedup();
  void buildDeviceRows();
  void buildDevices();
  void addDevice(const DeviceId& device);
  void refresh();
  void showDimmed(bool dimmed);
  void showBasis(const PlanPrediction* shown, bool previewing);
  void refreshStep(const PlanPrediction* shown, const PlanPrediction* now);
  void refreshSpeedup(const PlanPrediction* shown, const PlanPrediction* now);
  void refreshDevices(const PlanPrediction* shown, const PlanPrediction* now);
  void refreshPeak(DeviceRow& row, const PredictedDevice* after, const PredictedDevice* before,
                   predict::Basis basis);
  void refreshPeakSource();
  void refreshMeasured();
  void refreshMeasuredFigures();
  void refreshGradients();
  void refreshLegend();
  [[nodiscard]] std::vector<std::pair<double, QColor>> partsOf(const PredictedDevice& device) const;
  QLabel* heading(const QString& text);
  QLabel* line(const QString& look);

  PlanModel* m_plan;
  QVBoxLayout* m_layout;
  QVBoxLayout* m_idleRows = nullptr;
  QVBoxLayout* m_peakRows = nullptr;
  QLabel* m_name = nullptr;
  Badge* m_badge = nullptr;
  QLabel* m_problem = nullptr;
  QLabel* m_stepTime = nullptr;
  QLabel* m_change = nullptr;
  QLabel* m_known = nullptr;
  QLabel* m_was = nullptr;
  QLabel* m_measured = nullptr;
  QPushButton* m_restore = nullptr;
  QLabel* m_speedup = nullptr;
  QLabel* m_bound = nullptr;
  GaugeBar* m_speedupBar = nullptr;
  QLabel* m_base = nullptr;
  QLabel* m_measuredSpeedup = nullptr;
  QLabel* m_gradientHeading = nullptr;
  Badge* m_gradient = nullptr;
  QLabel* m_memoryLegend = nullptr;
  QLabel* m_peakSource = nullptr;
  AllReduceSection* m_allReduce = nullptr;
  SuggestionPanel* m_suggestions = nullptr;
  std::vector<DeviceRow> m_devices;
  std::vector<DeviceId> m_deviceIds;
};

}  // namespace stagelane::ui
