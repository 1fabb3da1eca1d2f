#include "ui/plan/experiment/document_fields.h"

#include "engine/base/json.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/document_field.h"
#include "ui/kit/integer_box.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

Json memberAt(const Json& document, const std::vector<std::string>& path, const Json& fallback) {
  const Json* place = &document;
  for (const std::string& key : path) {
    if (!place->is_object() || !place->contains(key)) return fallback;
    place = &(*place)[key];
  }
  return place->is_null() ? fallback : *place;
}

QString textOf(const Json& value) {
  if (value.is_null()) return {};
  return value.is_number()   ? preciseText(value.get<double>(), 6)
         : value.is_string() ? qstring(value.get<std::string>())
                             : qstring(value.dump());
}

void introduce(QWidget* control, const DocumentField& field) {
  setNames(control, field.name, field.label);
  control->setToolTip(field.tip.isEmpty() ? field.label : field.tip);
}

}  // namespace

DocumentFields::DocumentFields(Session* session, QObject* parent)
    : QObject(parent), m_session(session) {}

Json DocumentFields::valueOf(const DocumentField& field) const {
  const Json& document = m_session->document().json();
  return field.read ? field.read(document) : memberAt(document, field.path, field.fallback);
}

void DocumentFields::apply(const QString& step, const DocumentField& field, const Json& value) {
  const Json& document = m_session->document().json();
  if (m_refreshing || !document.is_object()) return;
  Json after = field.edit ? field.edit(document, value) : withMember(document, field.path, value);
  m_session->document().apply(step, std::move(after), u"field/"_s + field.name);
}

void DocumentFields::remove(const DocumentField& field) {
  Json document = m_session->document().json();
  Json* place = &document;
  for (std::size_t at = 0; at + 1 < field.path.size(); ++at) place = &(*place)[field.path[at]];
  if (place->is_object()) place->erase(field.path.back());
  m_session->document().apply(tr("%1 none").arg(field.label), std::move(document));
}

NotedField* DocumentFields::integer(const DocumentField& field, int least, int most,
                                    QWidget* parent) {
  auto* box = new IntegerBox(least, most, parent);
  box->setKeyboardTracking(false);
  introduce(box, field);
  leaveUndoToDocument(box);
  box->setToolTip(u"%1; %2"_s.arg(box->toolTip(), box->words()));
  auto* noted = new NotedField(box, parent);
  connect(box, &QSpinBox::valueChanged, this,
          [this, field, box, noted] { enterInteger(field, box, noted); });
  m_refreshers.emplace_back([this, field, box, noted, shown = Json()]() mutable {
    const Json value = valueOf(field);
    if (noted->wrong() && value == shown) return;
    shown = value;
    box->setValue(value.is_number_integer() ? value.get<int>() : field.fallback.get<int>());
  });
  return noted;
}

void DocumentFields::enterInteger(const DocumentField& field, IntegerBox* box, NotedField* noted) {
  noted->setProblem(box->problem());
  if (box->within() && valueOf(field) != box->value()) {
    apply(tr("%1 %2").arg(field.label).arg(box->value()), field, box->value());
  }
}

/// A refused text stays in its field while other fields change.
std::function<void()> DocumentFields::following(const DocumentField& field, QLineEdit* edit,
                                                NotedField* noted) const {
  return [this, field, edit, noted, shown = QString()]() mutable {
    const QString text = textOf(valueOf(field));
    if (noted->wrong() && text == shown) return;
    shown = text;
    edit->setText(text);
    edit->setCursorPosition(0);
    noted->setProblem({});
  };
}

NotedField* DocumentFields::number(const DocumentField& field, const NumberRange& range,
                                   bool optional, QWidget* parent) {
  auto* edit = new QLineEdit(parent);
  introduce(edit, field);
  leaveUndoToDocument(edit);
  edit->setToolTip(u"%1; %2"_s.arg(edit->toolTip(), rangeInWords(range)));
  edit->setPlaceholderText(optional ? tr("none") : QString());
  auto* noted = new NotedField(edit, parent);
  connect(edit, &QLineEdit::editingFinished, this,
          [=, this] { enterNumber(field, range, optional, edit, noted); });
  connect(edit, &QLineEdit::textEdited, noted, [noted] { noted->setProblem({}); });
  m_refreshers.push_back(following(field, edit, noted));
  return noted;
}

void DocumentFields::enterNumber(const DocumentField& field, const NumberRange& range,
                                 bool optional, QLineEdit* edit, NotedField* noted) {
  const QString text = edit->text().trimmed();
  const Json before = valueOf(field);
  if (text == textOf(before)) {
    noted->setProblem({});
    return;
  }
  if (optional && text.isEmpty()) {
    remove(field);
    return;
  }
  const auto value = numberFromText(text, range);
  if (!value) {
    noted->setProblem(errorText(value.error()));
    return;
  }
  apply(tr("%1 %2").arg(field.label, text), field, *value);
}

NotedField* DocumentFields::text(const DocumentField& field, QWidget* parent) {
  auto* edit = new QLineEdit(parent);
  introduce(edit, field);
  leaveUndoToDocument(edit);
  auto* noted = new NotedField(edit, parent);
  connect(edit, &QLineEdit::editingFinished, this, [this, edit, noted, field] {
    const QString text = edit->text().trimmed();
    noted->setProblem(text.isEmpty() ? tr("Enter a name") : QString());
    if (!text.isEmpty() && text != textOf(valueOf(field))) {
      apply(tr("%1 %2").arg(field.label, text), field, utf8(text));
    }
  });
  m_refreshers.push_back(following(field, edit, noted));
  return noted;
}

Combo* DocumentFields::choice(const DocumentField& field, const std::vector<FieldWord>& words,
                              QWidget* parent) {
  auto* combo = new Combo(m_session->currentTheme(), parent);
  introduce(combo, field);
  for (const FieldWord& word : words) combo->addItem(word.text, qstring(word.word));
  connect(combo, &QComboBox::activated, this, [this, combo, field](int row) {
    apply(tr("%1 %2").arg(field.label, combo->itemText(row)), field,
          utf8(combo->itemData(row).toString()));
  });
  m_refreshers.emplace_back([this, combo, field] {
    const int row = combo->findData(textOf(valueOf(field)));
    combo->setCurrentIndex(row < 0 ? combo->findData(textOf(field.fallback)) : row);
  });
  return combo;
}

QCheckBox* DocumentFields::onOff(const DocumentField& field, QWidget* parent) {
  auto* box = new QCheckBox(parent);
  introduce(box, field);
  connect(box, &QCheckBox::clicked, this, [this, field](bool checked) {
    apply(field.label + (checked ? tr(" on") : tr(" off")), field, checked);
  });
  m_refreshers.emplace_back([this, box, field] {
    const Json value = valueOf(field);
    box->setChecked(value.is_boolean() ? value.get<bool>() : field.fallback == true);
  });
  return box;
}

void DocumentFields::refresh() {
  m_refreshing = true;
  for (const auto& refresher : m_refreshers) refresher();
  m_refreshing = false;
}

}  // namespace stagelane::ui
