/// What the Report page is made of, and the choices on it: toolbar, contents, export.

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "ui/kit/combo.h"
#include "ui/kit/control_action.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/report/report_page.h"
#include "ui/session/page_requests.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kSideWidth = 232;
constexpr int kTypingMs = 300;
constexpr std::array kFormats{std::pair{"HTML", ".html"}, std::pair{"PDF", ".pdf"},
                              std::pair{"Markdown", ".md"}};
constexpr std::array kThemes{std::pair{"System", ReportTheme::Reader},
                             std::pair{"Light", ReportTheme::Light},
                             std::pair{"Dark", ReportTheme::Dark}};

}  // namespace

QWidget* ReportPage::buildToolbar() {
  auto* bar = new QWidget(this);
  setLook(bar, QStringLiteral("toolbar"));
  bar->setFixedHeight(measure::kToolbarHeight);
  m_runName = new QLabel(bar);
  m_runName->setObjectName(QStringLiteral("reportRun"));
  m_browser = new QPushButton(QStringLiteral("Open in browser"), bar);
  setNames(m_browser, QStringLiteral("openInBrowser"),
           QStringLiteral("Open the report as HTML in the browser"));
  m_browser->setToolTip(QStringLiteral("As one HTML page that loads nothing else"));
  m_addRun = new QPushButton(QStringLiteral("Add a run…"), bar);
  setNames(m_addRun, QStringLiteral("addReportRun"), QStringLiteral("Add a run to the report"));
  m_addRun->setToolTip(
      QStringLiteral("Choose another run, to compare both in one report; the Runs page has "
                     "\"Report of the ticked runs\""));
  m_addMenu = new QMenu(m_addRun);
  m_addRun->setMenu(m_addMenu);
  connect(m_addMenu, &QMenu::aboutToShow, this, &ReportPage::fillAddMenu);
  m_onlyThis = new QPushButton(QStringLiteral("Only the last run"), bar);
  setNames(m_onlyThis, QStringLiteral("onlyThisRun"),
           QStringLiteral("Report of the last run alone"));
  m_onlyThis->hide();
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(measure::kPanelPadding, 0, measure::kPanelPadding, 0);
  layout->setSpacing(measure::kControlGap);
  layout->addWidget(mutedLabel(QStringLiteral("Report of"), bar));
  layout->addWidget(m_runName);
  layout->addWidget(m_addRun);
  layout->addWidget(m_onlyThis);
  layout->addStretch(1);
  layout->addWidget(buildPageControls(bar));
  layout->addWidget(m_browser);
  connect(m_onlyThis, &QPushButton::clicked, this,
          [this] { m_session->results().setReportFolders({}); });
  connect(m_browser, &QPushButton::clicked, this, &ReportPage::openInBrowser);
  return bar;
}

QWidget* ReportPage::buildPageControls(QWidget* bar) {
  auto* box = new QWidget(bar);
  m_pageCount = mutedLabel(QString(), box);
  m_pageCount->setObjectName(QStringLiteral("reportPageCount"));
  const auto button = [box](const QString& name, const QString& text, const QString& words) {
    auto* made = new QToolButton(box);
    made->setText(text);
    setNames(made, name, words);
    made->setToolTip(words);
    return made;
  };
  m_previousPage = button(QStringLiteral("reportPreviousPage"), QStringLiteral("‹"),
                          QStringLiteral("Previous page of the report"));
  m_nextPage = button(QStringLiteral("reportNextPage"), QStringLiteral("›"),
                      QStringLiteral("Next page of the report"));
  m_fitWidth = button(QStringLiteral("reportFitWidth"), QStringLiteral("Fit width"),
                      QStringLiteral("Pages as wide as there is room"));
  m_realSize = button(QStringLiteral("reportRealSize"), QStringLiteral("100 %"),
                      QStringLiteral("Pages at the size that they are printed in"));
  auto* layout = new QHBoxLayout(box);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  for (QWidget* widget : {static_cast<QWidget*>(m_pageCount), static_cast<QWidget*>(m_previousPage),
                          static_cast<QWidget*>(m_nextPage)}) {
    layout->addWidget(widget);
  }
  layout->addSpacing(4);
  auto* zoom = new QHBoxLayout;
  zoom->setSpacing(0);
  for (QToolButton* one : {m_fitWidth, m_realSize}) {
    setLook(one, QStringLiteral("segment"));
    one->setProperty("edge", one == m_fitWidth ? QStringLiteral("first") : QStringLiteral("last"));
    one->setCheckable(true);
    one->setAutoExclusive(true);
    zoom->addWidget(one);
    connect(one, &QToolButton::clicked, this, [this] {
      m_zoomChosen = true;
      refreshZoom();
    });
  }
  layout->addLayout(zoom);
  connect(m_previousPage, &QToolButton::clicked, this, [this] { showPageOf(-1); });
  connect(m_nextPage, &QToolButton::clicked, this, [this] { showPageOf(1); });
  return box;
}

