#pragma once

/// The legend entries that are hidden on all pages.

#include <QObject>

#include "ui/session/legend_filter.h"

namespace stagelane::ui {

class CurrentLegend final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] const LegendFilter& filter() const { return m_filter; }
  void set(const LegendFilter& filter) {
    if (filter != m_filter) {
      m_filter = filter;
      Q_EMIT changed();
    }
  }

 Q_SIGNALS:
  void changed();

 private:
  LegendFilter m_filter;
};

}  // namespace stagelane::ui
