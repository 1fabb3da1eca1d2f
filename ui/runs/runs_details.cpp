#include "ui/runs/runs_details.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/elided_label.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/sentence.h"
#include "ui/kit/text/short_name.h"
#include "ui/session/document/setting_text.h"
#include "ui/session/run/run_table_model.h"
#include "ui/session/run/run_words.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kLeastColumn = 96;
constexpr int kMostNameWidth = 240;
QStringList columnTitles() {
  return {QObject::tr("Variant"),   QObject::tr("Strategy"), QObject::tr("Time"),
          QObject::tr("Speed-up"),  QObject::tr("Idle"),     QObject::tr("Peak"),
          QObject::tr("Gradients"), QObject::tr("Status")};
}

Json member(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return json.is_object() && found != json.end() ? *found : Json();
}

QString wordOf(const Json& json) { return json.is_null() ? QString() : settingText(json); }

QString modelText(const Json& experiment) {
  const Json model = member(experiment, "model");
  QStringList words;
  words << wordOf(member(model, "zoo")) << wordOf(member(model, "file"));
  const Json shape = member(member(experiment, "input"), "shape");
  if (shape.is_array()) {
    QStringList sizes;
    for (const Json& size : shape) sizes << wordOf(size);
    words << sizes.join(u"×"_s);
  }
  const Json batch = member(member(experiment, "data"), "batch_size");
  words << (batch.is_null() ? QString() : QObject::tr("batch %1").arg(wordOf(batch)));
  words << wordOf(member(experiment, "precision"));
  words.removeAll(QString());
  return words.join(u", "_s);
}

QString buildText(const Json& environment) {
  QStringList words{wordOf(member(environment, "stagelane")),
                    wordOf(member(environment, "git_revision")).left(8)};
  const QString torch = wordOf(member(environment, "torch"));
  words << (torch.isEmpty() ? QString() : QObject::tr("LibTorch %1").arg(torch));
  words.removeAll(QString());
  return words.join(u", "_s);
}

QString timingText(const record::RunResult& run, const Json& experiment) {
  QStringList words{qstring(run.timing)};
  const auto add = [&](const char* key, const QString& text) {
    const Json value = member(experiment, key);
    if (!value.is_null()) words << text.arg(wordOf(value));
  };
  add("repeat",
      member(experiment, "repeat") == 1 ? QObject::tr("%1 repeat") : QObject::tr("%1 repeats"));
  add("warmup", QObject::tr("%1 warm-up"));
  const Json seed = member(member(experiment, "data"), "seed");
  words << (seed.is_null() ? QString() : QObject::tr("seed %1").arg(wordOf(seed)));
  words.removeAll(QString());
  return words.join(u", "_s);
}

QString recordingText(const record::RunResult& run) {
  std::int64_t events = 0;
  std::int64_t dropped = 0;
  for (const record::VariantResult& variant : run.variants) {
    events += variant.capture ? variant.capture->events : 0;
    dropped += variant.capture ? variant.capture->dropped : 0;
  }
  return QObject::tr("%1 events, %2 dropped").arg(events).arg(dropped);
}

QStringList variantRow(const record::VariantResult& variant) {
  QStringList idle;
  QStringList peak;
  for (const record::DeviceResult& device : variant.devices) {
    idle << percentText(1.0 - device.utilisation, 1);
    peak << bytesText(device.peakBytes);
  }
  const auto& check = variant.gradientCheck ? variant.gradientCheck : variant.outputCheck;
  const bool isBase = variant.id == variant.speedupBase;
  return {shownName(variant.name.empty() ? variant.id : variant.name),
          strategyText(variant),
          variant.seconds.empty()
              ? QString()
              : repeatsText(variant.meanS, variant.stdS, variant.seconds.size()),
          isBase            ? QObject::tr("base")
          : variant.speedup ? timesText(*variant.speedup)
                            : QString(),
          idle.join(u", "_s),
          peak.join(u", "_s),
          check ? checkText(*check) : QString(),
          endText(variant)};
}

}  // namespace

