#include "ui/plan/prediction/device_name_label.h"

#include "ui/kit/elided_label.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

QLabel* deviceNameLabel(const DeviceId& device, QWidget* parent) {
  constexpr int kMostWidth = 140;
  auto* label = new ElidedLabel(parent, Qt::ElideMiddle);
  label->setText(qstring(device.value));
  label->setToolTip(qstring(device.value));
  label->setMinimumWidth(1);
  label->setMaximumWidth(kMostWidth);
  return label;
}

}  // namespace stagelane::ui