void ReportPage::addSwitch(QWidget* side, const QString& name, const QString& text,
                           bool ReportContents::*member) {
  auto* box = new QCheckBox(text, side);
  setNames(box, QStringLiteral("contents.") + name,
           QStringLiteral("Report contains: %1").arg(text));
  box->setToolTip(QStringLiteral("Leave out, or take in: %1").arg(text.toLower()));
  box->setChecked(ReportContents{}.*member);
  side->layout()->addWidget(box);
  connect(box, &QCheckBox::toggled, this, &ReportPage::rebuild);
  m_actions.append(new ControlAction(box->accessibleName(), box, this));
  m_switches.push_back({box, member});
}

namespace {

QLabel* sideHeading(const QString& text, QWidget* side) {
  auto* label = mutedLabel(text, side);
  label->setFont(fontOf(TextSize::Caption, TextWeight::Bold));
  side->layout()->addWidget(label);
  return label;
}

}  // namespace

QWidget* ReportPage::buildSide() {
  auto* side = new QWidget;
  setLook(side, QStringLiteral("panel"));
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(measure::kPanelPadding, measure::kPanelPadding, measure::kPanelPadding,
                             measure::kPanelPadding);
  layout->setSpacing(6);
  const auto field = [&](const QString& heading, const QString& name, const QString& words) {
    sideHeading(heading, side);
    auto* edit = new QLineEdit(side);
    setNames(edit, name, words);
    edit->setToolTip(words);
    layout->addWidget(edit);
    connect(edit, &QLineEdit::textEdited, this, [this] { m_typing.start(); });
    return edit;
  };
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(&m_typing, &QTimer::timeout, this, &ReportPage::rebuild);
  m_title = field(QStringLiteral("Title"), QStringLiteral("reportTitle"),
                  QStringLiteral("The title of the report"));
  m_question = field(QStringLiteral("Question"), QStringLiteral("reportQuestion"),
                     QStringLiteral("The question that the report answers, at its head"));
  buildContents(side, layout);
  sideHeading(QStringLiteral("Note"), side);
  m_note = new QPlainTextEdit(side);
  setNames(m_note, QStringLiteral("reportNote"), QStringLiteral("A note of your own"));
  m_note->setToolTip(QStringLiteral("Stands below the summary"));
  m_note->setPlaceholderText(QStringLiteral("Below the summary"));
  m_note->setTabChangesFocus(true);
  m_note->setFixedHeight(56);
  connect(m_note, &QPlainTextEdit::textChanged, this, [this] { m_typing.start(); });
  layout->addWidget(m_note);
  buildExport(side, layout);
  auto* scroll = new QScrollArea(this);
  setNames(scroll, QStringLiteral("reportSide"), QStringLiteral("What the report contains"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFixedWidth(kSideWidth);
  scroll->setWidget(side);
  return scroll;
}

void ReportPage::buildContents(QWidget* side, QVBoxLayout* layout) {
  layout->addSpacing(4);
  sideHeading(QStringLiteral("Contents"), side);
  auto* box = new QWidget(side);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  layout->addWidget(box);
  const auto add = [&](const char* name, const char* text, bool ReportContents::*member) {
    addSwitch(box, QString::fromLatin1(name), QString::fromLatin1(text), member);
  };
  add("summary", "Summary", &ReportContents::summary);
  add("variants", "Variants", &ReportContents::variants);
  add("charts", "Charts", &ReportContents::charts);
  add("prediction", "Prediction against measurement", &ReportContents::prediction);
  add("timelines", "Timelines", &ReportContents::timelines);
  add("idle", "Why devices waited", &ReportContents::idle);
  add("gradients", "Gradient check", &ReportContents::gradients);
  add("machine", "Machine and build", &ReportContents::machine);
  add("definitions", "Definitions", &ReportContents::definitions);
  add("repeats", "Single repeats", &ReportContents::repeats);
  layout->addSpacing(4);
}

void ReportPage::buildExport(QWidget* side, QVBoxLayout* layout) {
  layout->addSpacing(4);
  sideHeading(QStringLiteral("Export"), side);
  m_format = new Combo(m_session->currentTheme(), side);
  setNames(m_format, QStringLiteral("reportFormat"), QStringLiteral("Format of the report"));
  m_format->setToolTip(
      QStringLiteral("HTML is one file; Markdown has its pictures in a folder beside it"));
  for (const auto& format : kFormats) m_format->addItem(QString::fromLatin1(format.first));
  m_theme = new Combo(m_session->currentTheme(), side);
  setNames(m_theme, QStringLiteral("reportTheme"), QStringLiteral("Colours of the HTML page"));
  m_theme->setToolTip(QStringLiteral(
      "Of the HTML page on a screen: as the reader's is, or always light or dark. On "
      "paper, as PDF and as Markdown a report is light"));
  for (const auto& theme : kThemes) {
    m_theme->addItem(QString::fromUtf8(theme.first), static_cast<int>(theme.second));
  }
  m_path = new QLineEdit(side);
  setNames(m_path, QStringLiteral("reportPath"), QStringLiteral("File to write"));
  m_path->setToolTip(QStringLiteral("Where the report is written"));
  connect(m_path, &QLineEdit::textChanged, m_path, &QWidget::setToolTip);
  connect(m_path, &QLineEdit::editingFinished, this, &ReportPage::followPath);
  auto* browseButton = new QToolButton(side);
  browseButton->setText(QStringLiteral("…"));
  setNames(browseButton, QStringLiteral("reportBrowse"),
           QStringLiteral("Choose the file to write"));
  browseButton->setToolTip(QStringLiteral("Choose the file to write"));
  connect(browseButton, &QToolButton::clicked, this, &ReportPage::browse);
  m_actions.append(
      new ControlAction(QStringLiteral("Choose the file of the report…"), browseButton, this));
  auto* file = new QHBoxLayout;
  file->setSpacing(4);
  file->addWidget(m_path, 1);
  file->addWidget(browseButton);
  m_export = new QPushButton(QStringLiteral("Export"), side);
  setNames(m_export, QStringLiteral("export"), QStringLiteral("Write the report to the file"));
  m_export->setToolTip(QStringLiteral("Write the report to the file above (Ctrl+E)"));
  m_message = mutedLabel(QString(), side);
  m_message->setObjectName(QStringLiteral("reportMessage"));
  m_message->setFont(fontOf(TextSize::Caption));
  m_message->setWordWrap(true);
  auto* form = new QHBoxLayout;
  form->setSpacing(4);
  for (QComboBox* box : {m_format, m_theme}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(4);
    form->addWidget(box, 1);
  }
  layout->addLayout(form);
  layout->addLayout(file);
  layout->addWidget(m_export);
  layout->addWidget(buildWork(side));
  layout->addWidget(m_message);
  layout->addStretch(1);
  connect(m_format, &QComboBox::currentIndexChanged, this, &ReportPage::suggestPath);
  connect(m_export, &QPushButton::clicked, this, &ReportPage::exportReport);
}

QWidget* ReportPage::buildWork(QWidget* side) {
  m_work = new QWidget(side);
  m_workText = mutedLabel(QString(), m_work);
  m_workText->setObjectName(QStringLiteral("reportWork"));
  m_workText->setFont(fontOf(TextSize::Caption));
  m_workBar = new QProgressBar(m_work);
  setNames(m_workBar, QStringLiteral("reportWorkProgress"), QStringLiteral("Share that is done"));
  m_workBar->setTextVisible(false);
  m_workCancel = new QPushButton(QStringLiteral("Cancel"), m_work);
  setNames(m_workCancel, QStringLiteral("reportWorkCancel"),
           QStringLiteral("Stop writing the report"));
  m_workCancel->setToolTip(QStringLiteral("Nothing is written then"));
  m_actions.append(new ControlAction(m_workCancel->accessibleName(), m_workCancel, this));
  auto* line = new QHBoxLayout;
  line->setSpacing(4);
  line->addWidget(m_workBar, 1);
  line->addWidget(m_workCancel);
  auto* layout = new QVBoxLayout(m_work);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(m_workText);
  layout->addLayout(line);
  m_work->hide();
  connect(m_workCancel, &QPushButton::clicked, &m_maker, &ReportMaker::cancelWriting);
  return m_work;
}

QWidget* ReportPage::buildEmptyState() {
  auto* empty = new QWidget(this);
  setLook(empty, QStringLiteral("panel"));
  m_emptyText = new QLabel(empty);
  m_emptyText->setAlignment(Qt::AlignCenter);
  m_emptyText->setWordWrap(true);
  m_emptyButton = new QPushButton(empty);
  showEmptyButton();
  auto* layout = new QVBoxLayout(empty);
  layout->addStretch(1);
  layout->addWidget(m_emptyText);
  layout->addWidget(m_emptyButton, 0, Qt::AlignCenter);
  layout->addStretch(1);
  connect(m_emptyButton, &QPushButton::clicked, this, [this] {
    if (m_gaveUp) {
      load();
    } else if (const QString newest = newestRun(); !newest.isEmpty()) {
      m_session->runFolders().requestOpen(newest, RunUse::Report);
    } else {
      m_session->pages().request(QStringLiteral("plan"));
    }
  });
  return empty;
}

void ReportPage::showEmptyButton() {
  const bool some = !newestRun().isEmpty();
  m_emptyButton->setText(m_gaveUp ? QStringLiteral("Make the report")
                         : some   ? QStringLiteral("Open the newest run")
                                  : QStringLiteral("Open the plan"));
  setNames(m_emptyButton,
           m_gaveUp ? QStringLiteral("reportMake")
           : some   ? QStringLiteral("reportNewestRun")
                    : QStringLiteral("reportOpenPlan"),
           m_gaveUp ? QStringLiteral("Make the report after all")
           : some   ? QStringLiteral("Open the newest run of the workspace")
                    : QStringLiteral("Open the Plan page"));
}

/// Its folder; empty where the workspace has none.
QString ReportPage::newestRun() const {
  const RunListPtr known = m_history.runs();
  return known && !known->empty() ? qstring(known->front().folder) : QString();
}

void ReportPage::browse() {
  const auto index = static_cast<std::size_t>(std::max(0, m_format->currentIndex()));
  const QString kind = QStringLiteral("%1 (*%2)")
                           .arg(QString::fromLatin1(kFormats[index].first),
                                QString::fromLatin1(kFormats[index].second));
  const QString chosen = QFileDialog::getSaveFileName(this, QStringLiteral("Write the report to"),
                                                      m_path->text(), kind);
  if (chosen.isEmpty()) return;
  m_path->setText(chosen);
  suggestPath();
  // The dialog has asked already, unless the suffix made it another file.
  if (m_path->text() == chosen) m_written = chosen;
}

ReportTheme ReportPage::theme() const {
  return static_cast<ReportTheme>(m_theme->currentData().toInt());
}

/// An ending that names another format chooses that format.
void ReportPage::followPath() {
  const QString suffix = QChar(u'.') + QFileInfo(m_path->text()).suffix().toLower();
  for (std::size_t i = 0; i < std::size(kFormats); ++i) {
    const QString own = QString::fromLatin1(kFormats[i].second);
    // ".htm" is the HTML of old.
    if (own == suffix || own == suffix + QChar(u'l')) {
      m_format->setCurrentIndex(static_cast<int>(i));
    }
  }
}

void ReportPage::suggestPath() {
  m_theme->setEnabled(m_format->currentIndex() == 0);
  const auto index = static_cast<std::size_t>(std::max(0, m_format->currentIndex()));
  const QString suffix = QString::fromLatin1(kFormats[index].second);
  if (m_path->text().isEmpty()) {
    const QString folder = qstring(folders().front().string());
    m_path->setText(QDir(folder).filePath(QStringLiteral("report") + suffix));
    return;
  }
  const QFileInfo info(m_path->text());
  m_path->setText(info.dir().filePath(info.completeBaseName() + suffix));
}

}  // namespace stagelane::ui
