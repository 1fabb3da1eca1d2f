#pragma once

/// The file that `stagelane --ui-map MAP.json --stay` keeps up to date, as the tests read it: the
/// controls on the screen and their places. Uses none of the program's classes.

#include <QList>
#include <QRect>
#include <QSize>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>

namespace stagelane::gui {

struct Control {
  QString name;
  QString role;
  QString text;
  QString value;
  bool enabled = false;
  QRect rect;      ///< on the screen, in pixels
  QString dialog;  ///< that contains it; "" for the window itself
};

struct UiMapFile {
  QSize size;
  QString page;
  QString focus;  ///< the control with the focus; "" for none
  QList<Control> controls;

  /// Nullopt if the file does not exist. An invalid file is an empty map.
  [[nodiscard]] static std::optional<UiMapFile> read(const QString& path);

  /// Of a map's text, read or made.
  [[nodiscard]] static UiMapFile parse(const QByteArray& text);

  /// Null if no control of that name is shown. Painted parts and widgets can have the same name.
  [[nodiscard]] const Control* find(const QString& name) const;
  /// "" if the control is not shown.
  [[nodiscard]] QString textOf(const QString& name) const;
  [[nodiscard]] QString valueOf(const QString& name) const;
  [[nodiscard]] bool isEnabled(const QString& name) const;
  [[nodiscard]] QStringList namesThatBegin(const QString& prefix) const;
  /// One line a control, for the message of a test that failed.
  [[nodiscard]] QString describe() const;
};

using Condition = std::function<bool(const UiMapFile&)>;

}  // namespace stagelane::gui
