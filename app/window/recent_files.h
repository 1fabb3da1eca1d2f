#pragma once

/// Recently opened or saved files and run folders, in the settings that all windows share.

#include <QSettings>
#include <QString>
#include <QStringList>

namespace stagelane::app {

class RecentFiles {
 public:
  static constexpr qsizetype kMost = 8;

  RecentFiles();
  /// Existing files only, newest first.
  [[nodiscard]] QStringList paths();
  void add(const QString& path);

 private:
  QSettings m_settings;
};

}  // namespace stagelane::app
