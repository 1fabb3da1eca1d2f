#pragma once

/// Stands in for what the desktop opens files with: an `xdg-open` that writes down what it was
/// given, first on the PATH of windows that are opened while it lives.

#include <QByteArray>
#include <QString>

namespace stagelane::gui {

class OpenerStub {
 public:
  /// Makes the program in @p folder.
  explicit OpenerStub(const QString& folder);
  ~OpenerStub();
  OpenerStub(const OpenerStub&) = delete;
  OpenerStub& operator=(const OpenerStub&) = delete;

  /// The path or address that was opened last; "" while none was.
  [[nodiscard]] QString opened() const;

 private:
  QByteArray m_path;  ///< as it was before
  QString m_seen;
};

}  // namespace stagelane::gui
