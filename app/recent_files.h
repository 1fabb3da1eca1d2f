#pragma once

/// The files and run folders that were opened or saved last, kept in the settings of the window.

#include <QSettings>
#include <QString>
#include <QStringList>

namespace stagelane::app {

class RecentFiles {
 public:
  static constexpr qsizetype kMost = 8;

  RecentFiles();
  /// What exists still, newest first.
  [[nodiscard]] QStringList paths() const;
  void add(const QString& path);

 private:
  QSettings m_settings;
};

}  // namespace stagelane::app
