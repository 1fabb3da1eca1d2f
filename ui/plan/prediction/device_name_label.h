#pragma once

/// The name of a device in a narrow list.

#include "engine/base/ids.h"

class QLabel;
class QWidget;

namespace stagelane::ui {

/// Elides a long name, such as one with a host, which would widen the list. Owned by `parent`.
[[nodiscard]] QLabel* deviceNameLabel(const DeviceId& device, QWidget* parent);

}  // namespace stagelane::ui
