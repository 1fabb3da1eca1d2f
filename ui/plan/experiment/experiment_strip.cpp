#include "ui/plan/experiment/experiment_strip.h"

#include <QEvent>

#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/icons.h"
#include "ui/kit/kept_choice.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/experiment/model_dialog.h"
#include "ui/session/document/document.h"
#include "ui/session/document/new_experiment_check.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kBetweenFacts = 18;
constexpr int kMostRepeats = 100'000;

struct Fact {
  QString label;
  QString value;
};

/// As many facts as fit; a label cannot elide rich text.
QString factsText(const QList<Fact>& facts, const QColor& muted, const QFont& font, int room) {
  const QFontMetrics metrics(font);
  QStringList parts;
  int used = 0;
  for (const Fact& fact : facts) {
    const int needed = metrics.horizontalAdvance(fact.label + u"   "_s + fact.value) +
                       (parts.isEmpty() ? 0 : kBetweenFacts);
    if (used + needed > room) break;
    used += needed;
    parts.append(u"<span style='color:%1'>%2</span>&nbsp; %3"_s.arg(muted.name(), fact.label,
                                                                    fact.value.toHtmlEscaped()));
  }
  return parts.join(u"&nbsp;&nbsp;&nbsp;&nbsp; "_s);
}

}  // namespace

ExperimentStrip::ExperimentStrip(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_fields(session, this),
      m_showForm(new QAction(tr("Experiment settings"), this)),
      m_changeModel(new QAction(tr("Change model…"), this)) {
  setNames(this, u"experimentStrip"_s, tr("Experiment"));
  setLook(this, u"toolbar"_s);
  auto* layout = columnLayout(this, {.margins = {0, 0, 0, 1}, .spacing = 0}, {buildLine()});
  m_form = new ExperimentForm(session, this);
  m_form->hide();
  layout->addWidget(m_form);
  m_showForm->setObjectName(u"experimentSettings"_s);
  m_showForm->setShortcut(Qt::CTRL | Qt::Key_G);
  m_changeModel->setObjectName(u"changeModel"_s);
  m_changeModel->setToolTip(tr("Choose another model, change its sizes, or load a file"));
  connect(m_showForm, &QAction::triggered, this, [this] { setOpen(!isOpen()); });
  connect(m_changeModel, &QAction::triggered, this, &ExperimentStrip::openModelDialog);
  connect(m_form, &ExperimentForm::changeModelRequested, this, &ExperimentStrip::openModelDialog);
  connect(&session->document(), &ExperimentDocument::changed, this, &ExperimentStrip::refresh);
  connect(session->currentTheme(), &CurrentTheme::changed, this, [this] {
    setOpen(m_toggle->isChecked());
    refresh();
  });
  setOpen(m_toggle->isChecked());
  refresh();
}

QWidget* ExperimentStrip::buildLine() {
  auto* line = new QWidget(this);
  line->setFixedHeight(measure::kStripHeight);
  m_toggle = new QToolButton(line);
  m_toggle->setText(tr("Experiment"));
  m_toggle->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_toggle->setCheckable(true);
  keepChoice(m_toggle);
  setLook(m_toggle, u"flat"_s);
  setNames(m_toggle, u"experiment"_s, tr("Experiment settings"));
  m_toggle->setToolTip(tr("Model, data, loss, optimizer and repeats of all variants"));
  connect(m_toggle, &QToolButton::toggled, this, &ExperimentStrip::setOpen);
  m_summary = new QLabel(line);
  m_summary->setTextFormat(Qt::RichText);
  m_summary->setMinimumWidth(40);
  m_summary->installEventFilter(this);
  m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  NotedField* repeats = m_fields.integer(
      {u"repeats"_s, tr("Repeats"), tr("Timed repeats of each variant"), {"repeat"}, 10}, 1,
      kMostRepeats, line);
  repeats->setFixedWidth(58);
  m_warmup = mutedLabel({}, line);
  rowLayout(line, {.margins = {8, 0, measure::kPanelPadding, 0}, .spacing = measure::kControlGap},
            {m_toggle,
             {m_summary, 1},
             repeats->takeNote(),
             mutedLabel(tr("Repeats"), line),
             repeats,
             m_warmup,
             Gap{8},
             mutedLabel(tr("for all variants"), line)});
  return line;
}

void ExperimentStrip::openModelDialog() { ModelDialog(m_session, this).exec(); }

void ExperimentStrip::setOpen(bool open) {
  m_form->setVisible(open);
  m_toggle->setChecked(open);
  const ControlColors& colors = m_session->currentTheme()->theme().control;
  m_toggle->setIcon(icon(open ? u"down"_s : u"right"_s, colors.muted));
}

bool ExperimentStrip::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_summary && event->type() == QEvent::Resize) refreshSummary();
  return QWidget::eventFilter(watched, event);
}

void ExperimentStrip::refresh() {
  m_fields.refresh();
  m_form->refresh();
  refreshSummary();
}

void ExperimentStrip::refreshSummary() {
  const auto experiment = m_session->document().lastReadable();
  if (!experiment) {
    m_summary->clear();
    m_warmup->clear();
    return;
  }
  const QString optimizer = qstring(experiment->optimizer.kind).toUpper();
  const QList<Fact> facts{
      {tr("Model"),
       tr("%1 · %2 · %3 parameters")
           .arg(qstring(experiment->model->name),
                countedText(static_cast<std::int64_t>(experiment->model->blocks.size()),
                            tr("block"), tr("blocks")),
                countText(parameterCount(*experiment->model)))},
      {tr("Input"), shapeText(experiment->input)},
      {tr("Data"), tr("synthetic, %1 of %2")
                       .arg(countedText(experiment->data.batches, tr("batch"), tr("batches")))
                       .arg(experiment->data.batchSize)},
      {tr("Loss"),
       experiment->loss == plan::LossKind::MeanSquaredError ? tr("mse") : tr("cross entropy")},
      {tr("Optimizer"),
       tr("%1, lr %2").arg(optimizer, preciseText(experiment->optimizer.learningRate, 6))}};
  m_summary->setText(factsText(facts, m_session->currentTheme()->theme().control.muted,
                               m_summary->font(), m_summary->width()));
  m_warmup->setText(tr("+ %1 warm-up").arg(experiment->warmup));
}

}  // namespace stagelane::ui
