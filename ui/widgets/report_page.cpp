#include "ui/widgets/report_page.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QThreadPool>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "engine/workspace/workspace.h"
#include "ui/models/export_path.h"
#include "ui/models/formatting.h"
#include "ui/models/runs_to_show.h"
#include "ui/report/report_settings.h"
#include "ui/widgets/button_action.h"
#include "ui/widgets/combo.h"
#include "ui/widgets/look.h"
#include "ui/widgets/question.h"
#include "ui/widgets/report_preview.h"
#include "ui/widgets/run_banner.h"

namespace stagelane::ui {
namespace {

constexpr int kSideWidth = 232;
constexpr int kTypingMs = 300;
constexpr std::size_t kMostRuns = 20;
constexpr std::array kFormats{std::pair{"HTML", ".html"}, std::pair{"PDF", ".pdf"},
                              std::pair{"Markdown", ".md"}};
constexpr std::array kThemes{std::pair{"By reader", ReportTheme::Reader},
                             std::pair{"Light", ReportTheme::Light},
                             std::pair{"Dark", ReportTheme::Dark}};

}  // namespace

ReportPage::ReportPage(QWidget* parent) : Page(parent), m_history(workspace::workspaceRoot()) {
  m_preview = new ReportPreview;
  m_scroll = new QScrollArea(this);
  setNames(m_scroll, QStringLiteral("reportPages"), QStringLiteral("Pages of the report"));
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  m_scroll->setWidget(m_preview);
  auto* content = new QWidget(this);
  auto* columns = new QHBoxLayout(content);
  columns->setContentsMargins(0, 0, 0, 0);
  columns->setSpacing(0);
  columns->addWidget(m_scroll, 1);
  m_stack = new QStackedWidget(this);
  m_stack->addWidget(content);
  m_stack->addWidget(buildEmptyState());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(buildToolbar());
  layout->addWidget(m_stack, 1);
  auto* open = new QAction(QStringLiteral("Open in browser"), this);
  connect(open, &QAction::triggered, this, &ReportPage::openInBrowser);
  auto* save = new QAction(QStringLiteral("Export"), this);
  connect(save, &QAction::triggered, this, &ReportPage::exportReport);
  auto* add = new QAction(QStringLiteral("Add a run to the report…"), this);
  connect(add, &QAction::triggered, this, [this] { m_addRun->showMenu(); });
  auto* next = new QAction(QStringLiteral("Next page of the report"), this);
  connect(next, &QAction::triggered, this, [this] { showPageOf(1); });
  auto* previous = new QAction(QStringLiteral("Previous page of the report"), this);
  connect(previous, &QAction::triggered, this, [this] { showPageOf(-1); });
  connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, this,
          &ReportPage::refreshPageCount);
  m_actions = {open, save, add, next, previous};
  const auto ofButton = [this](const QString& text, QAbstractButton* button) {
    m_actions.append(new ButtonAction(text, button, this));
  };
  ofButton(QStringLiteral("Report: fit the pages to the width"), m_fitWidth);
  ofButton(QStringLiteral("Report: pages at 100 %"), m_realSize);
  ofButton(QStringLiteral("Report: only the last run"), m_onlyThis);
}

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
  connect(m_onlyThis, &QPushButton::clicked, this, [this] { m_session->setReportFolders({}); });
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
  m_switches.push_back({box, member});
  m_actions.append(new ButtonAction(box->accessibleName(), box, this));
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
  m_format = new Combo(m_session, side);
  setNames(m_format, QStringLiteral("reportFormat"), QStringLiteral("Format of the report"));
  m_format->setToolTip(
      QStringLiteral("HTML is one file; Markdown has its pictures in a folder beside it"));
  for (const auto& format : kFormats) m_format->addItem(QString::fromLatin1(format.first));
  m_theme = new Combo(m_session, side);
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
  auto* browseButton = new QToolButton(side);
  browseButton->setText(QStringLiteral("…"));
  setNames(browseButton, QStringLiteral("reportBrowse"),
           QStringLiteral("Choose the file to write"));
  browseButton->setToolTip(QStringLiteral("Choose the file to write"));
  connect(browseButton, &QToolButton::clicked, this, &ReportPage::browse);
  auto* file = new QHBoxLayout;
  file->setSpacing(4);
  file->addWidget(m_path, 1);
  file->addWidget(browseButton);
  m_export = new QPushButton(QStringLiteral("Export"), side);
  setNames(m_export, QStringLiteral("export"), QStringLiteral("Write the report to the file"));
  m_export->setToolTip(QStringLiteral("Write the report to the file above"));
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
  layout->addWidget(m_message);
  layout->addStretch(1);
  connect(m_format, &QComboBox::currentIndexChanged, this, &ReportPage::suggestPath);
  connect(m_export, &QPushButton::clicked, this, &ReportPage::exportReport);
}

