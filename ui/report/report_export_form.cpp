#include "ui/report/report_export_form.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <array>

#include "ui/kit/boxes.h"
#include "ui/kit/combo.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/pictures/export_path.h"
#include "ui/kit/question.h"
#include "ui/kit/text/formatting.h"
#include "ui/report/side_heading.h"

namespace stagelane::ui {
namespace {

struct Format {
  QLatin1String name, ending;
};
constexpr std::array kFormats{Format{QLatin1String("HTML"), QLatin1String(".html")},
                              Format{QLatin1String("PDF"), QLatin1String(".pdf")},
                              Format{QLatin1String("Markdown"), QLatin1String(".md")}};
constexpr int kHtml = 0;

const Format& formatOf(const QComboBox* box) {
  return kFormats[static_cast<std::size_t>(std::max(0, box->currentIndex()))];
}

}  // namespace

ReportExportForm::ReportExportForm(const CurrentTheme* theme, QWidget* parent) : QWidget(parent) {
  m_format = new Combo(theme, this);
  m_theme = new Combo(theme, this);
  auto* layout = columnLayout(this, {.margins = {0, 0, 0, 0}, .spacing = 6}, {Gap{4}});
  addSideHeading(tr("Export"), this);
  layout->addWidget(buildChoices());
  layout->addWidget(buildFile());
  m_export = new QPushButton(tr("Export"), this);
  setNames(m_export, u"export"_s, tr("Write the report to the file"));
  m_export->setToolTip(tr("Write the report to the file above (Ctrl+E)"));
  layout->addWidget(m_export);
  layout->addWidget(buildWork());
  m_message = mutedLabel(QString(), this);
  m_message->setObjectName(u"reportMessage"_s);
  m_message->setFont(fontOf(TextSize::Caption));
  m_message->setWordWrap(true);
  layout->addWidget(m_message);
  connect(m_format, &QComboBox::currentIndexChanged, this, &ReportExportForm::matchEnding);
  connect(m_export, &QPushButton::clicked, this, &ReportExportForm::exportWanted);
}

QWidget* ReportExportForm::buildChoices() {
  auto* box = new QWidget(this);
  auto* layout = rowLayout(box, {.margins = {0, 0, 0, 0}, .spacing = 4});
  setNames(m_format, u"reportFormat"_s, tr("Format of the report"));
  m_format->setToolTip(
      tr("File format. HTML is a single file; Markdown stores pictures in a folder beside it"));
  for (const Format& format : kFormats) m_format->addItem(format.name);
  setNames(m_theme, u"reportTheme"_s, tr("Colors of the HTML page"));
  m_theme->setToolTip(tr(
      "Colors of the HTML page on a screen: follow the reader's system, or always light or dark. "
      "Print, PDF and Markdown are always light"));
  m_theme->addItem(tr("System"), static_cast<int>(ReportTheme::Reader));
  m_theme->addItem(tr("Light"), static_cast<int>(ReportTheme::Light));
  m_theme->addItem(tr("Dark"), static_cast<int>(ReportTheme::Dark));
  for (QComboBox* choice : {m_format, m_theme}) {
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(4);
    layout->addWidget(choice, 1);
  }
  return box;
}

QWidget* ReportExportForm::buildFile() {
  auto* box = new QWidget(this);
  m_path = new QLineEdit(box);
  setNames(m_path, u"reportPath"_s, tr("File to write"));
  m_path->setToolTip(tr("File to write"));
  connect(m_path, &QLineEdit::textChanged, m_path, &QWidget::setToolTip);
  connect(m_path, &QLineEdit::editingFinished, this, &ReportExportForm::followPath);
  auto* browseButton = new QToolButton(box);
  browseButton->setText(u"…"_s);
  setNames(browseButton, u"reportBrowse"_s, tr("Choose the file to write"));
  browseButton->setToolTip(tr("Choose the file to write"));
  connect(browseButton, &QToolButton::clicked, this, &ReportExportForm::browse);
  m_actions.append(new ControlAction(tr("Choose the file of the report…"), browseButton, this));
  rowLayout(box, {.margins = {0, 0, 0, 0}, .spacing = 4}, {{m_path, 1}, browseButton});
  return box;
}

QWidget* ReportExportForm::buildWork() {
  m_work = new QWidget(this);
  m_workText = mutedLabel(QString(), m_work);
  m_workText->setObjectName(u"reportWork"_s);
  m_workText->setFont(fontOf(TextSize::Caption));
  m_workBar = new QProgressBar(m_work);
  setNames(m_workBar, u"reportWorkProgress"_s, tr("Progress of the report"));
  m_workBar->setTextVisible(false);
  m_workCancel = new QPushButton(tr("Cancel"), m_work);
  setNames(m_workCancel, u"reportWorkCancel"_s, tr("Stop writing the report"));
  m_workCancel->setToolTip(tr("Stop; no file is written"));
  m_actions.append(new ControlAction(m_workCancel->accessibleName(), m_workCancel, this));
  auto* line = rowLayout({.spacing = 4}, {{m_workBar, 1}, m_workCancel});
  columnLayout(m_work, {.margins = {0, 0, 0, 0}, .spacing = 2}, {m_workText, line});
  m_work->hide();
  connect(m_workCancel, &QPushButton::clicked, this, &ReportExportForm::cancelWanted);
  return m_work;
}

void ReportExportForm::setFolder(const QString& folder) {
  m_folder = folder;
  m_path->clear();
  matchEnding();
}

QString ReportExportForm::fileToWrite() {
  m_path->setText(absolutePath(m_path->text(), m_folder));
  return mayReplace(this, m_path->text(), m_written) ? m_path->text() : QString();
}

ReportTheme ReportExportForm::theme() const {
  return static_cast<ReportTheme>(m_theme->currentData().toInt());
}

void ReportExportForm::say(const QString& text, bool problem) {
  m_message->setText(text);
  setLook(m_message, problem ? u"error"_s : u"muted"_s);
}

void ReportExportForm::setWork(const QString& text, int done, int of) {
  m_workText->setText(text);
  m_workBar->setRange(0, of);
  m_workBar->setValue(std::min(done, of));
}

void ReportExportForm::showWork(bool shown, bool cancelable) {
  m_workCancel->setVisible(cancelable);
  m_work->setVisible(shown);
}

void ReportExportForm::browse() {
  const Format& format = formatOf(m_format);
  const QString chosen =
      QFileDialog::getSaveFileName(this, tr("Write the report to"), m_path->text(),
                                   u"%1 (*%2)"_s.arg(format.name, format.ending));
  if (chosen.isEmpty()) return;
  m_path->setText(chosen);
  matchEnding();
  // The dialog has already asked, unless the suffix changed the file.
  if (m_path->text() == chosen) m_written = chosen;
}

/// Gives the file the suffix of the chosen format.
void ReportExportForm::matchEnding() {
  m_theme->setEnabled(m_format->currentIndex() == kHtml);
  const QString ending = formatOf(m_format).ending;
  if (m_path->text().isEmpty()) {
    m_path->setText(QDir(m_folder).filePath(u"report"_s + ending));
    return;
  }
  const QFileInfo info(m_path->text());
  m_path->setText(info.dir().filePath(info.completeBaseName() + ending));
}

/// A suffix of another format selects that format.
void ReportExportForm::followPath() {
  const QString suffix = QChar(u'.') + QFileInfo(m_path->text()).suffix().toLower();
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    // ".htm" is an older suffix of HTML.
    if (kFormats[i].ending == suffix || kFormats[i].ending == QString(suffix + QChar(u'l'))) {
      m_format->setCurrentIndex(static_cast<int>(i));
    }
  }
}

}  // namespace stagelane::ui
