#include "ui/widgets/report_page.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QThreadPool>
#include <QUrl>
#include <QVBoxLayout>
#include <array>

#include "engine/base/text.h"
#include "ui/models/formatting.h"
#include "ui/report/report_settings.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/combo.h"
#include "ui/widgets/look.h"
#include "ui/widgets/question.h"
#include "ui/widgets/report_preview.h"
#include "ui/widgets/run_banner.h"

namespace stagelane::ui {
namespace {

constexpr int kSideWidth = 232;
constexpr int kTypingMs = 300;
constexpr std::array kFormats{std::pair{"HTML", ".html"}, std::pair{"PDF", ".pdf"},
                              std::pair{"Markdown", ".md"}};

}  // namespace

ReportPage::ReportPage(QWidget* parent) : Page(parent) {
  m_preview = new ReportPreview;
  m_scroll = new QScrollArea(this);
  setNames(m_scroll, QStringLiteral("reportPages"), QStringLiteral("Pages of the report"));
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
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
  connect(add, &QAction::triggered, this, &ReportPage::addRun);
  m_actions = {open, save, add};
}

QWidget* ReportPage::buildToolbar() {
  auto* bar = new QWidget(this);
  setLook(bar, QStringLiteral("toolbar"));
  bar->setFixedHeight(measure::kToolbarHeight);
  m_runName = new QLabel(bar);
  m_runName->setObjectName(QStringLiteral("reportRun"));
  m_pageCount = mutedLabel(QString(), bar);
  m_pageCount->setObjectName(QStringLiteral("reportPageCount"));
  m_browser = new QPushButton(QStringLiteral("Open in browser"), bar);
  setNames(m_browser, QStringLiteral("openInBrowser"),
           QStringLiteral("Open the report as HTML in the browser"));
  m_browser->setToolTip(QStringLiteral("As one HTML page that loads nothing else"));
  m_addRun = new QPushButton(QStringLiteral("Add a run…"), bar);
  setNames(m_addRun, QStringLiteral("addReportRun"), QStringLiteral("Add a run to the report"));
  m_addRun->setToolTip(
      QStringLiteral("Choose the folder of another run; the Runs page has "
                     "\"Report of the ticked runs\""));
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
  layout->addWidget(m_pageCount);
  layout->addWidget(m_browser);
  connect(m_addRun, &QPushButton::clicked, this, &ReportPage::addRun);
  connect(m_onlyThis, &QPushButton::clicked, this, [this] { m_session->setReportFolders({}); });
  connect(m_browser, &QPushButton::clicked, this, &ReportPage::openInBrowser);
  return bar;
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
}

QWidget* ReportPage::buildSide() {
  auto* side = new QWidget(this);
  setLook(side, QStringLiteral("panel"));
  side->setFixedWidth(kSideWidth);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(measure::kPanelPadding, measure::kPanelPadding, measure::kPanelPadding,
                             measure::kPanelPadding);
  layout->setSpacing(measure::kControlGap);
  const auto heading = [&](const QString& text) {
    auto* label = mutedLabel(text, side);
    label->setFont(fontOf(TextSize::Caption, TextWeight::Bold));
    layout->addWidget(label);
  };
  heading(QStringLiteral("Question"));
  m_question = new QLineEdit(side);
  setNames(m_question, QStringLiteral("reportQuestion"),
           QStringLiteral("The question that the report answers"));
  m_question->setToolTip(QStringLiteral("Stands at the head of the report"));
  layout->addWidget(m_question);
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(m_question, &QLineEdit::textEdited, this, [this] { m_typing.start(); });
  connect(&m_typing, &QTimer::timeout, this, &ReportPage::rebuild);
  layout->addSpacing(8);
  heading(QStringLiteral("Contents"));
  addSwitch(side, QStringLiteral("summary"), QStringLiteral("Summary"), &ReportContents::summary);
  addSwitch(side, QStringLiteral("variants"), QStringLiteral("Variants"),
            &ReportContents::variants);
  addSwitch(side, QStringLiteral("charts"), QStringLiteral("Charts"), &ReportContents::charts);
  addSwitch(side, QStringLiteral("timelines"), QStringLiteral("Timelines"),
            &ReportContents::timelines);
  addSwitch(side, QStringLiteral("idle"), QStringLiteral("Why devices waited"),
            &ReportContents::idle);
  addSwitch(side, QStringLiteral("gradients"), QStringLiteral("Gradient check"),
            &ReportContents::gradients);
  addSwitch(side, QStringLiteral("machine"), QStringLiteral("Machine and build"),
            &ReportContents::machine);
  addSwitch(side, QStringLiteral("definitions"), QStringLiteral("Definitions"),
            &ReportContents::definitions);
  addSwitch(side, QStringLiteral("repeats"), QStringLiteral("Single repeats"),
            &ReportContents::repeats);
  layout->addSpacing(8);
  heading(QStringLiteral("Export"));
  m_format = new Combo(m_session, side);
  setNames(m_format, QStringLiteral("reportFormat"), QStringLiteral("Format of the report"));
  m_format->setToolTip(
      QStringLiteral("HTML is one file; Markdown has its pictures in a folder beside it"));
  for (const auto& format : kFormats) m_format->addItem(QString::fromLatin1(format.first));
  m_path = new QLineEdit(side);
  setNames(m_path, QStringLiteral("reportPath"), QStringLiteral("File to write"));
  m_path->setToolTip(QStringLiteral("Where the report is written"));
  m_export = new QPushButton(QStringLiteral("Export"), side);
  setNames(m_export, QStringLiteral("export"), QStringLiteral("Write the report to the file"));
  m_export->setToolTip(QStringLiteral("Write the report to the file above"));
  m_message = mutedLabel(QString(), side);
  m_message->setObjectName(QStringLiteral("reportMessage"));
  m_message->setFont(fontOf(TextSize::Caption));
  m_message->setWordWrap(true);
  layout->addWidget(m_format);
  layout->addWidget(m_path);
  layout->addWidget(m_export);
  layout->addWidget(m_message);
  layout->addStretch(1);
  connect(m_format, &QComboBox::currentIndexChanged, this, &ReportPage::suggestPath);
  connect(m_export, &QPushButton::clicked, this, &ReportPage::exportReport);
  return side;
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
  m_banner = new Banner(session, this);
  static_cast<QVBoxLayout*>(layout())->insertWidget(1, m_banner);
  connect(session, &Session::resultChanged, this, &ReportPage::refresh);
  connect(session, &Session::runPhaseChanged, this, &ReportPage::refresh);
  connect(session, &Session::reportFoldersChanged, this, &ReportPage::refresh);
  connect(session, &Session::engineProblemChanged, this,
          [this] { showRunBanner(*m_banner, *m_session); });
  connect(session, &Session::runProblemChanged, this,
          [this] { showRunBanner(*m_banner, *m_session); });
  connect(session, &Session::progressChanged, this,
          [this] { showRunBanner(*m_banner, *m_session); });
  connect(session, &Session::themeChanged, this, &ReportPage::applyTheme);
  applyTheme();
  refresh();
}

void ReportPage::applyTheme() { m_preview->setTheme(m_session->theme()); }

void ReportPage::refresh() {
  if (m_session == nullptr) return;
  showRunBanner(*m_banner, *m_session);
  m_stale = true;
  const bool some = !folders().empty();
  const bool running = m_session->runPhase() != RunPhase::Idle;
  m_emptyText->setText(running
                           ? QStringLiteral("The report is made when the run has ended.")
                           : QStringLiteral("No report yet: nothing has been run in this window."));
  if (!some || (running && !m_inputs)) {
    m_stack->setCurrentIndex(1);
    m_browser->setEnabled(false);
    return;
  }
  if (isVisible() && !running) load();
}

void ReportPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  if (m_session != nullptr && m_stale) refresh();
}

