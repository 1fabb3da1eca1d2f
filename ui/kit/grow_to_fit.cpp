#include "ui/kit/grow_to_fit.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLayout>
#include <algorithm>

namespace stagelane::ui {

void growToFit(QWidget& dialog) {
  // What was shown a moment ago inside a widget of the dialog is known to the layouts around it
  // only once they were told, one after the other.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  QLayout* layout = dialog.layout();
  layout->activate();
  const int width = std::max(dialog.width(), layout->totalMinimumSize().width());
  const int needed = layout->hasHeightForWidth() ? layout->totalHeightForWidth(width)
                                                 : layout->totalSizeHint().height();
  if (needed > dialog.height()) dialog.resize(width, needed);
}

}  // namespace stagelane::ui
