#include "ui/widgets/grow_to_fit.h"

#include <QLayout>
#include <algorithm>

namespace stagelane::ui {

void growToFit(QWidget& dialog) {
  QLayout* layout = dialog.layout();
  layout->activate();
  const int width = std::max(dialog.width(), layout->totalMinimumSize().width());
  const int needed = layout->hasHeightForWidth() ? layout->totalHeightForWidth(width)
                                                 : layout->totalSizeHint().height();
  if (needed > dialog.height()) {
    dialog.resize(width, needed);
  }
}

}  // namespace stagelane::ui
