#include "ui/kit/pictures/export_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>

#include "engine/base/files.h"
#include "ui/kit/boxes.h"
#include "ui/kit/combo.h"
#include "ui/kit/look.h"
#include "ui/kit/pictures/export_path.h"
#include "ui/kit/question.h"
#include "ui/kit/tab_order.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/translation.h"

namespace stagelane::ui {
namespace {

constexpr int kPreviewWidth = 420;
constexpr int kPreviewHeight = 280;
constexpr int kPollMs = 100;
constexpr double kMostTyped = 99999.0;

template <class Widget>
Widget* named(Widget* widget, const QString& objectName, const QString& accessibleName) {
  widget->setObjectName(objectName);
  widget->setAccessibleName(accessibleName);
  return widget;
}

}  // namespace

ExportDialog::ExportDialog(Exportable what, const QString& folder, QWidget* parent)
    : QDialog(parent), m_what(std::move(what)), m_folder(folder) {
  setObjectName(u"exportDialog"_s);
  setWindowTitle(tr("Export: %1").arg(m_what.title));
  buildForm(folder);
  formatChanged();
}

QFormLayout* ExportDialog::buildFields() {
  m_format = named(new Combo(this), u"exportFormat"_s, tr("Format"));
  for (const char* format : {"PNG", "SVG", "PDF"}) m_format->addItem(QString::fromLatin1(format));
  if (m_what.csv) m_format->addItem(u"CSV"_s);
  m_width = named(new QDoubleSpinBox(this), u"exportWidth"_s, tr("Width in mm"));
  m_height = named(new QDoubleSpinBox(this), u"exportHeight"_s, tr("Height in mm"));
  for (QDoubleSpinBox* box : {m_width, m_height}) {
    // Any value can be typed; the preview reports invalid sizes.
    box->setRange(0.0, kMostTyped);
    box->setDecimals(0);
    box->setSuffix(u" mm"_s);
  }
  m_width->setValue(m_what.suggestedMm.width());
  m_height->setValue(m_what.suggestedMm.height());
  m_dpi = named(new QSpinBox(this), u"exportDpi"_s, tr("Dots per inch"));
  m_dpi->setRange(0, static_cast<int>(kMostTyped));
  m_dpi->setValue(300);
  m_theme = named(new Combo(this), u"exportTheme"_s, tr("Theme"));
  m_theme->addItems({tr("Light"), tr("Dark")});
  tellFields();
  auto* form = new QFormLayout;
  form->addRow(tr("Format"), m_format);
  form->addRow(tr("Width"), m_width);
  form->addRow(tr("Height"), m_height);
  form->addRow(tr("Dots per inch"), m_dpi);
  form->addRow(tr("Theme"), m_theme);
  connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::formatChanged);
  connect(m_width, &QDoubleSpinBox::valueChanged, this, &ExportDialog::updatePreview);
  connect(m_height, &QDoubleSpinBox::valueChanged, this, &ExportDialog::updatePreview);
  connect(m_dpi, &QSpinBox::valueChanged, this, &ExportDialog::updatePreview);
  connect(m_theme, &QComboBox::currentIndexChanged, this, &ExportDialog::updatePreview);
  return form;
}

void ExportDialog::tellFields() {
  m_format->setToolTip(m_what.csv ? tr("PNG for slides, SVG or PDF for papers, CSV for the data")
                                  : tr("PNG for slides, SVG or PDF for papers (text stays text)"));
  m_width->setToolTip(tr("Printed width; a column of a paper is about 85 mm wide"));
  m_height->setToolTip(tr("Printed height; the layout adapts to it"));
  m_dpi->setToolTip(tr("Resolution of a PNG: 300 for print, 150 for screens"));
  m_theme->setToolTip(tr("Light for paper, dark for dark slides"));
}

QHBoxLayout* ExportDialog::buildFile(const QString& folder) {
  m_path = named(new QLineEdit(QDir(folder).filePath(m_what.fileStem), this), u"exportPath"_s,
                 tr("Output file"));
  auto* browse =
      named(new QPushButton(tr("Browse…"), this), u"exportBrowse"_s, tr("Choose the output file"));
  browse->setAutoDefault(false);
  browse->setToolTip(tr("Choose the output file"));
  m_path->setToolTip(tr("~ is your home folder; relative paths start at %1").arg(folder));
  auto* file = rowLayout({}, {m_path, browse});
  connect(m_path, &QLineEdit::editingFinished, this, &ExportDialog::pathEdited);
  connect(browse, &QPushButton::clicked, this, &ExportDialog::chooseFile);
  return file;
}

