#pragma once

/// One page of the window: a widget that reads the shared session and owns itself. The shell makes
/// a page when it is first shown, so a page must draw the session's present state when it gets it.

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

  /// Called once, right after construction; the session outlives the page.
  virtual void setSession(Session* session) = 0;
  /// Actions for the command palette (and their shortcuts); owned by the page.
  [[nodiscard]] virtual QList<QAction*> pageActions() const { return {}; }
  /// A widget for the right side of the status bar while the page is shown (a legend); may be null.
  [[nodiscard]] virtual QWidget* statusWidget() { return nullptr; }
  /// A page takes the room that there is: what its labels would need at other widths is nobody's
  /// question, and to ask it at every edit takes milliseconds.
  [[nodiscard]] bool hasHeightForWidth() const override { return false; }
  /// Takes back what was last done on this page beside the experiment; false where there is nothing
  /// of that kind, and Ctrl+Z is the experiment's.
  virtual bool undo() { return false; }
  /// True while the page computes what it shows: `--shot` waits for this to end.
  [[nodiscard]] virtual bool busy() const { return false; }
};

/// How a page is announced to the shell. The page's widget gets the objectName `page.NAME`.
struct PageEntry {
  QString name;   ///< `timeline`: for `--page` and the UI map
  QString title;  ///< `Timeline`: under the rail's icon
  QString icon;   ///< id in resources/icons/icons.svg
  Qt::Key key;    ///< shows it, with Ctrl
  std::function<Page*(QWidget* parent)> make;
};

}  // namespace stagelane::ui
