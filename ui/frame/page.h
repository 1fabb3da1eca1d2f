#pragma once

/// One page of the window: a self-contained widget on the shared session. The shell creates a page
/// when it is first shown, so a page must draw the session's current state in `setSession`.

#include <QAction>
#include <QList>
#include <QString>
#include <QWidget>
#include <functional>

namespace stagelane::ui {

class Session;

class Page : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  /// Called once, after construction; the session outlives the page.
  virtual void setSession(Session* session) = 0;
  /// Actions for the command palette (and their shortcuts); owned by the page.
  [[nodiscard]] virtual QList<QAction*> pageActions() const { return {}; }
  /// A widget for the right side of the status bar while the page is shown (a legend); may be null.
  [[nodiscard]] virtual QWidget* statusWidget() { return nullptr; }
  /// A page fills its area; computing its height for other widths takes milliseconds per edit.
  [[nodiscard]] bool hasHeightForWidth() const override { return false; }
  /// Undoes the last change on this page that is not an edit of the experiment; returns false if
  /// there is none, so that Ctrl+Z applies to the experiment.
  virtual bool undo() { return false; }
  /// True while the page computes its content: `--shot` waits for the end.
  [[nodiscard]] virtual bool busy() const { return false; }
};

/// Registers a page with the shell. The page's widget gets the objectName `page.NAME`.
struct PageEntry {
  QString name;   ///< `timeline`: for `--page` and the UI map
  QString title;  ///< `Timeline`: under the rail's icon
  QString icon;   ///< id in resources/icons/icons.svg
  Qt::Key key;    ///< shortcut with Ctrl
  std::function<Page*(QWidget* parent)> make;
};

}  // namespace stagelane::ui
