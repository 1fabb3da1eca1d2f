#include "ui/plan/experiment/experiment_form.h"

#include <QHBoxLayout>
#include <QLabel>
#include <limits>
#include <utility>
#include <vector>

#include "engine/base/json.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/document_field.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/experiment/model_change.h"
#include "ui/session/document/document.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/document/setting_edits.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kLeft = 34;  ///< under the heading of the strip
constexpr int kMostCount = 1'000'000;
constexpr int kMostRepeats = 100'000;
constexpr int kMostThreads = 1024;
constexpr int kColumnGap = 22;
constexpr double kDecayOfAdamW = 0.01;  ///< PyTorch's default

const NumberRange kUpToOne{0.0, 1.0};
const NumberRange kShare{0.0, 1.0, false, true};
const NumberRange kAboveZero{0.0, std::numeric_limits<double>::max(), true, false};

using Words = std::vector<FieldWord>;

/// An edit that receives the chosen word.
template <class Edit>
DocumentField::Edit byWord(Edit edit) {
  return [edit](Json document, const Json& value) {
    return edit(std::move(document), value.get<std::string>());
  };
}

Json optimizerOf(const Json& document) {
  return document.is_object() && document.contains("optimizer") && document["optimizer"].is_object()
             ? document["optimizer"]
             : Json::object();
}

Json warmupOf(const Json& document) {
  if (document.is_object() && document.contains("warmup")) return document["warmup"];
  const bool tutorial =
      document.is_object() && document.contains("timing") && document["timing"] == "tutorial";
  return tutorial ? 0 : 1;
}

Json weightDecayOf(const Json& document) {
  const Json optimizer = optimizerOf(document);
  if (optimizer.contains("weight_decay")) return optimizer["weight_decay"];
  return optimizer.contains("kind") && optimizer["kind"] == "adamw" ? kDecayOfAdamW : 0.0;
}

Json betasOf(const Json& document) {
  const Json optimizer = optimizerOf(document);
  const bool said = optimizer.contains("betas") && optimizer["betas"].is_array() &&
                    optimizer["betas"].size() == 2;
  return said ? optimizer["betas"] : Json::array({0.9, 0.999});
}

DocumentField beta(std::size_t which) {
  const auto number = QString::number(which + 1);
  return {u"beta"_s + number,
          QObject::tr("Beta %1").arg(number),
          which == 0 ? QObject::tr("Decay rate of the gradient's running mean (β₁)")
                     : QObject::tr("Decay rate of the squared gradient's running mean (β₂)"),
          {"optimizer", "betas"},
          Json(),
          [which](Json document, const Json& value) {
            Json betas = betasOf(document);
            betas[which] = value;
            return withMember(std::move(document), {"optimizer", "betas"}, std::move(betas));
          },
          [which](const Json& document) { return betasOf(document)[which]; }};
}

}  // namespace

