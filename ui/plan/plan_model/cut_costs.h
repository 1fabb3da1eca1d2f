#pragma once

/// "Step time by cut" of the shown plan. The curve is computed in another thread shortly after the
/// last edit; until then the previous curve stays, marked stale.

#include <QObject>
#include <QTimer>

#include "ui/kit/latest_job.h"
#include "ui/session/prediction/cut_curve.h"

namespace stagelane::ui {

class PlanModel;

class CutCosts final : public QObject {
  Q_OBJECT

 public:
  /// @pre `plan` outlives this
  explicit CutCosts(const PlanModel* plan, QObject* parent = nullptr);

  [[nodiscard]] const CutCurve& curve() const { return m_curve; }
  [[nodiscard]] bool stale() const { return m_stale; }
  [[nodiscard]] bool busy() const { return m_job.running() || m_delay.isActive(); }
  /// The plan changed, or its costs did.
  void followPlan();
  void clear() { m_curve.clear(); }

 Q_SIGNALS:
  void changed();

 private:
  void start();

  const PlanModel* m_plan;
  LatestJob m_job;
  QTimer m_delay;
  CutCurve m_curve;
  bool m_stale = false;
};

}  // namespace stagelane::ui
