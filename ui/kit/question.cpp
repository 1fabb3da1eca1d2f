#include "ui/kit/question.h"

#include <QDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {
namespace {

constexpr int kWidth = 440;

}  // namespace

std::size_t ask(QWidget* parent, const Question& question) {
  QDialog dialog(parent);
  dialog.setObjectName(question.name);
  dialog.setWindowTitle(question.title);
  dialog.setMinimumWidth(kWidth);
  auto* layout = columnLayout(&dialog, {.margins = {16, 16, 16, 12}, .spacing = 8});
  const auto add = [&](const QString& text, const QString& name) {
    auto* label = new QLabel(text, &dialog);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setNames(label, name, text);
    layout->addWidget(label);
    return label;
  };
  add(question.text, u"questionText"_s)->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  if (!question.detail.isEmpty()) add(question.detail, u"questionDetail"_s);
  layout->addSpacing(8);
  auto* row = rowLayout({}, {Stretch{1}});
  std::size_t chosen = question.answers.size() - 1;
  const std::size_t byEnter = question.careful ? chosen : 0;
  for (std::size_t at = 0; at < question.answers.size(); ++at) {
    auto* button = new QPushButton(question.answers[at].text, &dialog);
    setNames(button, question.answers[at].name, question.answers[at].text);
    button->setAutoDefault(false);
    button->setDefault(at == byEnter);
    if (at == byEnter) button->setFocus();
    QObject::connect(button, &QPushButton::clicked, &dialog, [&dialog, &chosen, at] {
      chosen = at;
      dialog.accept();
    });
    row->addWidget(button);
  }
  layout->addLayout(row);
  dialog.exec();
  return chosen;
}

bool mayReplace(QWidget* parent, const QString& path, const QString& agreed) {
  const QFileInfo file(path);
  if (!file.exists() || path == agreed) return true;
  return ask(parent,
             {u"replaceDialog"_s,
              QObject::tr("Replace file"),
              QObject::tr("%1 already exists.").arg(file.fileName()),
              QObject::tr("Replacing the file in %1 overwrites its contents.")
                  .arg(file.absolutePath()),
              {{u"replaceFile"_s, QObject::tr("Replace")}, {u"keepFile"_s, QObject::tr("Keep")}},
              true}) == 0;
}

void tell(QWidget* parent, const QString& text, const QString& detail) {
  (void)ask(parent, {u"messageDialog"_s,
                     QObject::tr("Stagelane"),
                     text,
                     detail,
                     {{u"messageOk"_s, QObject::tr("OK")}}});
}

}  // namespace stagelane::ui