QDialogButtonBox* ExportDialog::buildButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
  m_save = named(buttons->button(QDialogButtonBox::Save), u"exportSave"_s, tr("Save"));
  m_copy = named(new QPushButton(tr("Copy"), this), u"exportCopy"_s, tr("Copy to the clipboard"));
  m_save->setToolTip(tr("Write the file; asks before replacing a file"));
  m_copy->setToolTip(tr("Copy the picture or table to the clipboard"));
  m_copy->setAutoDefault(false);
  buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
  named(buttons->button(QDialogButtonBox::Cancel), u"exportCancel"_s, tr("Cancel the export"));
  buttons->button(QDialogButtonBox::Cancel)
      ->setToolTip(tr("Cancel the export without writing a file"));
  connect(m_copy, &QPushButton::clicked, this, &ExportDialog::copy);
  connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::save);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  return buttons;
}

void ExportDialog::buildForm(const QString& folder) {
  m_preview = named(new QLabel(this), u"exportPreview"_s, tr("Preview"));
  m_preview->setFixedSize(kPreviewWidth, kPreviewHeight);
  m_preview->setAlignment(Qt::AlignCenter);
  m_problem = named(new QLabel(this), u"exportProblem"_s, tr("Problem"));
  m_problem->setWordWrap(true);
  m_progressBar = named(new QProgressBar(this), u"exportProgress"_s, tr("Export progress"));
  m_progressBar->setRange(0, 1000);
  m_progressBar->hide();
  m_poll.setInterval(kPollMs);
  connect(&m_poll, &QTimer::timeout, this, [this] {
    const bool counted = m_progressBar->maximum() > 0;
    if (m_progress && counted)
      m_progressBar->setValue(static_cast<int>(m_progress->fraction * 1000.0));
  });
  auto* top = rowLayout({}, {buildFields(), m_preview});
  columnLayout(this, {}, {top, buildFile(folder), m_problem, m_progressBar, buildButtons()});
  orderTabsByLayout(*this);
}

QString ExportDialog::suffix() const { return m_format->currentText().toLower(); }

const Theme& ExportDialog::theme() const {
  return m_theme->currentIndex() == 1 ? darkTheme() : lightTheme();
}

void ExportDialog::formatChanged() {
  const bool table = suffix() == u"csv"_s;
  for (QWidget* widget : {static_cast<QWidget*>(m_width), static_cast<QWidget*>(m_height),
                          static_cast<QWidget*>(m_theme)}) {
    widget->setEnabled(!table);
  }
  m_dpi->setEnabled(suffix() == u"png"_s);
  m_path->setText(pathWithFormat(m_path->text(), suffix()));
  updatePreview();
}

/// Problems are red, outcomes are not.
void ExportDialog::tell(const QString& text, Tells tells) {
  setLook(m_problem, QString::fromLatin1(tells == Tells::Problem ? "error" : "muted"));
  m_problem->setText(text);
}

/// Empty: no problem.
void ExportDialog::showProblem(const QString& problem) {
  tell(problem, Tells::Problem);
  m_save->setEnabled(problem.isEmpty() && !m_progress);
  const bool table = suffix() == u"csv"_s;
  // A table that takes long to write is too large for the clipboard.
  m_copy->setEnabled(problem.isEmpty() && (!table || !m_what.saveCsv));
}

void ExportDialog::updatePreview() {
  if (suffix() == u"csv"_s) {
    showProblem({});
    m_preview->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_preview->setFont(monospaceFont(TextSize::Caption));
    const QFontMetrics metrics(m_preview->font());
    m_preview->setText(
        tablePreview(m_what.csvPreview.isEmpty() ? m_what.csv() : m_what.csvPreview,
                     kPreviewHeight / metrics.lineSpacing(),
                     kPreviewWidth / std::max(1, metrics.horizontalAdvance(QChar(u'0')))));
    return;
  }
  m_preview->setAlignment(Qt::AlignCenter);
  Error wrong;
  const Status good = checkPicture(spec(u"picture."_s + suffix()));
  if (!good) wrong = good.error();
  wrong.context.clear();
  showProblem(good ? QString() : errorText(wrong));
  if (!good) {
    m_preview->clear();
    return;
  }
  const QSizeF size = spec({}).logicalSize();
  const double scale = std::min(kPreviewWidth / size.width(), kPreviewHeight / size.height());
  QImage image = paintedImage(size, scale * devicePixelRatioF(), laidOut(PaintMode::Screen));
  QPainter painter(&image);
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawRect(image.rect().adjusted(0, 0, -1, -1));
  painter.end();
  image.setDevicePixelRatio(devicePixelRatioF());
  m_preview->setPixmap(QPixmap::fromImage(image));
}

/// In the size and mode that the layout was made for.
ExportDialog::SizedPainting ExportDialog::laidOut(PaintMode mode) const {
  const FileNumbers numbers;
  return [painting = m_what.layOut(spec({}).logicalSize(), mode, theme())](
             QPainter& painter, QSizeF, PaintMode) { painting(painter); };
}

