#include "ui/session/document/file_change.h"

namespace stagelane::ui {

void FileChange::setFound(bool found) {
  if (found != m_found) {
    m_found = found;
    Q_EMIT changed();
  }
}

}  // namespace stagelane::ui
