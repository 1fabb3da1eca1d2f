#include "ui/runs/runs_message.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/kit/look.h"

namespace stagelane::ui {

RunsMessage::RunsMessage(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_button(new QPushButton(this)) {
  setLook(this, QStringLiteral("panel"));
  m_text->setObjectName(QStringLiteral("runsMessage"));
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setWordWrap(true);
  setNames(m_button, QStringLiteral("runsMessageButton"), tr("Next step"));
  m_button->setToolTip(tr("Continue from here"));
  auto* layout = new QVBoxLayout(this);
  layout->addStretch(1);
  layout->addWidget(m_text);
  layout->addWidget(m_button, 0, Qt::AlignCenter);
  layout->addStretch(1);
  connect(m_button, &QPushButton::clicked, this, &RunsMessage::clicked);
}

void RunsMessage::show(const QString& text, const QString& button, bool offered) {
  m_text->setText(text);
  m_button->setText(button);
  m_button->setVisible(offered);
}

}  // namespace stagelane::ui