RunsDetails::RunsDetails(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_title(new QLabel(this)),
      m_subtitle(new ElidedLabel(this, Qt::ElideMiddle)),
      m_buttons(new QHBoxLayout),
      m_tags(new QLineEdit(this)),
      m_note(new QPlainTextEdit(this)),
      m_facts(new QLabel(this)),
      m_table(new QTableView(this)) {
  setNames(this, u"runDetails"_s, tr("Run details"));
  setLook(this, u"panel"_s);
  build();
}

void RunsDetails::build() {
  m_title->setObjectName(u"runTitle"_s);
  m_title->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_subtitle->setObjectName(u"runSubtitle"_s);
  m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setLook(m_subtitle, u"muted"_s);
  m_buttons->setSpacing(measure::kControlGap);
  auto* top = rowLayout({}, {m_title, {m_subtitle, 1}, m_buttons});

  setNames(m_tags, u"runTags"_s, tr("Tags of the run, separated by commas"));
  m_tags->setPlaceholderText(tr("tags, separated by commas"));
  m_tags->setToolTip(tr("Tags of the run, for searches such as tag:WORD"));
  m_tags->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setNames(m_note, u"runNote"_s, tr("Note on the run"));
  m_note->setPlaceholderText(tr("A note on this run"));
  m_note->setTabChangesFocus(true);
  m_note->setFixedHeight(44);
  m_note->installEventFilter(this);
  connect(m_tags, &QLineEdit::editingFinished, this, &RunsDetails::handOn);
  connect(m_tags, &QLineEdit::returnPressed, this, &RunsDetails::editingDone);
  m_tags->installEventFilter(this);
  m_facts->setObjectName(u"runFacts"_s);
  m_facts->setTextFormat(Qt::RichText);
  m_facts->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* labels = columnLayout({.spacing = 6}, {m_tags, m_note, Stretch{1}});
  auto* middle = rowLayout({.spacing = 24}, {{m_facts, 3}, {labels, 2}});
  middle->setSizeConstraint(QLayout::SetMinimumSize);

  m_table->setModel(&m_variants);
  setNames(m_table, u"runVariants"_s, tr("Variants of the run"));
  m_table->installEventFilter(this);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->setShowGrid(false);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionMode(QAbstractItemView::NoSelection);
  m_table->setFocusPolicy(Qt::NoFocus);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(22);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  columnLayout(this, {.margins = {16, 8, 16, 4}, .spacing = 6}, {top, middle, {m_table, 1}});
}

QToolButton* RunsDetails::addButton(QAction* action, const QString& name) {
  auto* button = new QToolButton(this);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  setNames(button, name, action->text());
  m_buttons->addWidget(button);
  return button;
}

void RunsDetails::editTags() {
  m_tags->setFocus();
  m_tags->selectAll();
}

void RunsDetails::editNote() { m_note->setFocus(); }

void RunsDetails::show(const workspace::RunEntry* entry) {
  const bool same = entry != nullptr && m_entry && m_entry->folder == entry->folder;
  if (!same) {
    handOn();  // edits in the fields belong to the previous run
  }
  m_entry = entry == nullptr ? std::nullopt : std::optional(*entry);
  setVisible(entry != nullptr);
  if (entry == nullptr) {
    m_loading.cancel();
    return;
  }
  QString title = runTitle(*entry);
  title[0] = title[0].toUpper();
  m_title->setText(title);
  m_subtitle->setText(u"%1 · %2 · %3"_s.arg(startedText(entry->startedAt, 0),
                                            bytesText(entry->sizeBytes), qstring(entry->folder)));
  m_subtitle->setToolTip(qstring(entry->folder));
  if (!same || !m_tags->hasFocus()) {
    QStringList tags;
    for (const std::string& tag : entry->labels.tags) tags << qstring(tag);
    m_tags->setText(tags.join(u", "_s));
    m_filledIn.tags = workspace::tagsFromText(utf8(m_tags->text()));
  }
  if (!same || !m_note->hasFocus()) {
    m_note->setPlainText(qstring(entry->labels.note));
    m_filledIn.note = utf8(m_note->toPlainText());
  }
  m_loading.start([this, folder = entry->folder](const std::atomic<bool>&) {
    auto facts = std::make_shared<Facts>(factsOf(folder));
    return [this, facts] { showFacts(*facts); };
  });
}

RunsDetails::Facts RunsDetails::factsOf(const std::string& path) {
  Facts facts;
  const record::RunFolder folder{path};
  const auto run = record::openRun(path);
  if (!run) {
    facts.problem = errorText(run.error());
    return facts;
  }
  const auto experiment = readJsonFile(folder.experiment().string());
  const auto environment = readJsonFile(folder.environment().string());
  const Json none = Json::object();
  const Json& settings = experiment ? *experiment : none;
  const Json& machine = environment ? *environment : none;
  const auto add = [&facts](const QString& name, const QString& text) {
    if (!text.isEmpty()) facts.lines.append({name, text});
  };
  add(tr("Reason"), asSentence(qstring(run->reason)));
  if (run->failure) add(tr("Failed at"), placeText(*run->failure));
  add(tr("Machine"), wordOf(member(machine, "cpu")));
  add(tr("Model"), modelText(settings));
  add(tr("Timing"), timingText(*run, settings));
  add(tr("Build"), buildText(machine));
  add(tr("Recording"), recordingText(*run));
  // Measured variants come first, because a sweep's run omits many variants.
  for (const bool measured : {true, false}) {
    for (const record::VariantResult& variant : run->variants) {
      if (variant.seconds.empty() != measured) facts.variants.append(variantRow(variant));
    }
  }
  return facts;
}

void RunsDetails::showFacts(const Facts& facts) {
  QString text = u"<table cellspacing='0' cellpadding='2'>"_s;
  const QString muted = m_session->currentTheme()->theme().control.muted.name();
  for (const auto& [name, value] : facts.lines) {
    text += u"<tr><td style='color:%1'>%2&nbsp;&nbsp;&nbsp;</td><td>%3</td></tr>"_s.arg(
        muted, name.toHtmlEscaped(), value.toHtmlEscaped());
  }
  m_facts->setText(facts.problem.isEmpty() ? text + u"</table>"_s : facts.problem.toHtmlEscaped());
  m_variants.clear();
  m_variants.setHorizontalHeaderLabels(columnTitles());
  for (const QStringList& row : facts.variants) {
    QList<QStandardItem*> items;
    for (const QString& cell : row) {
      auto* item = new QStandardItem(cell);
      item->setToolTip(cell);
      items.append(item);
    }
    m_variants.appendRow(items);
  }
  m_table->horizontalHeader()->setMinimumSectionSize(kLeastColumn);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setStretchLastSection(true);
  // A long variant name must not push the figures out of view.
  m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Fixed);
  m_table->resizeColumnToContents(0);
  m_table->setColumnWidth(0, std::clamp(m_table->columnWidth(0), kLeastColumn, kMostNameWidth));
  Q_EMIT roomChanged();
}

