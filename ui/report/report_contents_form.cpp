#include "ui/report/report_contents_form.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "ui/kit/boxes.h"
#include "ui/kit/control_action.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/report/side_heading.h"

namespace stagelane::ui {
namespace {

constexpr int kTypingMs = 300;

}  // namespace

ReportContentsForm::ReportContentsForm(QWidget* parent)
    : QWidget(parent), m_layout(columnLayout(this, {.margins = {0, 0, 0, 0}, .spacing = 6})) {
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(&m_typing, &QTimer::timeout, this, &ReportContentsForm::changed);
  m_title = addField(tr("Title"), u"reportTitle"_s, tr("Title of the report"));
  m_question = addField(tr("Question"), u"reportQuestion"_s,
                        tr("Question that the report answers, shown below the title"));
  addSwitches();
  addNote();
}

QLineEdit* ReportContentsForm::addField(const QString& heading, const QString& name,
                                        const QString& words) {
  addSideHeading(heading, this);
  auto* edit = new QLineEdit(this);
  setNames(edit, name, words);
  edit->setToolTip(words);
  m_layout->addWidget(edit);
  connect(edit, &QLineEdit::textEdited, this, [this] { m_typing.start(); });
  return edit;
}

void ReportContentsForm::addSwitches() {
  m_layout->addSpacing(4);
  addSideHeading(tr("Contents"), this);
  auto* box = new QWidget(this);
  columnLayout(box, {.margins = {0, 0, 0, 0}, .spacing = 2});
  m_layout->addWidget(box);
  addSwitch(box, u"summary"_s, tr("Summary"), &ReportContents::summary);
  addSwitch(box, u"variants"_s, tr("Variants"), &ReportContents::variants);
  addSwitch(box, u"charts"_s, tr("Charts"), &ReportContents::charts);
  addSwitch(box, u"prediction"_s, tr("Prediction against measurement"),
            &ReportContents::prediction);
  addSwitch(box, u"timelines"_s, tr("Timelines"), &ReportContents::timelines);
  addSwitch(box, u"idle"_s, tr("Idle causes"), &ReportContents::idle);
  addSwitch(box, u"gradients"_s, tr("Gradient check"), &ReportContents::gradients);
  addSwitch(box, u"machine"_s, tr("Machine and build"), &ReportContents::machine);
  addSwitch(box, u"definitions"_s, tr("Definitions"), &ReportContents::definitions);
  addSwitch(box, u"repeats"_s, tr("Single repeats"), &ReportContents::repeats);
  m_layout->addSpacing(4);
}

void ReportContentsForm::addSwitch(QWidget* column, const QString& name, const QString& text,
                                   bool ReportContents::*member) {
  auto* box = new QCheckBox(text, column);
  setNames(box, u"contents."_s + name, tr("Include in the report: %1").arg(text));
  box->setToolTip(tr("Include in the report: %1").arg(text.toLower()));
  box->setChecked(ReportContents{}.*member);
  column->layout()->addWidget(box);
  connect(box, &QCheckBox::toggled, this, &ReportContentsForm::changed);
  m_actions.append(new ControlAction(box->accessibleName(), box, this));
  m_switches.push_back({box, member});
}

void ReportContentsForm::addNote() {
  addSideHeading(tr("Note"), this);
  m_note = new QPlainTextEdit(this);
  setNames(m_note, u"reportNote"_s, tr("Your note"));
  m_note->setToolTip(tr("Text below the summary"));
  m_note->setPlaceholderText(tr("Below the summary"));
  m_note->setTabChangesFocus(true);
  m_note->setFixedHeight(56);
  connect(m_note, &QPlainTextEdit::textChanged, this, [this] { m_typing.start(); });
  m_layout->addWidget(m_note);
}

ReportContents ReportContentsForm::contents() const {
  ReportContents contents;
  contents.question = m_question->text();
  contents.title = m_title->text();
  contents.note = m_note->toPlainText();
  for (const Switch& entry : m_switches) contents.*entry.member = entry.box->isChecked();
  return contents;
}

void ReportContentsForm::setDefaults(const QString& title, const QString& question) {
  m_title->setPlaceholderText(title);
  m_question->setPlaceholderText(question);
}

}  // namespace stagelane::ui