std::vector<std::filesystem::path> ReportPage::folders() const {
  if (!m_session->reportFolders().empty()) return m_session->reportFolders();
  if (m_session->result() == nullptr || m_session->runFolder().empty()) return {};
  return {m_session->runFolder()};
}

void ReportPage::addRun() {
  std::vector<std::filesystem::path> all = folders();
  const QString from = all.empty() ? QDir::homePath() : qstring(all.back().parent_path().string());
  const QString chosen =
      QFileDialog::getExistingDirectory(this, QStringLiteral("Add a run to the report"), from);
  if (chosen.isEmpty()) return;
  all.emplace_back(utf8(chosen));
  m_session->setReportFolders(std::move(all));
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
  m_path->clear();
  suggestPath();
  rebuild();
}

void ReportPage::rebuild() {
  if (!m_inputs) return;
  ReportContents contents;
  contents.question = m_question->text();
  for (const Switch& entry : m_switches) contents.*entry.member = entry.box->isChecked();
  m_document = makeReport(*m_inputs, contents);
  auto pages = std::make_shared<ReportPages>(m_document);
  m_pageCount->setText(countedText(static_cast<std::int64_t>(pages->count()),
                                   QStringLiteral("page"), QStringLiteral("pages")));
  m_preview->setAvailableWidth(m_scroll->viewport()->width());
  m_preview->setPages(std::move(pages));
}

void ReportPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  const int bar = m_scroll->verticalScrollBar()->sizeHint().width();
  m_preview->setAvailableWidth(width() - kSideWidth - bar);
}

void ReportPage::suggestPath() {
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
  if (!m_inputs || !mayReplace(this, m_path->text(), m_written)) return;
  const Status status = writeReport(m_document, utf8(m_path->text()));
  if (status) m_written = m_path->text();
  say(status ? QStringLiteral("Wrote %1").arg(m_path->text()) : errorText(status.error()), !status);
  if (status) m_session->showHint(QStringLiteral("Wrote %1").arg(m_path->text()));
}

void ReportPage::openInBrowser() {
  if (!m_inputs) return;
  const QString name = qstring(slug(first().run->name));
  const QString path = QDir::temp().filePath(QStringLiteral("stagelane-report-%1.html").arg(name));
  const Status status = writeReport(m_document, utf8(path));
  if (!status) {
    say(errorText(status.error()), true);
  } else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path))) {
    say(QStringLiteral("No browser answered; the page is %1").arg(path), true);
  }
}

}  // namespace stagelane::ui
