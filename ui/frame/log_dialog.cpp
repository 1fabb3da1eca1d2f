#include "ui/frame/log_dialog.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPushButton>
#include <QUrl>

#include "ui/kit/boxes.h"
#include "ui/kit/elided_label.h"
#include "ui/kit/look.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {
namespace {

/// More text makes the dialog slow to open.
constexpr qint64 kMostBytes = qint64{1} << 20;

struct LogEnd {
  QString text;
  QString note;  ///< why the text is not the whole log, "" if it is
};

LogEnd endOfLog(const QString& path) {
  // Opening a pipe, which a foreign folder may have in place of the log, would block.
  if (!QFileInfo(path).isFile()) return {{}, QObject::tr("The log no longer exists.")};
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    return {{}, QObject::tr("Cannot read the log: %1").arg(file.errorString())};
  }
  const bool whole = file.size() <= kMostBytes;
  if (!whole) {
    file.seek(file.size() - kMostBytes);
    file.readLine();  // its beginning is missing
  }
  return {QString::fromUtf8(file.read(kMostBytes)),
          whole ? QString() : QObject::tr("Only the last 1 MiB of the log is shown.")};
}

}  // namespace

LogDialog::LogDialog(const QString& path, QWidget* parent)
    : QDialog(parent), m_path(path), m_text(new QPlainTextEdit(this)), m_note(new QLabel(this)) {
  setObjectName(u"logDialog"_s);
  setWindowTitle(tr("Log of %1").arg(QFileInfo(path).dir().dirName()));
  build();
  resize(820, 480);
  say({});
  read();
}

void LogDialog::build() {
  auto* file = new ElidedLabel(this, Qt::ElideMiddle);
  file->setText(m_path);
  file->setToolTip(m_path);
  setNames(file, u"logPath"_s, tr("Path of the log"));
  setNames(m_text, u"logText"_s, tr("Log"));
  setNames(m_note, u"logNote"_s, tr("About the log"));
  m_text->setReadOnly(true);
  m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_text->setFont(monospaceFont());
  m_note->setWordWrap(true);
  auto* copy = new QPushButton(tr("Copy path"), this);
  setNames(copy, u"logCopyPath"_s, tr("Copy path"));
  copy->setToolTip(tr("Copy the path of the log to the clipboard"));
  auto* editor = new QPushButton(tr("Open in editor"), this);
  setNames(editor, u"logOpenInEditor"_s, tr("Open in editor"));
  editor->setToolTip(tr("Open the log in the desktop's program for text files"));
  auto* close = new QPushButton(tr("Close"), this);
  setNames(close, u"logClose"_s, tr("Close"));
  close->setToolTip(tr("Close the log"));
  close->setDefault(true);
  auto* buttons = new QDialogButtonBox(this);
  buttons->addButton(copy, QDialogButtonBox::ActionRole);
  buttons->addButton(editor, QDialogButtonBox::ActionRole);
  buttons->addButton(close, QDialogButtonBox::RejectRole);
  columnLayout(this, {}, {file, {m_text, 1}, m_note, buttons});
  connect(copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_path); });
  connect(editor, &QPushButton::clicked, this, &LogDialog::openInEditor);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  orderTabsByLayout(*this);
}

void LogDialog::read() {
  m_job.start([this, path = m_path](const std::atomic<bool>&) -> std::function<void()> {
    return [this, end = endOfLog(path)] {
      m_text->setPlainText(end.text);
      m_text->moveCursor(QTextCursor::End);
      say(end.note);
    };
  });
}

void LogDialog::openInEditor() {
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(m_path))) {
    say(tr("No program of the desktop opens this file."));
  }
}

void LogDialog::say(const QString& note) {
  m_note->setText(note);
  m_note->setVisible(!note.isEmpty());
}

}  // namespace stagelane::ui
