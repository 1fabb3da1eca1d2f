#pragma once

/// Replaces the desktop's program for opening files: an `xdg-open` that records its argument, first
/// on the PATH of windows that are opened while the object lives.

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

  /// The path or address that was opened last; "" for none.
  [[nodiscard]] QString opened() const;

 private:
  QByteArray m_path;  ///< as it was before
  QString m_seen;
};

}  // namespace stagelane::gui
