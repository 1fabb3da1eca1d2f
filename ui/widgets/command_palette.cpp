#include "ui/widgets/command_palette.h"

#include <QKeyEvent>
#include <QVBoxLayout>

#include "ui/widgets/look.h"

namespace stagelane::ui {

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent), m_search(new QLineEdit(this)), m_list(new QListWidget(this)) {
  setWindowTitle(tr("Search actions"));
  setObjectName(QStringLiteral("commandPalette"));
  setNames(m_search, QStringLiteral("paletteSearch"), tr("Search actions"));
  setNames(m_list, QStringLiteral("paletteList"), tr("Actions"));
  m_search->setPlaceholderText(tr("Search actions"));
  m_list->setFrameShape(QFrame::NoFrame);
  for (QAction* action : actions) {
    if (!action->text().isEmpty() && action->isEnabled()) {
      m_actions.append(action);
    }
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->addWidget(m_search);
  layout->addWidget(m_list);
  resize(460, 420);
  m_search->installEventFilter(this);
  connect(m_search, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(m_list, &QListWidget::itemActivated, this, [this] { accept(); });
  filter({});
}

void CommandPalette::filter(const QString& text) {
  m_list->clear();
  for (qsizetype at = 0; at < m_actions.size(); ++at) {
    const QAction* action = m_actions[at];
    QString name = action->text();
    name.remove(QLatin1Char('&'));
    if (!name.contains(text, Qt::CaseInsensitive)) {
      continue;
    }
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    auto* item = new QListWidgetItem(
        keys.isEmpty() ? name : QStringLiteral("%1    %2").arg(name, keys), m_list);
    item->setData(Qt::UserRole, static_cast<int>(at));
  }
  m_list->setCurrentRow(0);
}

void CommandPalette::accept() {
  const QListWidgetItem* item = m_list->currentItem();
  QAction* action = item == nullptr ? nullptr : m_actions[item->data(Qt::UserRole).toInt()];
  QDialog::accept();
  if (action != nullptr) {
    action->trigger();
  }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_search && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
      const int row = m_list->currentRow() + (key == Qt::Key_Down ? 1 : -1);
      m_list->setCurrentRow(qBound(0, row, m_list->count() - 1));
      return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      accept();
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace stagelane::ui
