#pragma once

/// The files and run folders that were opened or saved last, kept in the settings that all
/// windows share.

#include <QSettings>
#include <QString>
#include <QStringList>

namespace stagelane::app {

class RecentFiles {
 public:
  static constexpr qsizetype kMost = 8;

  RecentFiles();
  /// What exists still, newest first.
  [[nodiscard]] QStringList paths();
  void add(const QString& path);

 private:
  QSettings m_settings;
};

}  // namespace stagelane::app