int RunsDetails::missingHeight() const {
  const int rows = m_variants.rowCount() * m_table->verticalHeader()->defaultSectionSize();
  return m_table->horizontalHeader()->height() + rows + 2 - m_table->height();
}

void RunsDetails::handOn() {
  if (!m_entry) return;
  workspace::LabelEdit edit;
  if (auto tags = workspace::tagsFromText(utf8(m_tags->text())); tags != m_filledIn.tags) {
    edit.tags = m_filledIn.tags = std::move(tags);
  }
  if (std::string note = utf8(m_note->toPlainText()); note != m_filledIn.note) {
    edit.note = m_filledIn.note = std::move(note);
  }
  if (edit.tags || edit.note) Q_EMIT labelsEdited(qstring(m_entry->folder), edit);
}

bool RunsDetails::eventFilter(QObject* object, QEvent* event) {
  if (object == m_table && event->type() == QEvent::Resize) {
    Q_EMIT roomChanged();
  } else if (object == m_note && event->type() == QEvent::FocusOut) {
    handOn();
  } else if (object != m_table && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool confirmed = object == m_note && key->key() == Qt::Key_Return &&
                           key->modifiers().testFlag(Qt::ControlModifier);
    if (confirmed || key->key() == Qt::Key_Escape) {
      handOn();
      Q_EMIT editingDone();
      return true;
    }
  }
  return QWidget::eventFilter(object, event);
}

}  // namespace stagelane::ui
