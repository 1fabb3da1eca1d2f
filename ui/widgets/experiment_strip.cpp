#include "ui/widgets/experiment_strip.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "ui/models/formatting.h"
#include "ui/models/number_fields.h"
#include "ui/models/plan_edits.h"
#include "ui/widgets/combo.h"
#include "ui/widgets/document_field.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/look.h"

namespace stagelane::ui {
namespace {

constexpr int kBetweenFacts = 18;

struct Fact {
  QString label;
  QString value;
};

/// As many facts as fit, as rich text: a label has no way to shorten that itself.
QString factsText(const QList<Fact>& facts, const QColor& muted, const QFont& font, int room) {
  const QFontMetrics metrics(font);
  QStringList parts;
  int used = 0;
  for (const Fact& fact : facts) {
    const int needed = metrics.horizontalAdvance(fact.label + QStringLiteral("   ") + fact.value) +
                       (parts.isEmpty() ? 0 : kBetweenFacts);
    if (used + needed > room) {
      break;
    }
    used += needed;
    parts.append(QStringLiteral("<span style='color:%1'>%2</span>&nbsp; %3")
                     .arg(muted.name(), fact.label, fact.value.toHtmlEscaped()));
  }
  return parts.join(QStringLiteral("&nbsp;&nbsp;&nbsp;&nbsp; "));
}

}  // namespace

ExperimentStrip::ExperimentStrip(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session) {
  setObjectName(QStringLiteral("experimentStrip"));
  setLook(this, QStringLiteral("toolbar"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 1);
  layout->setSpacing(0);
  layout->addWidget(buildLine());
  m_form = buildForm();
  m_form->hide();
  layout->addWidget(m_form);
  connect(session, &Session::documentChanged, this, &ExperimentStrip::refresh);
  connect(session, &Session::themeChanged, this, &ExperimentStrip::refresh);
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
  setLook(m_toggle, QStringLiteral("flat"));
  setNames(m_toggle, QStringLiteral("experiment"), tr("Experiment settings"));
  m_toggle->setToolTip(tr("Model, data, loss, optimizer and repeats; they hold for all variants"));
  connect(m_toggle, &QToolButton::toggled, this, &ExperimentStrip::setOpen);
  m_summary = new QLabel(line);
  m_summary->setMinimumWidth(40);
  m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_repeats =
      integerField({QStringLiteral("repeats"), tr("Repeats"), {"repeat"}, 10, 1, 100000}, line);
  m_repeats->setFixedWidth(58);
  m_warmup = mutedLabel({}, line);
  auto* layout = new QHBoxLayout(line);
  layout->setContentsMargins(8, 0, measure::kPanelPadding, 0);
  layout->setSpacing(measure::kControlGap);
  layout->addWidget(m_toggle);
  layout->addWidget(m_summary, 1);
  layout->addWidget(mutedLabel(tr("Repeats"), line));
  layout->addWidget(m_repeats);
  layout->addWidget(m_warmup);
  layout->addSpacing(8);
  layout->addWidget(mutedLabel(tr("holds for all variants"), line));
  return line;
}

QWidget* ExperimentStrip::buildForm() {
  auto* form = new QWidget(this);
  auto* grid = new QGridLayout(form);
  grid->setContentsMargins(34, 4, measure::kPanelPadding, 10);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(6);
  int cell = 0;
  const auto add = [&](const QString& label, QWidget* editor) {
    const int row = cell / 4;
    const int column = (cell % 4) * 2;
    auto* text = mutedLabel(label, form);
    text->setBuddy(editor);
    grid->addWidget(text, row, column, Qt::AlignRight);
    grid->addWidget(editor, row, column + 1);
    grid->setColumnStretch(column + 1, 1);
    ++cell;
  };
  const auto integer = [&](const char* name, const QString& label, const Path& path,
                           double fallback, double low, double high) {
    add(label, integerField({QString::fromLatin1(name), label, path, fallback, low, high}, form));
  };
  const auto number = [&](const char* name, const QString& label, const Path& path, double fallback,
                          double high) {
    add(label, numberField({QString::fromLatin1(name), label, path, fallback, 0.0, high}, form));
  };
  const auto choice = [&](const char* name, const QString& label, const Path& path,
                          const QStringList& words) {
    add(label, choiceField({QString::fromLatin1(name), label, path}, words, words.first(), form));
  };
  integer("batchSize", tr("Batch"), {"data", "batch_size"}, 1, 1, 1 << 20);
  integer("batches", tr("Batches"), {"data", "batches"}, 1, 1, 1 << 20);
  choice("labels", tr("Labels"), {"data", "labels"},
         {QStringLiteral("one_hot"), QStringLiteral("class"), QStringLiteral("normal")});
  integer("seed", tr("Seed"), {"data", "seed"}, 0, 0, 2147483647);
  choice("loss", tr("Loss"), {"loss"}, {QStringLiteral("mse"), QStringLiteral("cross_entropy")});
  number("learningRate", tr("Learning rate"), {"optimizer", "lr"}, 0.001, 1e6);
  number("momentum", tr("Momentum"), {"optimizer", "momentum"}, 0.0, 1.0);
  number("weightDecay", tr("Weight decay"), {"optimizer", "weight_decay"}, 0.0, 1e6);
  integer("warmup", tr("Warm-up repeats"), {"warmup"}, 1, 0, 1000);
  choice("timing", tr("Timing"), {"timing"},
         {QStringLiteral("steady"), QStringLiteral("tutorial")});
  integer("threads", tr("Threads a CPU worker"), {"threads_per_cpu_worker"}, 1, 1, 1024);
  add(tr("Check gradients"),
      switchField({QStringLiteral("verifyGradients"), tr("Check gradients"), {"verify_gradients"}},
                  true, form));
  return form;
}

Json ExperimentStrip::valueAt(const Path& path, Json fallback) const {
  const Json* place = &m_session->document().json();
  for (const std::string& key : path) {
    if (!place->is_object() || !place->contains(key)) {
      return fallback;
    }
    place = &(*place)[key];
  }
  return *place;
}

void ExperimentStrip::apply(const QString& step, const Path& path, Json value) {
  if (m_refreshing || !m_session->document().json().is_object()) {
    return;
  }
  std::string key = "field";
  for (const std::string& part : path) {
    key += "/" + part;
  }
  Json document = withMember(m_session->document().json(), path, value);
  if (value == "tutorial") {
    document.erase("warmup");  // the tutorial's timing has none, and the reader says so
  }
  m_session->document().apply(step, std::move(document), qstring(key));
}

QSpinBox* ExperimentStrip::integerField(const Field& field, QWidget* parent) {
  auto* spin = new QSpinBox(parent);
  setNames(spin, field.name, field.label);
  spin->setToolTip(tr("%1, for all variants").arg(field.label));
  spin->setRange(static_cast<int>(field.low), static_cast<int>(field.high));
  spin->setKeyboardTracking(false);
  spin->setFocusPolicy(Qt::StrongFocus);
  leaveUndoToDocument(spin);
  connect(spin, &QSpinBox::valueChanged, this, [this, field](int value) {
    apply(tr("%1 %2").arg(field.label).arg(value), field.path, value);
  });
  m_refreshers.push_back([this, spin, field] {
    const Json value = valueAt(field.path, static_cast<std::int64_t>(field.fallback));
    spin->setValue(value.is_number_integer() ? value.get<int>() : static_cast<int>(field.fallback));
  });
  return spin;
}

QWidget* ExperimentStrip::numberField(const Field& field, QWidget* parent) {
  auto* edit = new QLineEdit(parent);
  setNames(edit, field.name, field.label);
  connect(edit, &QLineEdit::editingFinished, this, [this, edit, field] {
    const auto value = numberFromText(field.label, edit->text(), field.low, field.high);
    if (!value) {
      m_session->showHint(errorText(value.error()));
      refresh();
    } else if (*value != valueAt(field.path, field.fallback)) {
      apply(tr("%1 %2").arg(field.label, edit->text().trimmed()), field.path, *value);
    }
  });
  leaveUndoToDocument(edit);
  m_refreshers.push_back([this, edit, field] {
    const Json value = valueAt(field.path, field.fallback);
    edit->setText(value.is_number() ? QString::number(value.get<double>()) : qstring(value.dump()));
  });
  return edit;
}

QWidget* ExperimentStrip::choiceField(const Field& field, const QStringList& words,
                                      const QString& fallback, QWidget* parent) {
  auto* combo = new Combo(m_session, parent);
  setNames(combo, field.name, field.label);
  for (const QString& word : words) {
    combo->addItem(QString(word).replace(QLatin1Char('_'), QLatin1Char(' ')), word);
  }
  connect(combo, &QComboBox::activated, this, [this, combo, field](int row) {
    apply(tr("%1 %2").arg(field.label, combo->itemText(row)), field.path,
          utf8(combo->itemData(row).toString()));
  });
  m_refreshers.push_back([this, combo, field, fallback] {
    const Json value = valueAt(field.path, utf8(fallback));
    combo->setCurrentIndex(
        combo->findData(value.is_string() ? qstring(value.get<std::string>()) : fallback));
  });
  return combo;
}

QWidget* ExperimentStrip::switchField(const Field& field, bool fallback, QWidget* parent) {
  auto* box = new QCheckBox(parent);
  setNames(box, field.name, field.label);
  connect(box, &QCheckBox::clicked, this, [this, field](bool checked) {
    apply(field.label + (checked ? tr(" on") : tr(" off")), field.path, checked);
  });
  m_refreshers.push_back([this, box, field, fallback] {
    const Json value = valueAt(field.path, fallback);
    box->setChecked(value.is_boolean() ? value.get<bool>() : fallback);
  });
  return box;
}

void ExperimentStrip::setOpen(bool open) {
  m_form->setVisible(open);
  m_toggle->setChecked(open);
  const ControlColors& colors = m_session->theme().control;
  m_toggle->setIcon(icon(open ? QStringLiteral("down") : QStringLiteral("right"), colors.muted));
}

void ExperimentStrip::resizeEvent(QResizeEvent*) {
  // The label has its new width only after the layout has run.
  QMetaObject::invokeMethod(this, &ExperimentStrip::refreshSummary, Qt::QueuedConnection);
}

void ExperimentStrip::refresh() {
  m_refreshing = true;
  for (const auto& refresher : m_refreshers) {
    refresher();
  }
  m_refreshing = false;
  setOpen(m_toggle->isChecked());
  refreshSummary();
}

void ExperimentStrip::refreshSummary() {
  const auto experiment = m_session->document().lastReadable();
  if (!experiment) {
    m_summary->clear();
    m_warmup->clear();
    return;
  }
  std::int64_t parameters = 0;
  for (const model::Layer& layer : experiment->model->layers) {
    for (const model::OwnedTensor& tensor : model::ownedTensors(layer.spec)) {
      std::int64_t count = tensor.role == model::OwnedTensor::Role::Parameter ? 1 : 0;
      for (const std::int64_t size : tensor.shape) {
        count *= size;
      }
      parameters += count;
    }
  }
  const QString optimizer = qstring(experiment->optimizer.kind).toUpper();
  const QList<Fact> facts{
      {tr("Model"),
       QStringLiteral("%1 · %2 · %3 parameters")
           .arg(qstring(experiment->model->name),
                countedText(static_cast<std::int64_t>(experiment->model->blocks.size()),
                            tr("block"), tr("blocks")),
                countText(parameters))},
      {tr("Input"), shapeText(experiment->input)},
      {tr("Data"), tr("synthetic, %1 of %2")
                       .arg(countedText(experiment->data.batches, tr("batch"), tr("batches")))
                       .arg(experiment->data.batchSize)},
      {tr("Loss"),
       experiment->loss == plan::LossKind::MeanSquaredError ? tr("mse") : tr("cross entropy")},
      {tr("Optimizer"),
       QStringLiteral("%1, lr %2").arg(optimizer).arg(experiment->optimizer.learningRate)}};
  m_summary->setText(
      factsText(facts, m_session->theme().control.muted, m_summary->font(), m_summary->width()));
  m_warmup->setText(tr("+ %1 warm-up").arg(experiment->warmup));
}

}  // namespace stagelane::ui
