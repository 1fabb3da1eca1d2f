#pragma once

/// One dialog for every picture and table: format, size in mm, dpi, theme, path, preview. It paints
/// through functions of the caller and is independent of charts and timelines.

#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>

#include "ui/kit/latest_job.h"
#include "ui/kit/pictures/picture.h"
#include "ui/kit/theme.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace stagelane::ui {

/// Paints at the painter's origin.
using Painting = std::function<void(QPainter&)>;

/// Progress of writing a table: set by the writer, which checks `cancel` every few milliseconds.
struct ExportProgress {
  std::atomic<double> fraction = 0.0;
  std::atomic<bool> cancel = false;
};

/// What can be exported.
struct Exportable {
  QString title;     ///< "Execution time": window title, PDF title
  QString fileStem;  ///< "execution-time"
  QSizeF suggestedMm{160.0, 100.0};
  /// Lays a picture out, in the window's thread. The returned function paints in any thread.
  std::function<Painting(QSizeF, PaintMode, const Theme&)> layOut;
  std::function<QString()> csv;  ///< empty: no CSV @thread any
  QString csvPreview{};          ///< shown instead of the beginning of a long table
  /// Writes a slow table in another thread. @returns false if canceled
  std::function<Result<bool>(const QString& path, ExportProgress& progress)> saveCsv{};
};

class ExportDialog final : public QDialog {
  Q_OBJECT

 public:
  ExportDialog(Exportable what, const QString& folder, QWidget* parent = nullptr);

  /// The written file; empty if canceled.
  [[nodiscard]] QString writtenPath() const { return m_written; }

 private:
  void buildForm(const QString& folder);
  QFormLayout* buildFields();
  void tellFields();
  QHBoxLayout* buildFile(const QString& folder);
  QDialogButtonBox* buildButtons();
  void formatChanged();
  void pathEdited();
  void updatePreview();
  using SizedPainting = std::function<void(QPainter&, QSizeF, PaintMode)>;
  [[nodiscard]] SizedPainting laidOut(PaintMode mode) const;
  void chooseFile();
  void save();
  /// Writes the export, in another thread. @returns false if canceled
  using Write = std::function<Result<bool>(ExportProgress& progress)>;
  [[nodiscard]] Write tableWriter(const QString& path) const;
  [[nodiscard]] Write pictureWriter(const QString& path) const;
  void saveBeside(const QString& path, Write write);
  enum class Tells { Problem, Outcome };
  void tell(const QString& text, Tells tells);
  void showProblem(const QString& problem);
  void finish(const Result<bool>& written, const QString& path);
  void copy();
  void reject() override;
  [[nodiscard]] PictureSpec spec(const QString& path) const;
  [[nodiscard]] QString suffix() const;
  [[nodiscard]] const Theme& theme() const;

  Exportable m_what;
  QString m_folder;  ///< base of relative paths
  QString m_written;
  QString m_agreed;  ///< may be replaced: the file dialog has asked
  QComboBox* m_format = nullptr;
  QDoubleSpinBox* m_width = nullptr;
  QDoubleSpinBox* m_height = nullptr;
  QSpinBox* m_dpi = nullptr;
  QComboBox* m_theme = nullptr;
  QLineEdit* m_path = nullptr;
  QLabel* m_preview = nullptr;
  QLabel* m_problem = nullptr;
  QProgressBar* m_progressBar = nullptr;
  QPushButton* m_save = nullptr;
  QPushButton* m_copy = nullptr;
  QTimer m_poll;                               ///< updates the progress while writing
  std::shared_ptr<ExportProgress> m_progress;  ///< of the export in progress
  LatestJob m_job, m_copying;
};

}  // namespace stagelane::ui
