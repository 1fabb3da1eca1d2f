#include "tests/gui/opener_stub.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QUrl>

namespace stagelane::gui {

OpenerStub::OpenerStub(const QString& folder)
    : m_path(qgetenv("PATH")), m_seen(folder + QStringLiteral("/opened.txt")) {
  const QString programs = folder + QStringLiteral("/programs");
  QDir().mkpath(programs);
  QFile opener(programs + QStringLiteral("/xdg-open"));
  EXPECT_TRUE(opener.open(QIODevice::WriteOnly));
  opener.write(QStringLiteral("#!/bin/sh\necho \"$1\" > '%1.part' && mv '%1.part' '%1'\n")
                   .arg(m_seen)
                   .toUtf8());
  opener.close();
  opener.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  qputenv("PATH", programs.toUtf8() + ":" + m_path);
}

OpenerStub::~OpenerStub() { qputenv("PATH", m_path); }

QString OpenerStub::opened() const {
  QFile seen(m_seen);
  if (!seen.open(QIODevice::ReadOnly)) return {};
  const QString text = QString::fromUtf8(seen.readAll()).trimmed();
  return text.startsWith(QStringLiteral("file:")) ? QUrl(text).toLocalFile() : text;
}

}  // namespace stagelane::gui
