#pragma once

/// Parts that a widget paints itself (chips, lanes, bars, actions) and that tests, scripts and
/// screen readers must find. Such widgets implement this.

#include <QList>
#include <QRect>
#include <QString>

namespace stagelane::ui {

struct VirtualControl {
  QString name;  ///< as in the UI map: `chip.layer3.0`, `lane.cpu:1`
  QString role;  ///< `chip`, `lane`, `bar`, …
  QString text;
  QString value;
  QRect rect;  ///< in the widget's coordinates
  bool enabled = true;
  bool selected = false;
  bool focused = false;  ///< keys act on this one while the widget has the focus
};

class VirtualControlSource {
 public:
  virtual ~VirtualControlSource() = default;
  [[nodiscard]] virtual QList<VirtualControl> virtualControls() const = 0;
};

}  // namespace stagelane::ui
