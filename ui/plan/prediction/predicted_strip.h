#pragma once

/// The predicted step of the plan, compact: per device its actions, copies, memory if there is
/// room, and idle causes. A ghost above the actions shows the current plan during a drag, else the
/// last measurement. The strip shows the effect of an edit; the Timeline page is for studying a
/// step.

#include <QWidget>
#include <map>
#include <vector>

#include "ui/kit/virtual_controls.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/prediction/predicted_tracks.h"
#include "ui/session/run/measured_marks.h"

namespace stagelane::ui {

class PredictedStrip final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit PredictedStrip(PlanModel* model, QWidget* parent = nullptr);
  /// `predictedMemory.DEVICE` with its peak and budget, `predictedCopies.DEVICE`.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void refresh();
  /// Where the names of devices and rows end.
  [[nodiscard]] qreal headerRight() const;
  [[nodiscard]] StripScale scale() const;
  [[nodiscard]] qreal deviceHeight() const;
  [[nodiscard]] qreal deviceTop(int device) const;
  [[nodiscard]] QRectF actionTrack(const StripScale& scale, int lane) const;
  [[nodiscard]] QRectF copyTrack(const StripScale& scale, int lane) const;
  [[nodiscard]] QRectF memoryTrack(const StripScale& scale, int lane) const;
  /// The row of a group of several devices with the sums of its gradients, below its last device.
  [[nodiscard]] QRectF reduceTrack(const StripScale& scale, const ReplicaBracket& group) const;
  /// Whether the group has such a row; of a single device they are beside its copies.
  [[nodiscard]] static bool hasReduceRow(const ReplicaBracket& group);
  /// The group with such a row that the lane is in; null for none.
  [[nodiscard]] const ReplicaBracket* reduceGroupOf(int lane) const;
  /// Rows of the prediction that the group's devices have.
  [[nodiscard]] static std::vector<int> rowsOf(const PlanModel& model,
                                               const PlanPrediction& prediction,
                                               const ReplicaBracket& group);
  void paintHeading(QPainter& painter) const;
  void paintRuler(QPainter& painter, const StripScale& scale) const;
  void paintDevice(QPainter& painter, const StripScale& scale, int lane) const;
  void paintGhost(QPainter& painter, const StripScale& scale, int lane) const;
  void paintTracks(QPainter& painter, const StripScale& scale, int lane,
                   const PredictedDevice& figures) const;
  void paintGroups(QPainter& painter, const StripScale& scale) const;
  void paintMeasuredEnd(QPainter& painter, const StripScale& scale) const;
  void refreshMeasured();
  /// What is at a place of the widget.
  [[nodiscard]] QString tipAt(const PlanPrediction& shown, const QPoint& at) const;
  /// The height of all rows of groups.
  [[nodiscard]] static qreal reduceRows(const PlanModel& model);
  [[nodiscard]] CopyRow copyRowOf(int lane) const;
  /// Height of a device's memory row; 0 if there is no room.
  [[nodiscard]] qreal memoryHeight() const;

  PlanModel* m_model;
  int m_neededHeight = 0;                                      ///< last reported to the layout
  std::map<DeviceId, std::vector<MeasuredAction>> m_measured;  ///< median step of the last run
};

}  // namespace stagelane::ui
