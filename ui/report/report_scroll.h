#pragma once

/// The pages of a report, scrolled and scaled, and the toolbar controls for that.

#include <QScrollArea>
#include <memory>

#include "ui/kit/theme.h"

class QAbstractButton;
class QLabel;
class QToolButton;

namespace stagelane::ui {

class ReportPages;
class ReportPreview;

class ReportScroll final : public QScrollArea {
  Q_OBJECT

 public:
  explicit ReportScroll(QWidget* parent);

  void setPages(std::shared_ptr<const ReportPages> pages);
  void setTheme(const Theme& theme);
  /// Scrolls to the next (1) or previous (-1) page.
  void showPageOf(int step);
  /// Page number, previous and next page, zoom. Insert it into one toolbar.
  [[nodiscard]] QWidget* controls() const { return m_controls; }
  [[nodiscard]] QAbstractButton* fitWidthButton() const;
  [[nodiscard]] QAbstractButton* realSizeButton() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildControls();
  QWidget* buildZoom();
  QToolButton* addButton(const QString& name, const QString& text, const QString& words);
  void refreshPageCount();
  void refreshZoom();

  ReportPreview* m_preview;
  QWidget* m_controls;
  QLabel* m_pageCount = nullptr;
  QToolButton* m_previousPage = nullptr;
  QToolButton* m_nextPage = nullptr;
  QToolButton* m_fitWidth = nullptr;
  QToolButton* m_realSize = nullptr;
  bool m_zoomChosen = false;  ///< by the user; until then by the available width
};

}  // namespace stagelane::ui
