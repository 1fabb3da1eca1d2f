#pragma once

/// The pages of a report, scrolled and scaled, and the controls for that in the toolbar.

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
  /// Scrolls to the next page (1) or the one before (-1).
  void showPageOf(int step);
  /// Page number, previous and next page, zoom. To be put into a toolbar once.
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
  bool m_zoomChosen = false;  ///< by the person; until then by the room that there is
};

}  // namespace stagelane::ui
