#pragma once

/// One dialog for every picture and table: format, size in mm, dpi, theme, path, preview. It paints
/// through functions that the caller gives, so it knows nothing of charts or timelines.

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

/// Of a table being written: told by who writes it, and asked by it every few milliseconds.
struct ExportProgress {
  std::atomic<double> fraction = 0.0;
  std::atomic<bool> cancel = false;
};

/// What can be exported.
struct Exportable {
  QString title;     ///< "Execution time": window title, PDF title
  QString fileStem;  ///< "execution-time"
  QSizeF suggestedMm{160.0, 100.0};
  /// Lays a picture out, in the window's thread. What it answers touches no widget, and paints in
  /// any thread.
  std::function<Painting(QSizeF, PaintMode, const Theme&)> layOut;
  std::function<QString()> csv;  ///< empty: no CSV @thread any
  QString csvPreview{};          ///< shown instead of a long table's beginning
  /// Writes a table that takes long, beside the window. @returns false when it was canceled
  std::function<Result<bool>(const QString& path, ExportProgress& progress)> saveCsv{};
};

class ExportDialog final : public QDialog {
  Q_OBJECT

 public:
  ExportDialog(Exportable what, const QString& folder, QWidget* parent = nullptr);

  /// The file that was written; empty when canceled.
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
  /// Writes what was asked for, in another thread. @returns false when it was canceled
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
  QString m_folder;  ///< what relative names are below
  QString m_written;
  QString m_agreed;  ///< may be replaced: chosen where that was asked
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
  QTimer m_poll;  ///< shows the progress of what is written beside the window
  std::shared_ptr<ExportProgress> m_progress;  ///< of what is being written
  LatestJob m_job, m_copying;
};

}  // namespace stagelane::ui
