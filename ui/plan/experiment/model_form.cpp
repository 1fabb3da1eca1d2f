#include "ui/plan/experiment/model_form.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QPushButton>
#include <algorithm>
#include <type_traits>

#include "engine/base/json.h"
#include "engine/base/text_member.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/integer_box.h"
#include "ui/kit/look.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/typed_numbers.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kLargestSize = 10'000'000;
constexpr int kSizeColumns = 3;
const QString kFile = u"file:"_s;
const QString kOther = u"layers:"_s;

/// A fraction below 1 that accepts any typed number, as IntegerBox does.
class ShareBox final : public QDoubleSpinBox {
 public:
  explicit ShareBox(QWidget* parent) : QDoubleSpinBox(parent) {
    setRange(-kAnyTyped, kAnyTyped);
    setDecimals(kDecimals);
    setSingleStep(kStep);
  }
  [[nodiscard]] QString textFromValue(double value) const override {
    return locale().toString(value, 'g', kDecimals);
  }
  void stepBy(int steps) override {
    setValue(std::clamp(value() + steps * kStep, 0.0, kMostShare));
  }
  [[nodiscard]] QString problem() const {
    const NumberRange range{0.0, 1.0, false, true};
    return value() >= 0.0 && value() < 1.0 ? QString()
                                           : ModelForm::tr("Enter %1").arg(rangeInWords(range));
  }

 private:
  static constexpr double kAnyTyped = 1e6;
  static constexpr double kStep = 0.1;
  static constexpr double kMostShare = 0.99;
  static constexpr int kDecimals = 4;
};

}  // namespace

ModelForm::ModelForm(const CurrentTheme* theme, const QString& baseFolder, QWidget* parent)
    : QWidget(parent),
      m_baseFolder(baseFolder),
      m_model(new Combo(theme, this)),
      m_about(mutedLabel({}, this)),
      m_file(new QLineEdit(this)),
      m_input(new QLineEdit(this)) {
  build();
}

void ModelForm::build() {
  setNames(m_model, u"modelChoice"_s, tr("Model"));
  m_model->setToolTip(tr("Model to train: a built-in model or a model file"));
  for (const model::ZooEntry& entry : model::zoo()) {
    m_model->addItem(qstring(entry.name), qstring(entry.name));
    m_model->setItemData(m_model->count() - 1, QObject::tr(entry.description.c_str()),
                         Qt::ToolTipRole);
  }
  m_model->addItem(tr("Model file…"), kFile);
  setNames(m_about, u"modelAbout"_s, tr("About the model"));
  m_about->setWordWrap(true);
  setNames(m_input, u"modelInput"_s, tr("Input"));
  m_input->setToolTip(
      tr("Shape of one sample without the batch: channels × height × width of "
         "an image, tokens of a text, or values of a row"));
  m_input->setPlaceholderText(tr("3×128×128"));
  m_form = new QFormLayout(this);
  m_form->setContentsMargins(0, 0, 0, 0);
  m_modelNote = new NotedField(m_model, this);
  m_inputNote = new NotedField(m_input, this);
  m_sizes = new QWidget(this);
  m_sizeGrid = new QGridLayout(m_sizes);
  m_sizeGrid->setContentsMargins(0, 0, 0, 0);
  addRow(tr("&Model"), m_modelNote, m_model);
  m_form->addRow(QString(), m_about);
  m_fileRow = buildFile();
  m_form->addRow(tr("&File"), m_fileRow);
  m_form->addRow(tr("Sizes"), m_sizes);
  addRow(tr("&Input"), m_inputNote, m_input);
  setFocusProxy(m_model);
  connect(m_model, &QComboBox::activated, this, &ModelForm::chooseModel);
  connect(m_file, &QLineEdit::textChanged, this, [this] { suggestInput({}); });
  connect(m_input, &QLineEdit::textChanged, this, &ModelForm::changed);
}

