#include "ui/kit/grow_to_fit.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLayout>
#include <algorithm>

namespace stagelane::ui {

void growToFit(QWidget& dialog) {
  // Nested layouts account for newly shown widgets only after their pending layout requests.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  QLayout* layout = dialog.layout();
  layout->activate();
  const int width = std::max(dialog.width(), layout->totalMinimumSize().width());
  const int needed = layout->hasHeightForWidth() ? layout->totalHeightForWidth(width)
                                                 : layout->totalSizeHint().height();
  if (needed > dialog.height()) dialog.resize(width, needed);
}

}  // namespace stagelane::ui
