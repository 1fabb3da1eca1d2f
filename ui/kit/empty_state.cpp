#include "ui/kit/empty_state.h"

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_button(new QPushButton(this)) {
  setLook(this, u"panel"_s);
  m_text->setAlignment(Qt::AlignCenter);
  m_text->setWordWrap(true);
  columnLayout(this, {}, {Stretch{1}, m_text, {m_button, 0, Qt::AlignCenter}, Stretch{1}});
}

}  // namespace stagelane::ui
