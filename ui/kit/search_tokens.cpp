#include "ui/kit/search_tokens.h"

#include <QToolButton>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {

SearchTokens::SearchTokens(QWidget* parent)
    : QWidget(parent),
      m_row(rowLayout(this, {.margins = {measure::kPanelPadding, 2, measure::kPanelPadding, 4}})) {
  setNames(this, u"searchTokens"_s, tr("Search filters"));
  setLook(this, u"toolbar"_s);
  hide();
}

void SearchTokens::show(const QString& search) {
  m_search = workspace::RunSearch(utf8(search));
  delete m_tokens;
  m_tokens = new QWidget(this);
  auto* row = rowLayout(m_tokens, {.margins = {0, 0, 0, 0}, .spacing = measure::kControlGap});
  int shown = 0;
  for (std::size_t i = 0; i < m_search.terms().size(); ++i) {
    const workspace::SearchTerm& term = m_search.terms()[i];
    if (!term.narrows() && term.problem.empty()) continue;
    auto* token = new QToolButton(m_tokens);
    const QString typed = qstring(term.typed);
    token->setText(typed + u"  ×"_s);
    setNames(token, u"searchToken.%1"_s.arg(shown), tr("Remove %1 from the search").arg(typed));
    token->setToolTip(term.problem.empty() ? tr("Remove this filter from the search")
                                           : qstring(term.problem));
    connect(token, &QToolButton::clicked, this,
            [this, i] { Q_EMIT searchChanged(qstring(m_search.without(i))); });
    row->addWidget(token);
    ++shown;
  }
  row->addStretch(1);
  m_row->addWidget(m_tokens);
  setVisible(shown > 0);
}

}  // namespace stagelane::ui
