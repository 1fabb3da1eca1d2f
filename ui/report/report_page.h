#pragma once

/// The Report page: contents of the report, a preview of its pages, and export as HTML, PDF or
/// Markdown. A ReportMaker does the work in another thread; this page shows its progress.

#include <QTimer>
#include <filesystem>
#include <vector>

#include "ui/frame/page.h"
#include "ui/report/report_maker.h"
#include "ui/session/run/run_history.h"

class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace stagelane::ui {

class LoadingPanel;
class ReportContentsForm;
class ReportExportForm;
class ReportScroll;
class Session;

class ReportPage final : public Page {
  Q_OBJECT

 public:
  explicit ReportPage(QWidget* parent = nullptr);
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override { return m_actions; }
  [[nodiscard]] bool busy() const override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildToolbar();
  void addActions();
  QWidget* buildSide();
  QWidget* buildEmptyState();
  void showEmptyButton();
  [[nodiscard]] QString newestRun() const;
  void connectMaker();
  void load();
  void loaded();
  void showInputs(const std::vector<ReportInput>& inputs);
  void made();
  void written(const QString& path, const QString& problem);
  void cancelMaking();
  /// Shows the current work, its progress, and which actions are available meanwhile.
  void refreshWork();
  void enableWriting(bool ready);
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;
  [[nodiscard]] bool waitsForRun() const;
  void fillAddMenu();
  void addRun(const QString& folder);
  void addFolder();
  void rebuild();
  void refresh();
  void applyTheme();
  void exportReport();
  void openInBrowser();

  Session* m_session = nullptr;
  ReportMaker m_maker;
  QTimer m_progress;  ///< during work
  bool m_stale = true;
  std::vector<std::filesystem::path> m_loadedFolders;
  QString m_opening;  ///< the page to open in the browser after it is written; empty: none
  QList<QAction*> m_actions;
  QAction* m_open = nullptr;  ///< opens in the browser
  QAction* m_save = nullptr;
  RunHistory m_history;  ///< lists the other runs that can be added
  QStackedWidget* m_stack = nullptr;
  ReportScroll* m_scroll = nullptr;
  ReportContentsForm* m_contents = nullptr;
  ReportExportForm* m_exportForm = nullptr;
  LoadingPanel* m_loadingPanel = nullptr;
  QLabel* m_runName = nullptr;
  QPushButton* m_addRun = nullptr;
  QMenu* m_addMenu = nullptr;
  QPushButton* m_onlyThis = nullptr;
  QPushButton* m_browser = nullptr;
  QWidget* m_pressed = nullptr;  ///< gets the focus back after the report is written
  QLabel* m_emptyText = nullptr;
  QPushButton* m_emptyButton = nullptr;
  bool m_gaveUp = false;  ///< the user canceled the report
};

}  // namespace stagelane::ui