void ModelForm::addRow(const QString& label, NotedField* note, QWidget* field) {
  m_form->addRow(label, note);
  static_cast<QLabel*>(m_form->labelForField(note))->setBuddy(field);
}

QWidget* ModelForm::buildFile() {
  auto* row = new QWidget(this);
  setNames(m_file, u"modelFile"_s, tr("Model file"));
  m_file->setToolTip(tr("JSON file with \"layers\" (see docs/reference/models.md)"));
  auto* browse = new QPushButton(tr("Browse…"), row);
  setNames(browse, u"modelBrowse"_s, tr("Choose a model file"));
  browse->setToolTip(tr("Choose a model file"));
  browse->setAutoDefault(false);
  rowLayout(row, {.margins = {0, 0, 0, 0}}, {{m_file, 1}, browse});
  connect(browse, &QPushButton::clicked, this, &ModelForm::browse);
  return row;
}

void ModelForm::browse() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Choose a model file"), m_baseFolder,
                                                    tr("Models (*.json);;All files (*)"));
  if (!path.isEmpty()) m_file->setText(path);
}

bool ModelForm::isFile() const { return m_model->currentData().toString() == kFile; }

void ModelForm::setChoice(const ModelChoice& choice) {
  const std::string zooName = textMember(choice.definition, "zoo");
  const bool file = choice.definition.is_object() && choice.definition.contains("file");
  m_other = Json();
  if (zooName.empty() && !file) {
    m_other = choice.definition;
    m_model->addItem(tr("Layers in the experiment"), kOther);
  }
  m_model->setCurrentIndex(m_model->findData(file              ? kFile
                                             : zooName.empty() ? kOther
                                                               : qstring(zooName)));
  m_chosen = m_model->currentData().toString();
  if (file && choice.definition["file"].is_string()) {
    m_file->setText(qstring(choice.definition["file"].get<std::string>()));
  }
  showSizes(zooName, choice.definition);
  m_suggested.clear();
  m_input->setText(shapeText(choice.input));
  suggestInput(choice.input);
}

void ModelForm::chooseModel(int row) {
  const QString name = m_model->itemData(row).toString();
  if (name == m_chosen) {
    return;  // the same model keeps its sizes
  }
  m_chosen = name;
  const NewExperiment beginning = beginningWith(utf8(name));
  const auto before = shapeFromText(m_input->text());
  const bool bothImages = before && before->size() == beginning.model.input.size();
  showSizes(utf8(name), beginning.model.definition);
  m_input->setText(m_suggested);  // each model has its own input
  suggestInput(bothImages ? *before : beginning.model.input);
  Q_EMIT zooChosen(name);
}

void ModelForm::showSizes(const std::string& zooName, const Json& definition) {
  m_writers.clear();
  m_sizeNotes.clear();
  qDeleteAll(m_sizes->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  const std::vector<model::ZooSize> sizes = model::zooSizes(zooName);
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    const model::ZooSize& size = sizes[at];
    const bool said = definition.is_object() && definition.contains(size.key);
    QWidget* field = sizeField(size, said ? definition[size.key] : size.fallback);
    const int cell = static_cast<int>(at);
    auto* label = mutedLabel(QObject::tr(size.label.c_str()), m_sizes);
    label->setBuddy(m_sizes->findChild<QWidget*>(u"modelSize."_s + qstring(size.key)));
    m_sizeGrid->addWidget(label, cell / kSizeColumns * 2, cell % kSizeColumns);
    // Aligned to the top, so that a problem below one field does not move the others.
    m_sizeGrid->addWidget(field, cell / kSizeColumns * 2 + 1, cell % kSizeColumns, Qt::AlignTop);
  }
  orderTabsByLayout(*window());
  m_form->setRowVisible(m_sizes, !sizes.empty());
  m_form->setRowVisible(m_fileRow, isFile());
  QString about;
  for (const model::ZooEntry& entry : model::zoo()) {
    if (entry.name == zooName) {
      about = QObject::tr(entry.description.c_str()).section(QLatin1Char(';'), 0, 0);
      about[0] = about.at(0).toUpper();
    }
  }
  m_about->setText(about);
  m_form->setRowVisible(m_about, !about.isEmpty());
}

