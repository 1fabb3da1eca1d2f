#pragma once

/// Ctrl+Shift+P: every action of the program with its key, found by typing some of its letters.
/// Unavailable actions are gray. Works with the keyboard alone or with the mouse.

#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <functional>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/kit/virtual_controls.h"

namespace stagelane::ui {

struct PaletteEntry {
  QString place;  ///< the action's page, or "Examples"; may be empty
  QPointer<QAction> action;
  std::function<void()> reveal;  ///< shows the action's page first; may be empty
};

/// Property of an action: a key that a view handles itself, as text.
inline constexpr const char* kViewKeys = "viewKeys";

/// The search results. In the UI map a row's text is its action's name, and its value the key.
class PaletteList final : public QListWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  using QListWidget::QListWidget;
  /// The visible rows `palette.0`, `palette.1`, … from the top of the list.
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;
};

class CommandPalette final : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(std::vector<PaletteEntry> entries, const Theme& theme, QWidget* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& text);
  void moveBy(int rows);
  void accept() override;

  std::vector<PaletteEntry> m_entries;
  QLineEdit* m_search;
  PaletteList* m_list;
  QLabel* m_count;
};

}  // namespace stagelane::ui
