#include "ui/timeline/timeline_find.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {

TimelineFind::TimelineFind(QWidget* parent)
    : QWidget(parent),
      m_field(new QLineEdit(this)),
      m_count(mutedLabel({}, this)),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this)) {
  setNames(m_field, u"find"_s, tr("Find events by name or kind"));
  setNames(m_count, u"findCount"_s, tr("Number of matches"));
  setNames(m_previous, u"findPrevious"_s, tr("Previous match"));
  setNames(m_next, u"findNext"_s, tr("Next match"));
  m_field->setPlaceholderText(tr("Find an event  /"));
  m_field->setToolTip(
      tr("Words of a name or kind; stage:1, mb:3 and on:cpu:0 filter them,\nquotes "
         "keep spaces in a word: on:\"process 1\".\n"
         "Enter: next, Shift+Enter: previous, Esc: leave"));
  m_field->setClearButtonEnabled(true);
  m_field->setMinimumWidth(110);
  m_field->setMaximumWidth(200);
  m_previous->setText(u"‹"_s);
  m_next->setText(u"›"_s);
  m_previous->setToolTip(tr("Previous match (Shift+N)"));
  m_next->setToolTip(tr("Next match (N)"));
  rowLayout(this, {.margins = {0, 0, 0, 0}, .spacing = 4},
            {{m_field, 1}, m_count, m_previous, m_next});
  m_field->installEventFilter(this);
  connect(m_field, &QLineEdit::textChanged, this, &TimelineFind::textChanged);
  connect(m_previous, &QToolButton::clicked, this, [this] { Q_EMIT stepWanted(-1); });
  connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT stepWanted(1); });
  showCount(0, -1);
}

void TimelineFind::focusField() {
  m_field->setFocus(Qt::ShortcutFocusReason);
  m_field->selectAll();
}

void TimelineFind::setText(const QString& text) { m_field->setText(text); }

QString TimelineFind::text() const { return m_field->text(); }

void TimelineFind::showCount(std::size_t matches, std::int64_t place, std::size_t hidden) {
  const bool searching = !m_field->text().trimmed().isEmpty();
  m_count->setVisible(searching);
  m_previous->setVisible(searching);
  m_next->setVisible(searching);
  m_previous->setEnabled(matches > 0);
  m_next->setEnabled(matches > 0);
  QString text = matches == 0 ? tr("none")
                 : place < 0  ? QString::number(matches)
                              : tr("%1 of %2").arg(place + 1).arg(matches);
  if (hidden > 0) text += tr(" (%1 hidden)").arg(hidden);
  m_count->setText(text);
  m_count->setToolTip(hidden == 0 ? QString()
                                  : tr("Hidden matches are of kinds that are off in the legend "
                                       "below. Click a kind there to show them"));
}

void TimelineFind::showProblem(const QString& problem) {
  showCount(0, -1);
  m_count->setText(tr("invalid"));
  m_count->setToolTip(problem);
}

bool TimelineFind::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_field && event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape) {
      Q_EMIT left();
      return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      Q_EMIT stepWanted((key->modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace stagelane::ui
