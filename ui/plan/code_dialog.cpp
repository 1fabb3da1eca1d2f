#include "ui/plan/code_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>

#include "engine/base/files.h"
#include "engine/plan/experiment.h"
#include "ui/kit/boxes.h"
#include "ui/kit/current_theme.h"
#include "ui/kit/look.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

struct FormWords {
  codegen::CodeForm form;
  const char* name;
  const char* about;
};

constexpr FormWords kForms[] = {
    {codegen::CodeForm::Tutorial,
     QT_TRANSLATE_NOOP("stagelane::ui::CodeDialog", "PyTorch script, one process"),
     QT_TRANSLATE_NOOP("stagelane::ui::CodeDialog",
                       "In the style of PyTorch's model-parallel tutorial. Run it with python3.")},
    {codegen::CodeForm::Pipelining,
     QT_TRANSLATE_NOOP("stagelane::ui::CodeDialog",
                       "torch.distributed.pipelining, one process per device"),
     QT_TRANSLATE_NOOP("stagelane::ui::CodeDialog",
                       "Uses the plan's schedule. Run it with torchrun.")},
    {codegen::CodeForm::DeviceMap,
     QT_TRANSLATE_NOOP("stagelane::ui::CodeDialog", "Device map (JSON)"),
     QT_TRANSLATE_NOOP("stagelane::ui::CodeDialog",
                       "For device_map of Hugging Face accelerate and transformers.")},
};

}  // namespace

CodeDialog::CodeDialog(Session* session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_form(new Combo(session->currentTheme(), this)),
      m_about(mutedLabel({}, this)),
      m_text(new QPlainTextEdit(this)),
      m_notes(new QLabel(this)),
      m_copy(new QPushButton(tr("Copy"), this)),
      m_save(new QPushButton(tr("Save as…"), this)) {
  setObjectName(u"codeDialog"_s);
  const plan::Variant* variant = session->selection().variant();
  setWindowTitle(variant == nullptr ? tr("Export code")
                                    : tr("Export code: %1").arg(qstring(variant->name)));
  build();
  resize(820, 640);
  connect(m_form, &QComboBox::currentIndexChanged, this, &CodeDialog::refresh);
  connect(&session->document(), &ExperimentDocument::changed, this, &CodeDialog::refresh);
  connect(m_copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_text->toPlainText()); });
  connect(m_save, &QPushButton::clicked, this, &CodeDialog::saveAs);
  refresh();
}

void CodeDialog::build() {
  setNames(m_form, u"codeForm"_s, tr("Code format"));
  setNames(m_about, u"codeAbout"_s, tr("About this format"));
  setNames(m_text, u"codeText"_s, tr("Code"));
  setNames(m_notes, u"codeNotes"_s, tr("Notes"));
  setNames(m_copy, u"codeCopy"_s, tr("Copy code"));
  setNames(m_save, u"codeSave"_s, tr("Save code"));
  m_copy->setToolTip(tr("Copy the code to the clipboard"));
  m_save->setToolTip(tr("Save the code to a file"));
  m_form->setToolTip(tr("Format of the code: PyTorch script or device map"));
  m_save->setDefault(true);
  for (const FormWords& words : kForms) m_form->addItem(tr(words.name));
  m_text->setReadOnly(true);
  m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_text->setFont(monospaceFont());
  m_notes->setWordWrap(true);
  auto* close = new QPushButton(tr("Close"), this);
  setNames(close, u"codeClose"_s, tr("Close"));
  close->setToolTip(tr("Close without writing a file"));
  auto* top = rowLayout({}, {m_form, {m_about, 1}});
  auto* buttons = new QDialogButtonBox(this);
  buttons->addButton(m_save, QDialogButtonBox::AcceptRole);
  buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
  buttons->addButton(close, QDialogButtonBox::RejectRole);
  columnLayout(this, {}, {top, {m_text, 1}, m_notes, buttons});
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  orderTabsByLayout(*this);
}

codegen::CodeForm CodeDialog::form() const {
  return kForms[static_cast<std::size_t>(std::max(0, m_form->currentIndex()))].form;
}

void CodeDialog::refresh() {
  m_about->setText(tr(kForms[static_cast<std::size_t>(m_form->currentIndex())].about));
  m_copy->setEnabled(false);
  m_save->setEnabled(false);
  const plan::Variant* variant = m_session->selection().variant();
  if (!m_session->document().experiment() || variant == nullptr) {
    show(refused(tr("the variant cannot be read"), tr("See the error on its tab")));
    return;
  }
  if (m_session->document().planning()) {
    m_notes->setText(tr("Computing the placement…"));
    return;
  }
  m_notes->setText(tr("Generating code…"));
  m_job.start([this, shown = m_session->predictor().shownPlan(), id = variant->id, form = form(),
               costs = m_session->costs().table()](
                  const std::atomic<bool>& canceled) -> std::function<void()> {
    const auto basis = orEstimated(costs.get(), [&] { return !canceled; });
    auto code = search::withOrder(shown, *shown.variantById(id), basis)
                    .and_then([&](const plan::Variant& resolved) {
                      return codegen::exportCode(shown, resolved, form);
                    });
    return [this, code = std::move(code)] { show(code); };
  });
}

void CodeDialog::show(const Result<codegen::ExportedCode>& code) {
  m_copy->setEnabled(code.has_value());
  m_save->setEnabled(code.has_value());
  m_text->setPlainText(code ? qstring(code->text) : QString());
  QStringList notes;
  if (code) {
    for (const std::string& note : code->notes) notes << qstring(note);
  } else {
    notes << errorText(code.error());
  }
  m_notes->setText(notes.join(QChar(u'\n')));
  m_notes->setVisible(!notes.isEmpty());
}

void CodeDialog::saveAs() {
  const plan::Variant* variant = m_session->selection().variant();
  const std::string stem = form() == codegen::CodeForm::DeviceMap ? "device_map"
                           : variant == nullptr                   ? "plan"
                                                                  : variant->id;
  const QString ending = qstring(std::string(codegen::fileEnding(form())));
  const QString folder = m_session->document().path().isEmpty()
                             ? QDir::homePath()
                             : m_session->document().baseFolder();
  const QString path = QFileDialog::getSaveFileName(
      this, windowTitle(), QDir(folder).filePath(qstring(stem) + ending), u"*"_s + ending);
  if (path.isEmpty()) return;
  const QString text = m_text->toPlainText();
  if (const Status written = writeFileAtomically(utf8(path), utf8(text)); !written) {
    m_notes->setText(errorText(written.error()));
    m_notes->setVisible(true);
    return;
  }
  m_written = path;
  accept();
}

}  // namespace stagelane::ui
