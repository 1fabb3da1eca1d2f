#include "ui/plan/experiment/model_dialog.h"

#include <QDialogButtonBox>
#include <QPushButton>

#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/grow_to_fit.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr int kWidth = 480;

}  // namespace

ModelDialog::ModelDialog(Session* session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_model(new ModelForm(session->currentTheme(), session->document().baseFolder(), this)) {
  setObjectName(u"modelDialog"_s);
  setWindowTitle(tr("Change model"));
  setMinimumWidth(kWidth);
  auto* what = mutedLabel(tr("Applies to all variants. Placements stay if the new model has their "
                             "blocks; others become optimal."),
                          this);
  what->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  QPushButton* change = buttons->button(QDialogButtonBox::Ok);
  change->setText(tr("Change"));
  setNames(change, u"modelChange"_s, tr("Change model"));
  change->setToolTip(tr("Change the model of all variants (one undo step)"));
  QPushButton* cancel = buttons->button(QDialogButtonBox::Cancel);
  setNames(cancel, u"modelCancel"_s, tr("Cancel"));
  cancel->setToolTip(tr("Keep the current model"));
  columnLayout(this, {}, {what, m_model, buttons});
  m_model->setChoice(modelOf(session->document()));
  connect(m_model, &ModelForm::changed, this, [this, change] {
    m_model->setProblems({}, {});
    change->setEnabled(!m_model->wrong());
    growToFit(*this);
  });
  connect(buttons, &QDialogButtonBox::accepted, this, &ModelDialog::finish);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ModelDialog::finish() {
  if (m_model->wrong()) return;
  const ModelChoice choice = m_model->choice();
  if (choice.input.empty()) {
    m_model->setProblems({},
                         tr("Enter the shape of one sample without the batch, such as 3×128×128"));
    return;
  }
  const ModelRefusal refusal = changeModel(*m_session, choice, InputOf::Choice);
  if (refusal.text.isEmpty()) {
    accept();
  } else if (refusal.ofInput) {
    m_model->setProblems({}, refusal.text);
  } else {
    m_model->setProblems(refusal.text, {});
  }
}

}  // namespace stagelane::ui
