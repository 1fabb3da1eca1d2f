#pragma once

/// The pages of a report, one below the other, painted by the code that writes the PDF and cached
/// as pixmaps for scrolling.

#include <QPixmap>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/report/report.h"

namespace stagelane::ui {

class ReportPreview final : public QWidget {
  Q_OBJECT

 public:
  explicit ReportPreview(QWidget* parent = nullptr);
  /// Null shows nothing.
  void setPages(std::shared_ptr<const ReportPages> pages);
  void setTheme(const Theme& theme);
  /// Width for pages that fit the width. @units logical pixels
  void setAvailableWidth(int width);
  /// Fits the pages to the available width, or shows their real size.
  void setFitWidth(bool fit);
  [[nodiscard]] bool fitsAtRealSize(int width) const;
  [[nodiscard]] std::size_t pageCount() const { return m_pages ? m_pages->count() : 0; }
  /// Top of a page, and the page at a y position. @units logical pixels of this widget
  [[nodiscard]] int topOf(std::size_t page) const;
  [[nodiscard]] std::size_t pageAt(int y) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void relayout();
  [[nodiscard]] QRect pageRect(std::size_t page) const;
  [[nodiscard]] const QPixmap& pixmapOf(std::size_t page);

  std::shared_ptr<const ReportPages> m_pages;
  const Theme* m_theme;
  int m_available = 800;
  double m_scale = 1.0;
  bool m_fitWidth = false;
  std::vector<QPixmap> m_pixmaps;
};

}  // namespace stagelane::ui
