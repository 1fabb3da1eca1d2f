#include "ui/runs/compare/runs_compare.h"

#include <QGridLayout>
#include <QSignalBlocker>
#include <utility>
#include <vector>

#include "engine/record/run_record.h"
#include "ui/kit/badge.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/look.h"
#include "ui/kit/sideways_scroll.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/runs/compare/repeats_strip.h"
#include "ui/runs/compare/steps_strip.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr std::size_t kMostSettings = 30;
constexpr int kMostValueWidth = 280;

QLabel* heading(const QString& text, QWidget* parent) {
  auto* label = mutedLabel(text, parent);
  label->setFont(fontOf(TextSize::Caption, TextWeight::Bold));
  return label;
}

/// Wraps the text after a number in narrow panels, but never the number.
QLabel* figureLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setWordWrap(text.contains(QChar(u',')));
  return label;
}

QString nameOfVariant(const record::RunResult& run, const QString& id) {
  for (const record::VariantResult& variant : run.variants) {
    if (qstring(variant.id) == id && !variant.name.empty()) return shownName(variant.name);
  }
  return id;
}

void paintText(QLabel* label, const QColor& color) {
  QPalette palette = label->palette();
  palette.setColor(QPalette::WindowText, color);
  label->setPalette(palette);
  label->setStyleSheet(u"color: %1"_s.arg(color.name()));
}

}  // namespace