QWidget* ModelForm::sizeField(const model::ZooSize& size, const Json& value) {
  const QString name = u"modelSize."_s + qstring(size.key);
  const QString label = QObject::tr(size.label.c_str());
  const auto write = [this, key = size.key, fallback = size.fallback](auto read) {
    m_writers.emplace_back([key, fallback, read](Json& definition) {
      if (const Json now = read(); now != fallback) definition[key] = now;
    });
  };
  const auto noted = [this](auto* box) -> QWidget* {
    auto* note = new NotedField(box, m_sizes);
    m_sizeNotes.push_back(note);
    connect(box, &std::remove_pointer_t<decltype(box)>::valueChanged, this, [this, box, note] {
      note->setProblem(box->problem());
      suggestInput({});
    });
    return note;
  };
  if (size.fallback.is_boolean()) {
    auto* box = new QCheckBox(m_sizes);
    box->setChecked(value.is_boolean() && value.get<bool>());
    connect(box, &QCheckBox::toggled, this, [this] { suggestInput({}); });
    write([box] { return Json(box->isChecked()); });
    setNames(box, name, label);
    box->setToolTip(label);
    return box;
  }
  if (size.fallback.is_number_float()) {
    auto* share = new ShareBox(m_sizes);
    share->setValue(value.is_number() ? value.get<double>() : size.fallback.get<double>());
    write([share] { return Json(share->value()); });
    setNames(share, name, label);
    share->setToolTip(tr("Fraction of values dropped during training (`p`)"));
    return noted(share);
  }
  auto* count = new IntegerBox(1, kLargestSize, m_sizes);
  count->setValue(value.is_number_integer() ? value.get<int>() : size.fallback.get<int>());
  write([count] { return Json(static_cast<std::int64_t>(count->value())); });
  setNames(count, name, label);
  count->setToolTip(
      tr("%1 of the model (default: %2)").arg(label).arg(size.fallback.get<std::int64_t>()));
  return noted(count);
}

Json ModelForm::definition() const {
  if (m_model->currentData().toString() == kOther) return m_other;
  if (isFile()) return {{"file", utf8(m_file->text().trimmed())}};
  Json definition{{"zoo", utf8(m_model->currentData().toString())}};
  for (const auto& writer : m_writers) writer(definition);
  return definition;
}

ModelChoice ModelForm::choice() const {
  const auto shape = shapeFromText(m_input->text());
  return {definition(), shape ? *shape : model::Shape{}};
}

bool ModelForm::wrong() const {
  return std::any_of(m_sizeNotes.begin(), m_sizeNotes.end(),
                     [](const NotedField* note) { return note->wrong(); });
}

void ModelForm::suggestInput(const model::Shape& wanted) {
  if (wrong()) {
    Q_EMIT changed();
    return;
  }
  const auto model = model::buildModel(definition(), "/model", utf8(m_baseFolder));
  if (model) {
    const auto now = shapeFromText(m_input->text());
    const model::Shape basis = wanted.empty() && now ? *now : wanted;
    const QString suggestion = shapeText(inputFor(**model, basis));
    const bool untouched = m_input->text().isEmpty() || m_input->text() == m_suggested;
    m_suggested = suggestion;
    if (untouched) m_input->setText(suggestion);
  }
  Q_EMIT changed();
}

void ModelForm::setProblems(const QString& ofModel, const QString& ofInput) {
  m_modelNote->setProblem(ofModel);
  const auto shape = shapeFromText(m_input->text());
  m_inputNote->setProblem(!shape && !m_input->text().isEmpty() ? errorText(shape.error())
                                                               : ofInput);
}

}  // namespace stagelane::ui