QWidget* ReportPage::buildEmptyState() {
  auto* empty = new QWidget(this);
  setLook(empty, QStringLiteral("panel"));
  m_emptyText = new QLabel(empty);
  m_emptyText->setAlignment(Qt::AlignCenter);
  auto* button = new QPushButton(QStringLiteral("Open the plan"), empty);
  setNames(button, QStringLiteral("reportOpenPlan"), QStringLiteral("Open the Plan page"));
  auto* layout = new QVBoxLayout(empty);
  layout->addStretch(1);
  layout->addWidget(m_emptyText);
  layout->addWidget(button, 0, Qt::AlignCenter);
  layout->addStretch(1);
  connect(button, &QPushButton::clicked, this,
          [this] { m_session->requestPage(QStringLiteral("plan")); });
  return empty;
}

void ReportPage::setSession(Session* session) {
  m_session = session;
  static_cast<QHBoxLayout*>(m_stack->widget(0)->layout())->insertWidget(0, buildSide());
  static_cast<QVBoxLayout*>(layout())->insertWidget(1, new RunBanner(session, this));
  connect(session, &Session::resultChanged, this, &ReportPage::refresh);
  connect(session, &Session::runPhaseChanged, this, &ReportPage::refresh);
  connect(session, &Session::reportFoldersChanged, this, &ReportPage::refresh);
  connect(session, &Session::themeChanged, this, &ReportPage::applyTheme);
  applyTheme();
  refresh();
}

void ReportPage::applyTheme() { m_preview->setTheme(m_session->theme()); }

void ReportPage::refresh() {
  if (m_session == nullptr) return;
  m_stale = true;
  const bool some = !folders().empty();
  const bool running = m_session->runPhase() != RunPhase::Idle;
  m_emptyText->setText(running
                           ? QStringLiteral("The report is made when the run has ended.")
                           : QStringLiteral("No report yet: nothing has been run in this window."));
  if (!some) {
    ++m_generation;  // what is still being read is of a run that is shown no more
    m_loading = false;
    m_inputs.reset();
  }
  if (!some || (running && !m_inputs)) {
    m_stack->setCurrentIndex(1);
    m_browser->setEnabled(false);
    return;
  }
  if (isVisible() && !running) load();
}

void ReportPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  m_history.reloadSoon();
  if (m_session != nullptr && m_stale) refresh();
}

std::vector<std::filesystem::path> ReportPage::folders() const {
  if (!m_session->reportFolders().empty()) return m_session->reportFolders();
  if (m_session->result() == nullptr || m_session->runFolder().empty()) return {};
  return {m_session->runFolder()};
}

/// The newest runs that are not in the report yet, and any folder.
void ReportPage::fillAddMenu() {
  m_addMenu->clear();
  const RunListPtr known = m_history.runs();
  RunList others;
  for (std::size_t i = 0; known && i < known->size(); ++i) {
    const std::vector<std::filesystem::path> taken = folders();
    const std::filesystem::path folder((*known)[i].folder);
    if (std::find(taken.begin(), taken.end(), folder) == taken.end()) {
      others.push_back((*known)[i]);
    }
  }
  for (const RunToShow& run : runsToShow(others, {}, kMostRuns, QDate::currentDate().year())) {
    QAction* action = m_addMenu->addAction(QStringLiteral("run %1").arg(run.text));
    action->setObjectName(QStringLiteral("addReportRun.%1").arg(QFileInfo(run.folder).fileName()));
    connect(action, &QAction::triggered, this, [this, folder = run.folder] { addRun(folder); });
  }
  if (others.empty()) {
    QAction* none = m_addMenu->addAction(known ? QStringLiteral("No other run")
                                               : QStringLiteral("Reading the runs…"));
    none->setEnabled(false);
  }
  m_addMenu->addSeparator();
  QAction* folder = m_addMenu->addAction(QStringLiteral("Another folder…"));
  folder->setObjectName(QStringLiteral("addReportFolder"));
  connect(folder, &QAction::triggered, this, &ReportPage::addFolder);
}

void ReportPage::addRun(const QString& folder) {
  std::vector<std::filesystem::path> all = folders();
  all.emplace_back(utf8(folder));
  m_session->setReportFolders(std::move(all));
}

