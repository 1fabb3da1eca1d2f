#pragma once

/// One dialog for every picture and table: format, size in mm, dpi, theme, path, preview. It paints
/// through functions that the caller gives, so it knows nothing of charts or timelines.

#include <QDialog>
#include <functional>

#include "ui/models/theme.h"
#include "ui/plots/picture.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace stagelane::ui {

/// What can be exported.
struct Exportable {
  QString title;     ///< "Execution time": window title, PDF title
  QString fileStem;  ///< "execution-time"
  QSizeF suggestedMm{160.0, 100.0};
  std::function<void(QPainter&, QSizeF, PaintMode, const Theme&)> paint;
  std::function<QString()> csv;  ///< empty: no CSV
  QString csvPreview{};          ///< shown instead of a long table's beginning
};

class ExportDialog final : public QDialog {
  Q_OBJECT

 public:
  ExportDialog(Exportable what, const QString& folder, QWidget* parent = nullptr);

  /// The file that was written; empty when canceled.
  [[nodiscard]] QString writtenPath() const { return m_written; }

 private:
  void buildForm(const QString& folder);
  void formatChanged();
  void updatePreview();
  void chooseFile();
  void save();
  [[nodiscard]] QString suffix() const;
  [[nodiscard]] const Theme& theme() const;

  Exportable m_what;
  QString m_written;
  QComboBox* m_format = nullptr;
  QDoubleSpinBox* m_width = nullptr;
  QDoubleSpinBox* m_height = nullptr;
  QSpinBox* m_dpi = nullptr;
  QComboBox* m_theme = nullptr;
  QLineEdit* m_path = nullptr;
  QLabel* m_preview = nullptr;
  QLabel* m_problem = nullptr;
};

}  // namespace stagelane::ui