RunsCompare::RunsCompare(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_variant(new Combo(session->currentTheme(), this)),
      m_sentence(new QLabel(this)),
      m_repeats(new RepeatsStrip(session->currentTheme(), this)),
      m_steps(new StepsStrip(session->currentTheme(), this)),
      m_repeatsTitle(heading(tr("Single repeats"), this)),
      m_stepsTitle(heading(tr("Median steps, from the same start"), this)) {
  setNames(this, u"comparePanel"_s, tr("Comparison of runs"));
  setLook(this, u"panel"_s);
  build();
  connect(session->currentTheme(), &CurrentTheme::changed, this, &RunsCompare::refreshRows);
}

void RunsCompare::build() {
  auto* close = new QToolButton(this);
  setNames(close, u"compareClose"_s, tr("Close comparison"));
  setLook(close, u"flat"_s);
  close->setIcon(icon(u"x"_s, m_session->currentTheme()->theme().control.muted));
  connect(m_session->currentTheme(), &CurrentTheme::changed, close, [this, close] {
    close->setIcon(icon(u"x"_s, m_session->currentTheme()->theme().control.muted));
  });
  connect(close, &QToolButton::clicked, this, &RunsCompare::closeRequested);
  setNames(m_variant, u"compareVariant"_s, tr("Variant to compare"));
  m_variant->setMinimumContentsLength(12);
  m_variant->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  connect(m_variant, &QComboBox::activated, this, &RunsCompare::load);
  auto* title = new QLabel(tr("Compare"), this);
  title->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  auto* top = rowLayout({.margins = {16, 6, 8, 6}, .spacing = measure::kControlGap},
                        {title, Stretch{1}, mutedLabel(tr("Variant"), this), m_variant, close});

  setNames(m_sentence, u"compareSentence"_s, tr("Summary of the comparison"));
  m_sentence->setWordWrap(true);
  m_sentence->setContentsMargins(10, 8, 10, 8);
  auto* scroll = new QScrollArea(this);
  setNames(scroll, u"compareScroll"_s, tr("Comparison"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  auto* content = new QWidget;
  m_content =
      columnLayout(content, {.margins = {16, 4, 16, 16}, .spacing = 8},
                   {m_sentence, m_repeatsTitle, m_repeats, m_stepsTitle, m_steps, Stretch{1}});
  scroll->setWidget(content);
  columnLayout(this, kNoRoom, {top, {scroll, 1}});
}

void RunsCompare::setRuns(std::vector<RunToLoad> runs) {
  // The history is reloaded repeatedly during a run.
  if (runs == m_runs) return;
  m_runs = std::move(runs);
  load();
}

void RunsCompare::load() {
  if (m_runs.size() < 2) {
    m_loading.cancel();
    return;
  }
  const std::string variant = utf8(m_variant->currentData().toString());
  m_loading.start([this, runs = m_runs, variant](const std::atomic<bool>& canceled) {
    auto loaded = std::make_shared<Result<std::vector<LoadedRun>>>(
        loadRuns(runs, variant, [&canceled] { return !canceled; }));
    return [this, loaded] { show(*loaded); };
  });
}

void RunsCompare::show(const Result<std::vector<LoadedRun>>& runs) {
  if (!runs) {
    m_loaded.clear();
    m_comparison = {};
    m_comparison.sentence = errorText(runs.error());
    m_comparison.tone = RunTone::Bad;
  } else {
    m_loaded = *runs;
    m_comparison = sideBySide(m_loaded);
    refreshVariants(m_loaded);
  }
  refreshRows();
}

void RunsCompare::refreshVariants(const std::vector<LoadedRun>& runs) {
  const QSignalBlocker blocker(m_variant);
  const QString kept = m_variant->currentData().toString();
  m_variant->clear();
  m_variant->addItem(tr("best of each"), QString());
  for (const QString& id : commonVariants(runs)) {
    m_variant->addItem(nameOfVariant(runs.front().result, id), id);
  }
  m_variant->setCurrentIndex(std::max(0, m_variant->findData(kept)));
}

QColor RunsCompare::colorOf(RunTone tone) const {
  const ControlColors& colors = m_session->currentTheme()->theme().control;
  return tone == RunTone::Good  ? colors.success
         : tone == RunTone::Bad ? colors.error
                                : colors.muted;
}

void RunsCompare::refreshRows() {
  const Tone tone = m_comparison.tone == RunTone::Good      ? Tone::Success
                    : m_comparison.tone == RunTone::Warning ? Tone::Warning
                    : m_comparison.tone == RunTone::Bad     ? Tone::Error
                                                            : Tone::Neutral;
  const ToneColors colors = colorsOf(m_session->currentTheme()->theme(), tone);
  m_sentence->setText(m_comparison.sentence);
  m_sentence->setStyleSheet(u"background: %1; color: %2; border-radius: 4px"_s.arg(
      tone == Tone::Neutral ? m_session->currentTheme()->theme().control.panel2.name()
                            : colors.ground.name(),
      m_session->currentTheme()->theme().control.text.name()));
  delete m_rows;
  m_rows = new QWidget(this);
  setNames(m_rows, u"compareRows"_s, tr("Compared runs"));
  columnLayout(m_rows, {.margins = {0, 0, 0, 0}, .spacing = 4});
  if (!m_loaded.empty()) {
    addSettings();
    addFigures();
    addDeltas();
  }
  m_content->insertWidget(1, m_rows);
  const bool steps = std::any_of(m_loaded.begin(), m_loaded.end(),
                                 [](const LoadedRun& run) { return !run.lanes.empty(); });
  m_repeatsTitle->setVisible(!m_loaded.empty());
  m_repeats->setVisible(!m_loaded.empty());
  m_stepsTitle->setVisible(steps);
  m_steps->setVisible(steps);
  m_repeats->show(m_comparison.titles, m_comparison.repeats);
  m_steps->show(m_loaded);
}

void RunsCompare::addHeading(const QString& text) {
  auto* label = heading(text, m_rows);
  label->setContentsMargins(0, 6, 0, 2);
  m_rows->layout()->addWidget(label);
}

void RunsCompare::addSettings() {
  addHeading(tr("What changed"));
  auto* grid = new QGridLayout;
  grid->setVerticalSpacing(4);
  grid->setHorizontalSpacing(12);
  grid->setColumnStretch(0, 1);
  const std::vector<SideBySideRow>& rows = m_comparison.settings;
  const bool pair = m_comparison.titles.size() == 2;
  for (int run = 0; !rows.empty() && run < m_comparison.titles.size(); ++run) {
    auto* title = mutedLabel(m_comparison.titles[run], m_rows);
    title->setObjectName(u"settingsOf.%1"_s.arg(run));
    title->setAlignment(Qt::AlignRight);
    grid->addWidget(title, 0, pair ? 2 * run + 1 : run + 1);
  }
  for (std::size_t i = 0; i < rows.size() && i < kMostSettings; ++i) {
    const auto line = static_cast<int>(i) + 1;
    auto* name = mutedLabel(rows[i].name, m_rows);
    name->setWordWrap(true);
    grid->addWidget(name, line, 0);
    const bool two = rows[i].values.size() == 2;
    if (two) grid->addWidget(mutedLabel(u"→"_s, m_rows), line, 2);
    for (int run = 0; run < rows[i].values.size(); ++run) {
      const QString text = rows[i].values[run];
      auto* value =
          new QLabel(fontMetrics().elidedText(text, Qt::ElideMiddle, kMostValueWidth), m_rows);
      value->setObjectName(u"setting.%1.%2"_s.arg(rows[i].name).arg(run));
      value->setToolTip(text);
      value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
      // The arrow is in the column between them.
      grid->addWidget(value, line, two ? 2 * run + 1 : run + 1);
    }
  }
  m_rows->layout()->addWidget(new SidewaysScroll(grid, m_rows));
  QStringList notes;
  if (rows.size() > kMostSettings) notes << tr("and %1 more").arg(rows.size() - kMostSettings);
  if (rows.empty()) notes << tr("No setting differs.");
  notes << m_comparison.same;
  notes.removeAll(QString());
  auto* note = mutedLabel(notes.join(QChar(u' ')), m_rows);
  note->setObjectName(u"compareNote"_s);
  note->setWordWrap(true);
  m_rows->layout()->addWidget(note);
}

void RunsCompare::addFigures() {
  addHeading(tr("Result"));
  auto* grid = new QGridLayout;
  grid->setVerticalSpacing(4);
  grid->setHorizontalSpacing(12);
  grid->setColumnStretch(0, 1);
  const bool two = m_comparison.titles.size() == 2;
  for (int run = 0; run < m_comparison.titles.size(); ++run) {
    auto* title = mutedLabel(m_comparison.titles[run], m_rows);
    title->setToolTip(nameOfVariant(m_loaded[static_cast<std::size_t>(run)].result,
                                    m_comparison.variants.value(run)));
    title->setAlignment(Qt::AlignRight);
    grid->addWidget(title, 0, run + 1);
  }
  if (two) grid->addWidget(mutedLabel(tr("change"), m_rows), 0, 3, Qt::AlignRight);
  for (std::size_t i = 0; i < m_comparison.figures.size(); ++i) {
    const SideBySideRow& row = m_comparison.figures[i];
    const int line = static_cast<int>(i) + 1;
    grid->addWidget(mutedLabel(row.name, m_rows), line, 0, Qt::AlignTop);
    for (int run = 0; run < row.values.size(); ++run) {
      auto* cell = columnLayout({.spacing = 0});
      auto* value = figureLabel(row.values[run], m_rows);
      value->setObjectName(u"figure.%1.%2"_s.arg(row.name).arg(run));
      value->setAlignment(Qt::AlignRight);
      value->setFont(fontOf(TextSize::Body, run > 0 ? TextWeight::Bold : TextWeight::Regular));
      cell->addWidget(value);
      const QString change = row.changes.value(run);
      if (run > 0 && (two || !change.isEmpty())) {
        auto* label = figureLabel(change.isEmpty() ? tr("same") : change, m_rows);
        label->setObjectName(u"change.%1.%2"_s.arg(row.name).arg(run));
        label->setAlignment(Qt::AlignRight);
        label->setFont(fontOf(TextSize::Caption));
        paintText(label, colorOf(row.tones[static_cast<std::size_t>(run)]));
        if (two) {
          grid->addWidget(label, line, 3, Qt::AlignRight | Qt::AlignVCenter);
        } else {
          cell->addWidget(label);
        }
      }
      grid->addLayout(cell, line, run + 1);
    }
  }
  m_rows->layout()->addWidget(new SidewaysScroll(grid, m_rows));
  if (m_comparison.figuresNote.isEmpty()) return;
  auto* note = mutedLabel(m_comparison.figuresNote, m_rows);
  note->setObjectName(u"figuresNote"_s);
  note->setFont(fontOf(TextSize::Caption));
  note->setWordWrap(true);
  m_rows->layout()->addWidget(note);
}

void RunsCompare::addStepHeading() {
  addHeading(tr("Differences in the recorded step"));
  auto* basis = mutedLabel(tr("The median step; with an even number of repeats, the faster of "
                              "the two middle steps, which differs from the median time."),
                           m_rows);
  basis->setObjectName(u"deltaBasis"_s);
  basis->setFont(fontOf(TextSize::Caption));
  basis->setWordWrap(true);
  m_rows->layout()->addWidget(basis);
}

void RunsCompare::addDeltas() {
  const bool pair = m_loaded.size() == 2;
  bool first = true;
  for (std::size_t run = 1; run < m_loaded.size(); ++run) {
    if (!m_loaded[run].againstFirst) continue;
    const StepDeltas deltas =
        stepDeltas(*m_loaded[run].againstFirst, m_loaded.front().title, m_loaded[run].title);
    if (std::exchange(first, false)) addStepHeading();
    auto* sentence = new QLabel(deltas.sentence, m_rows);
    sentence->setObjectName(u"deltaSentence.%1"_s.arg(run));
    sentence->setWordWrap(true);
    m_rows->layout()->addWidget(sentence);
    if (!pair) continue;
    addDeltaRows(tr("By device and cause"), u"causeDelta"_s, deltas.causes);
    addDeltaRows(tr("By kind of action"), u"groupDelta"_s, deltas.groups);
    addDeltaRows(tr("Actions that changed most"), u"actionDelta"_s, deltas.actions);
    auto* note = mutedLabel(deltas.note, m_rows);
    note->setObjectName(u"deltaNote"_s);
    note->setFont(fontOf(TextSize::Caption));
    note->setWordWrap(true);
    m_rows->layout()->addWidget(note);
  }
}

void RunsCompare::addDeltaRows(const QString& title, const QString& name,
                               const std::vector<StepDeltaRow>& rows) {
  if (rows.empty()) return;
  auto* grid = new QGridLayout;
  grid->setVerticalSpacing(4);
  grid->setHorizontalSpacing(12);
  grid->setColumnStretch(0, 1);
  grid->addWidget(mutedLabel(title, m_rows), 0, 0);
  for (int run = 0; run < 2; ++run) {
    grid->addWidget(mutedLabel(m_comparison.titles.value(run), m_rows), 0, run + 1, Qt::AlignRight);
  }
  grid->addWidget(mutedLabel(tr("change"), m_rows), 0, 3, Qt::AlignRight);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const StepDeltaRow& row = rows[i];
    const int line = static_cast<int>(i) + 1;
    auto* what = mutedLabel(fontMetrics().elidedText(row.name, Qt::ElideMiddle, 190), m_rows);
    what->setToolTip(row.name);
    grid->addWidget(what, line, 0);
    grid->addWidget(new QLabel(row.left, m_rows), line, 1, Qt::AlignRight);
    grid->addWidget(new QLabel(row.right, m_rows), line, 2, Qt::AlignRight);
    auto* change = new QLabel(row.change, m_rows);
    change->setObjectName(u"%1.%2"_s.arg(name, row.name));
    paintText(change, colorOf(row.tone));
    grid->addWidget(change, line, 3, Qt::AlignRight);
  }
  m_rows->layout()->addWidget(new SidewaysScroll(grid, m_rows));
}

}  // namespace stagelane::ui
