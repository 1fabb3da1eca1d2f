#pragma once

/// Ctrl+Shift+P: every action of the program with its key, found by typing some of its letters. An
/// action that cannot be done now is listed grey. Keyboard only, or with the mouse.

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
  QString place;  ///< where it belongs: a page's title, "Examples"; may be empty
  QPointer<QAction> action;
  std::function<void()> reveal;  ///< before it is done: shows its page; may be empty
};

/// Property of an action: the key that a view takes for it by itself, in words.
inline constexpr const char* kViewKeys = "viewKeys";

/// What was found. In the map of controls a row has its action's name as its text, and its key as
/// its value.
class PaletteList final : public QListWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  using QListWidget::QListWidget;
  /// `palette.0`, `palette.1`, … from the top of the list, those that are in sight.
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