void ReportPage::addFolder() {
  const std::vector<std::filesystem::path> all = folders();
  const QString from = all.empty() ? QDir::homePath() : qstring(all.back().parent_path().string());
  const QString chosen =
      QFileDialog::getExistingDirectory(this, QStringLiteral("Add a run to the report"), from);
  if (!chosen.isEmpty()) addRun(chosen);
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

void ReportPage::showPageOf(int step) {
  const int y = m_scroll->verticalScrollBar()->value();
  const int page = static_cast<int>(m_preview->pageAt(y)) + step;
  const int last = static_cast<int>(m_preview->pageCount()) - 1;
  m_scroll->verticalScrollBar()->setValue(
      m_preview->topOf(static_cast<std::size_t>(std::clamp(page, 0, std::max(0, last)))));
}

void ReportPage::refreshPageCount() {
  const std::size_t count = m_preview->pageCount();
  const std::size_t page =
      count == 0 ? 0 : m_preview->pageAt(m_scroll->verticalScrollBar()->value());
  m_pageCount->setText(QStringLiteral("Page %1 of %2").arg(count == 0 ? 0 : page + 1).arg(count));
  m_previousPage->setEnabled(page > 0);
  m_nextPage->setEnabled(page + 1 < count);
}

void ReportPage::refreshZoom() {
  const int room = m_scroll->viewport()->width();
  if (!m_zoomChosen) {
    (m_preview->fitsAtRealSize(room) ? m_realSize : m_fitWidth)->setChecked(true);
  }
  m_preview->setFitWidth(m_fitWidth->isChecked());
  m_preview->setAvailableWidth(room);
  refreshPageCount();
}

void ReportPage::load() {
  m_stale = false;
  m_loading = true;
  const std::uint64_t generation = ++m_generation;
  QPointer<ReportPage> page(this);
  QThreadPool::globalInstance()->start([page, generation, all = folders()] {
    Inputs inputs;
    for (const std::filesystem::path& folder : all) {
      if (auto input = readReportInput(folder)) inputs.push_back(std::move(*input));
    }
    auto shared = inputs.empty() ? nullptr : std::make_shared<const Inputs>(std::move(inputs));
    QMetaObject::invokeMethod(
        qApp,
        [page, generation, shared] {
          if (page) page->loaded(generation, shared);
        },
        Qt::QueuedConnection);
  });
}

void ReportPage::loaded(std::uint64_t generation, std::shared_ptr<const Inputs> inputs) {
  if (generation != m_generation) return;
  m_loading = false;
  m_inputs = std::move(inputs);
  m_stack->setCurrentIndex(m_inputs ? 0 : 1);
  m_browser->setEnabled(m_inputs != nullptr);
  const std::vector<std::filesystem::path> asked = folders();
  m_onlyThis->setVisible(!m_session->reportFolders().empty());
  if (!m_inputs) {
    m_emptyText->setText(QStringLiteral("The run's folder cannot be read any more: %1")
                             .arg(asked.empty() ? QString() : qstring(asked.front().string())));
    return;
  }
  QString name = qstring(first().run->name);
  if (m_inputs->size() > 1) {
    name += QStringLiteral(" and %1").arg(
        countedText(static_cast<std::int64_t>(m_inputs->size()) - 1, QStringLiteral("other run"),
                    QStringLiteral("other runs")));
  }
  m_runName->setText(name);
  say(m_inputs->size() < asked.size()
          ? QStringLiteral("%1 of %2 folders hold no run that can be read")
                .arg(asked.size() - m_inputs->size())
                .arg(asked.size())
          : QString(),
      m_inputs->size() < asked.size());
  m_question->setPlaceholderText(questionOf(first(), {}));
  m_title->setPlaceholderText(m_inputs->size() > 1
                                  ? QStringLiteral("%1 runs compared").arg(m_inputs->size())
                                  : qstring(first().run->name));
  m_path->clear();
  suggestPath();
  rebuild();
}

void ReportPage::rebuild() {
  if (!m_inputs) return;
  ReportContents contents;
  contents.question = m_question->text();
  contents.title = m_title->text();
  contents.note = m_note->toPlainText();
  for (const Switch& entry : m_switches) contents.*entry.member = entry.box->isChecked();
  m_document = makeReport(*m_inputs, contents);
  auto pages = std::make_shared<ReportPages>(m_document);
  m_preview->setPages(std::move(pages));
  refreshZoom();
}

void ReportPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  refreshZoom();
}

ReportTheme ReportPage::theme() const {
  return static_cast<ReportTheme>(m_theme->currentData().toInt());
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

void ReportPage::say(const QString& text, bool problem) {
  m_message->setText(text);
  setLook(m_message, problem ? QStringLiteral("error") : QStringLiteral("muted"));
}

void ReportPage::exportReport() {
  if (!m_inputs) return;
  m_path->setText(absolutePath(m_path->text(), qstring(folders().front().string())));
  if (!mayReplace(this, m_path->text(), m_written)) return;
  const Status status = writeReport(m_document, utf8(m_path->text()), theme());
  if (status) m_written = m_path->text();
  say(status ? QStringLiteral("Wrote %1").arg(m_path->text()) : errorText(status.error()), !status);
  if (status) m_session->showHint(QStringLiteral("Wrote %1").arg(m_path->text()));
}

void ReportPage::openInBrowser() {
  if (!m_inputs) return;
  const QString name = qstring(slug(first().run->name));
  const QString path = QDir::temp().filePath(QStringLiteral("stagelane-report-%1.html").arg(name));
  const Status status = writeReport(m_document, utf8(path), theme());
  if (!status) {
    say(errorText(status.error()), true);
  } else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path))) {
    say(QStringLiteral("No browser answered; the page is %1").arg(path), true);
  }
}

}  // namespace stagelane::ui