/// A suffix of another format selects that format.
void ExportDialog::pathEdited() {
  const int format = m_format->findText(formatOfPath(m_path->text()).toUpper());
  if (format >= 0) m_format->setCurrentIndex(format);
}

void ExportDialog::chooseFile() {
  const QString path =
      QFileDialog::getSaveFileName(this, windowTitle(), m_path->text(),
                                   m_format->currentText() + u" (*."_s + suffix() + QChar(u')'));
  if (path.isEmpty()) return;
  m_path->setText(path);
  pathEdited();
  m_agreed = pathWithFormat(m_path->text(), suffix());
}

PictureSpec ExportDialog::spec(const QString& path) const {
  return {.path = path,
          .widthMm = m_width->value(),
          .heightMm = m_height->value(),
          .dpi = m_dpi->value(),
          .title = m_what.title};
}

void ExportDialog::save() {
  pathEdited();
  const QString typed = absolutePath(m_path->text(), m_folder);
  const QString path = pathWithFormat(typed, suffix());
  const QFileInfo file(path);
  if (typed.isEmpty() || file.completeBaseName().isEmpty() || QFileInfo(typed).isDir()) {
    tell(tr("Enter a file name"), Tells::Problem);
    m_path->setFocus();
    return;
  }
  if (!mayReplace(this, path, m_agreed)) return;
  saveBeside(path, suffix() == u"csv"_s ? tableWriter(path) : pictureWriter(path));
}

ExportDialog::Write ExportDialog::tableWriter(const QString& path) const {
  if (m_what.saveCsv) {
    return [path, save = m_what.saveCsv](ExportProgress& progress) { return save(path, progress); };
  }
  const auto write = [path](const QString& text) -> Result<bool> {
    const Status written = writeFileAtomically(utf8(path), utf8(text));
    return written ? Result<bool>(true) : tl::make_unexpected(written.error());
  };
  return [write, csv = m_what.csv](ExportProgress&) { return write(csv()); };
}

/// Makes only the layout here; painting, encoding and writing take most of the time.
ExportDialog::Write ExportDialog::pictureWriter(const QString& path) const {
  const PictureSpec picture = spec(path);
  const bool png = suffix() == u"png"_s;
  if (const Status good = checkPicture(picture); !good) {
    return [error = good.error()](ExportProgress&) -> Result<bool> {
      return tl::make_unexpected(error);
    };
  }
  return [picture, painting = laidOut(png ? PaintMode::Screen : PaintMode::Vector)](
             ExportProgress& progress) -> Result<bool> {
    STAGELANE_TRY(painted, paintPicture(picture, painting));
    if (progress.cancel) return false;
    const Status saved = savePicture(picture, *painted);
    return saved ? Result<bool>(true) : tl::make_unexpected(saved.error());
  };
}

void ExportDialog::saveBeside(const QString& path, Write write) {
  m_progress = std::make_shared<ExportProgress>();
  m_problem->clear();
  m_save->setEnabled(false);
  const bool counted = suffix() == u"csv"_s && m_what.saveCsv;
  m_progressBar->setRange(0, counted ? 1000 : 0);
  m_progressBar->setValue(0);
  m_progressBar->show();
  m_poll.start();
  m_job.start([this, path, progress = m_progress,
               write = std::move(write)](const std::atomic<bool>&) -> std::function<void()> {
    auto written = write(*progress);
    return [this, path, written = std::move(written)] { finish(written, path); };
  });
}

void ExportDialog::finish(const Result<bool>& written, const QString& path) {
  m_progress = nullptr;
  m_poll.stop();
  m_progressBar->hide();
  m_save->setEnabled(true);
  if (!written) {
    tell(errorText(written.error()), Tells::Problem);
    // Lets the user enter another file; the button was disabled meanwhile.
    m_path->setFocus();
    return;
  }
  if (!*written) {
    tell(tr("Canceled. No file was written."), Tells::Outcome);
    m_save->setFocus();
    return;
  }
  m_written = path;
  accept();
}

void ExportDialog::copy() {
  if (suffix() == u"csv"_s) {
    auto* content = new QMimeData;
    content->setText(m_what.csv());
    QGuiApplication::clipboard()->setMimeData(content);
    tell(tr("Copied"), Tells::Outcome);
    return;
  }
  m_problem->clear();
  const double scale = m_dpi->value() / 96.0;
  m_copying.start([this, scale, size = spec({}).logicalSize(),
                   painting = laidOut(PaintMode::Screen)](const std::atomic<bool>&) {
    const QImage image = paintedImage(size, scale, painting);
    return std::function<void()>([this, image] {
      QGuiApplication::clipboard()->setImage(image);
      tell(tr("Copied"), Tells::Outcome);
    });
  });
}

void ExportDialog::reject() {
  // The first Cancel stops writing, the second closes the dialog.
  if (m_progress) {
    m_progress->cancel = true;
    return;
  }
  QDialog::reject();
}

}  // namespace stagelane::ui
