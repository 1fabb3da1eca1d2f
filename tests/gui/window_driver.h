#pragma once

/// Drives the real window as a user would: starts `stagelane`, observes it through the map of its
/// controls and its pixels, and sends mouse and key events through the X server. Never calls into
/// the program.

#include <QImage>
#include <QPoint>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>

#include "tests/gui/ui_map_file.h"

namespace stagelane::gui {

/// Arguments of the window's start. An empty page, size or theme is not passed: the window restores
/// the last one.
struct OpenOptions {
  QString
      file;  ///< experiment, preset or run folder; empty: what was open when the last one closed
  QString page = QStringLiteral("plan");
  QSize size{1280, 800};
  QString theme = QStringLiteral("light");
};

/// Modifiers and number of clicks.
struct ClickOptions {
  int button = 1;
  int times = 1;
  QString modifier;      ///< in xdotool's terms: `ctrl`, `shift`, `alt`
  double acrossX = 0.5;  ///< where in the control: 0 left, 1 right
  double acrossY = 0.5;
};

/// Keys held during a drag. Many window managers take Alt and the mouse for themselves unless the
/// button is pressed first.
struct PressOptions {
  QString before = {};  ///< held when the button is pressed
  QString after = {};   ///< held from then on
  int button = 1;       ///< 2 is the wheel, pressed
};

class WindowDriver {
 public:
  /// @p folder holds the workspace, the settings and the map; windows that share it share those,
  /// one after the other, or at once with a map each.
  explicit WindowDriver(const QString& folder, const QString& map = QStringLiteral("map.json"));
  ~WindowDriver();
  WindowDriver(const WindowDriver&) = delete;
  WindowDriver& operator=(const WindowDriver&) = delete;

  /// Starts the program and waits until its window is settled.
  [[nodiscard]] bool open(const OpenOptions& options);
  /// Ends the program. @returns what it wrote to standard error
  QString close();
  /// Closes the window as a user does, and waits for the end; false, with a test failure, if it
  /// stays open or prints an error.
  [[nodiscard]] bool quit();
  /// kill -9, like a crash; waits until its engines have ended.
  void kill();
  [[nodiscard]] bool isRunning() const;
  /// Brings the window in front of others.
  void activate() const;

  [[nodiscard]] UiMapFile map() const;
  /// Polls until the condition holds; false, with a test failure that shows the controls, if it
  /// does not hold in time.
  [[nodiscard]] bool waitFor(const QString& what, const Condition& condition,
                             int timeoutMs = kPatienceMs);
  [[nodiscard]] bool waitForText(const QString& name, const QString& part,
                                 int timeoutMs = kPatienceMs);
  [[nodiscard]] bool waitForControl(const QString& name, int timeoutMs = kPatienceMs);
  /// Waits until the control has the focus. A new dialog gets it only when the window manager has
  /// activated it.
  [[nodiscard]] bool waitForFocus(const QString& name, int timeoutMs = kPatienceMs);

  [[nodiscard]] bool click(const QString& name, const ClickOptions& options = {});
  void clickAt(const QPoint& at, const ClickOptions& options = {});
  /// Presses, moves in steps, and keeps the button down; release() releases it and the keys.
  void press(const QPoint& from, const QPoint& to, const PressOptions& options = {});
  void release();
  void moveTo(const QPoint& to);
  void key(const QString& keys);
  void type(const QString& text);
  /// Replaces the text of a field; enter() also confirms it with Return.
  [[nodiscard]] bool replaceText(const QString& field, const QString& text);
  [[nodiscard]] bool enter(const QString& field, const QString& text);
  /// Opens a combo box, types the entry's words, confirms, and waits until the box shows it.
  [[nodiscard]] bool choose(const QString& combo, const QString& entry);
  void wheel(const QPoint& at, int notches, const QString& modifier = {});
  /// Runs the command palette's first match for these letters.
  [[nodiscard]] bool doFromPalette(const QString& letters);

  /// The pixels of the window, from the X server.
  [[nodiscard]] QImage picture() const;
  /// Process ids of the live engines that this window has started.
  [[nodiscard]] QList<qint64> engines() const;
  /// Folders of runs in the workspace, oldest first.
  [[nodiscard]] QStringList runFolders() const;
  [[nodiscard]] QString folder() const { return m_folder; }
  [[nodiscard]] QProcessEnvironment environment() const;

  /// For a loaded machine: a passing test waits far less.
  static constexpr int kPatienceMs = 120000;

 private:
  static void xdotool(const QStringList& arguments);

  QString m_folder;
  QString m_mapPath;
  int m_pressed = 1;  ///< the button that press() pressed
  std::unique_ptr<QProcess> m_process;
};

/// build/shots/NAME.png, for debugging.
void keepPicture(const QImage& picture, const QString& name);

}  // namespace stagelane::gui