ExperimentForm::ExperimentForm(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_fields(session, this) {
  rowLayout(this, {.margins = {kLeft, 2, measure::kPanelPadding, 10}, .spacing = kColumnGap});
  buildModel();
  buildData();
  buildTraining();
  buildMeasuring();
}

QFormLayout* ExperimentForm::addColumn(const QString& heading) {
  auto* column = new QFormLayout;
  column->setContentsMargins(0, 0, 0, 0);
  column->setHorizontalSpacing(8);
  column->setVerticalSpacing(4);
  auto* text = new QLabel(heading, this);
  text->setFont(fontOf(TextSize::Caption, TextWeight::Bold));
  column->addRow(text);
  static_cast<QHBoxLayout*>(layout())->addLayout(column, 1);
  return column;
}

void ExperimentForm::addRow(QFormLayout* column, const QString& label, QWidget* field) {
  auto* text = mutedLabel(label, this);
  text->setBuddy(field);
  field->setMinimumWidth(56);
  column->addRow(text, field);
}

void ExperimentForm::buildModel() {
  QFormLayout* column = addColumn(tr("Model"));
  addRow(column, tr("Name"),
         m_fields.text({u"experimentName"_s,
                        tr("Name"),
                        tr("Name of the experiment in the window, in runs and in reports"),
                        {"name"},
                        "experiment"},
                       this));
  m_model = new Combo(m_session->currentTheme(), this);
  setNames(m_model, u"model"_s, tr("Model"));
  m_model->setToolTip(tr("Model to train. Placements stay if the new model has their blocks"));
  for (const model::ZooEntry& entry : model::zoo()) {
    m_model->addItem(qstring(entry.name), qstring(entry.name));
    m_model->setItemData(m_model->count() - 1, QObject::tr(entry.description.c_str()),
                         Qt::ToolTipRole);
  }
  connect(m_model, &QComboBox::activated, this, &ExperimentForm::chooseModel);
  m_modelNote = new NotedField(m_model, this);
  addRow(column, tr("Model"), m_modelNote);
  m_input = new QLineEdit(this);
  setNames(m_input, u"input"_s, tr("Input"));
  leaveUndoToDocument(m_input);
  m_input->setToolTip(
      tr("Shape of one sample without the batch: 3×128×128 for an image, 128 "
         "for a text of 128 tokens"));
  connect(m_input, &QLineEdit::editingFinished, this, &ExperimentForm::enterInput);
  m_inputNote = new NotedField(m_input, this);
  connect(m_input, &QLineEdit::textEdited, m_inputNote, [this] { m_inputNote->setProblem({}); });
  addRow(column, tr("Input"), m_inputNote);
  addRow(column, tr("Data type"),
         m_fields.choice({u"dtype"_s,
                          tr("Data type"),
                          tr("Data type of parameters and activations (`dtype`)"),
                          {"input", "dtype"},
                          "float32",
                          byWord(withDtype)},
                         Words{{"float32", tr("float32")}, {"float64", tr("float64")}}, this));
  addRow(column, tr("Precision"),
         m_fields.choice(
             {u"precision"_s,
              tr("Precision"),
              tr("Compute precision: full precision of the data type, TF32 matrix "
                 "products on GPUs, or bfloat16 autocast"),
              {"precision"},
              "fp32",
              byWord(withPrecision)},
             Words{{"fp32", tr("full")}, {"tf32", tr("TF32")}, {"bf16", tr("bfloat16")}}, this));
  auto* sizes = new QPushButton(tr("Sizes and files…"), this);
  setNames(sizes, u"modelSizes"_s, tr("Model sizes and files"));
  sizes->setToolTip(tr("Change the model's sizes or load a model file"));
  connect(sizes, &QPushButton::clicked, this, &ExperimentForm::changeModelRequested);
  addRow(column, QString(), sizes);
}

void ExperimentForm::buildData() {
  QFormLayout* column = addColumn(tr("Data and loss"));
  const auto integer = [&](const char* name, const QString& label, const QString& tip,
                           const std::string& key, int fallback, int least, int most) {
    addRow(column, label,
           m_fields.integer({QString::fromLatin1(name), label, tip, {"data", key}, fallback}, least,
                            most, this));
  };
  integer("batchSize", tr("Batch"), tr("Samples per training step (`batch_size`)"), "batch_size", 1,
          1, kMostCount);
  addRow(column, tr("Batches"),
         m_fields.integer({u"batches"_s,
                           tr("Batches"),
                           tr("Training steps per repeat"),
                           {"data", "batches"},
                           1,
                           withBatches,
                           batchesOf},
                          1, kMostCount, this));
  addRow(column, tr("Labels"),
         m_fields.choice(
             {u"labels"_s,
              tr("Labels"),
              tr("Format of the labels: one-hot rows, class indices, or random values"),
              {"data", "labels"},
              "one_hot",
              byWord(withLabels)},
             Words{{"one_hot", tr("one hot")}, {"class", tr("class")}, {"normal", tr("normal")}},
             this));
  addRow(column, tr("Loss"),
         m_fields.choice({u"loss"_s,
                          tr("Loss"),
                          tr("Loss function: mean squared error or cross entropy"),
                          {"loss"},
                          "mse",
                          byWord(withLoss)},
                         Words{{"mse", tr("mse")}, {"cross_entropy", tr("cross entropy")}}, this));
  integer("seed", tr("Seed"), tr("Random seed of the parameters; the data use the next seed"),
          "seed", 0, 0, std::numeric_limits<int>::max());
  addRow(column, tr("Task"),
         m_fields.choice({u"task"_s,
                          tr("Task"),
                          tr("Train, or run the forward pass only without gradients"),
                          {"task"},
                          "train"},
                         Words{{"train", tr("train")}, {"infer", tr("infer")}}, this));
}

void ExperimentForm::buildTraining() {
  m_training = addColumn(tr("Training"));
  const auto number = [&](const char* name, const QString& label, const QString& tip,
                          const DocumentField& like, const NumberRange& range) {
    DocumentField field = like;
    field.name = QString::fromLatin1(name);
    field.label = label;
    field.tip = tip;
    QWidget* made = m_fields.number(field, range, false, this);
    addRow(m_training, label, made);
    return made;
  };
  addRow(m_training, tr("Optimizer"),
         m_fields.choice({u"optimizer"_s,
                          tr("Optimizer"),
                          tr("Optimizer. Adam and AdamW keep two state tensors per parameter, SGD "
                             "one with momentum, none without"),
                          {"optimizer", "kind"},
                          "sgd",
                          byWord(withOptimizerKind)},
                         Words{{"sgd", tr("SGD")}, {"adam", tr("Adam")}, {"adamw", tr("AdamW")}},
                         this));
  number("learningRate", tr("Learning rate"), tr("Step size of the optimizer (`lr`)"),
         {{}, {}, {}, {"optimizer", "lr"}, 0.001}, {});
  m_momentum = number("momentum", tr("Momentum"), tr("Momentum factor (`momentum`)"),
                      {{}, {}, {}, {"optimizer", "momentum"}, 0.0}, kUpToOne);
  m_betas = new QWidget(this);
  rowLayout(m_betas, {.margins = {0, 0, 0, 0}, .spacing = 4},
            {m_fields.number(beta(0), kShare, false, m_betas),
             m_fields.number(beta(1), kShare, false, m_betas)});
  addRow(m_training, tr("Betas"), m_betas);
  number("weightDecay", tr("Weight decay"), tr("Weight decay coefficient (`weight_decay`)"),
         {{}, {}, {}, {"optimizer", "weight_decay"}, Json(), {}, weightDecayOf}, {});
  m_eps = number("eps", tr("Epsilon"),
                 tr("Term added to the denominator for numerical stability (`eps`)"),
                 {{}, {}, {}, {"optimizer", "eps"}, 1e-8}, {});
  addRow(m_training, tr("Clip gradients"),
         m_fields.number(
             {u"clipGradients"_s,
              tr("Clip gradients"),
              tr("Maximum 2-norm of all gradients together (`max_norm`); empty: no clipping"),
              {"clip_grad_norm"},
              Json()},
             kAboveZero, true, this));
}

void ExperimentForm::buildMeasuring() {
  QFormLayout* column = addColumn(tr("Measurement"));
  addRow(column, tr("Warm-up"),
         m_fields.integer({u"warmup"_s,
                           tr("Warm-up repeats"),
                           tr("Untimed repeats before the timed ones"),
                           {"warmup"},
                           1,
                           {},
                           warmupOf},
                          0, kMostRepeats, this));
  addRow(column, tr("Timing"),
         m_fields.choice({u"timing"_s,
                          tr("Timing"),
                          tr("Steady: synchronize devices before and after each repeat. Tutorial: "
                             "time as the PyTorch tutorial does"),
                          {"timing"},
                          "steady",
                          byWord(withTiming)},
                         Words{{"steady", tr("steady")}, {"tutorial", tr("tutorial")}}, this));
  addRow(column, tr("CPU threads"),
         m_fields.integer({u"threads"_s,
                           tr("Threads per CPU worker"),
                           tr("Number of threads of each CPU worker"),
                           {"threads_per_cpu_worker"},
                           1},
                          1, kMostThreads, this));
  addRow(column, tr("Trace"),
         m_fields.choice({u"trace"_s,
                          tr("Trace"),
                          tr("Events to record: stage actions, plus operators, plus GPU kernels"),
                          {"trace"},
                          "actions"},
                         Words{{"none", tr("none")},
                               {"actions", tr("actions")},
                               {"ops", tr("operators")},
                               {"kernels", tr("kernels")}},
                         this));
  addRow(column, tr("Batch norm"),
         m_fields.choice({u"batchNorm"_s,
                          tr("Batch norm"),
                          tr("Update running statistics once per micro-batch, or deferred: once "
                             "per batch"),
                          {"batch_norm"},
                          "running"},
                         Words{{"running", tr("running")}, {"deferred", tr("deferred")}}, this));
  addRow(column, tr("Check gradients"),
         m_fields.onOff({u"verifyGradients"_s,
                         tr("Check gradients"),
                         tr("Compare each plan's gradients with those of a single worker"),
                         {"verify_gradients"},
                         true},
                        this));
}

void ExperimentForm::chooseModel(int row) {
  const std::string name = utf8(m_model->itemData(row).toString());
  const Json& document = m_session->document().json();
  const Json now = document.is_object() ? document.value("model", Json()) : Json();
  if (now.is_object() && now.contains("zoo") && now["zoo"] == name) {
    return;  // the current model keeps its sizes
  }
  const auto input = shapeFromText(m_input->text());
  applyModel(beginningWith(name).model.definition, input ? *input : model::Shape{}, m_modelNote);
}

void ExperimentForm::enterInput() {
  const auto input = shapeFromText(m_input->text());
  if (!input) {
    m_inputNote->setProblem(errorText(input.error()));
    return;
  }
  m_inputNote->setProblem({});
  const auto experiment = m_session->document().lastReadable();
  if (experiment && experiment->input != *input) {
    applyModel(modelOf(m_session->document()).definition, *input, m_inputNote);
  }
}

void ExperimentForm::applyModel(const Json& definition, const model::Shape& input,
                                NotedField* asking) {
  const InputOf whose = asking == m_inputNote ? InputOf::Choice : InputOf::Model;
  const QString problem = changeModel(*m_session, {definition, input}, whose).text;
  if (problem.isEmpty() || asking == m_modelNote) {
    refresh();  // a refused input stays in its field
  }
  asking->setProblem(problem);
}

void ExperimentForm::refresh() {
  m_fields.refresh();
  const Json& document = m_session->document().json();
  const Json definition = document.is_object() ? document.value("model", Json()) : Json();
  const auto experiment = m_session->document().lastReadable();
  const bool zoo = definition.is_object() && definition.contains("zoo");
  m_model->setCurrentIndex(zoo && definition["zoo"].is_string()
                               ? m_model->findData(qstring(definition["zoo"].get<std::string>()))
                               : -1);
  m_model->setPlaceholderText(experiment ? qstring(experiment->model->name) : QString());
  m_modelNote->setProblem({});
  const QString input = experiment ? shapeText(experiment->input) : QString();
  if (std::exchange(m_shownInput, input) != input || !m_inputNote->wrong()) {
    m_input->setText(input);
    m_inputNote->setProblem({});
  }
  const Json optimizer = optimizerOf(document);
  const bool sgd = !optimizer.contains("kind") || optimizer["kind"] == "sgd";
  m_training->setRowVisible(m_momentum, sgd);
  m_training->setRowVisible(m_betas, !sgd);
  m_training->setRowVisible(m_eps, !sgd);
}

}  // namespace stagelane::ui
