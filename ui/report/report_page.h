#pragma once

/// The Report page: what the report contains, a preview of its pages, and its export as HTML, PDF
/// or Markdown. A ReportMaker reads, composes and writes beside the window; this shows how far it
/// is.

#include <QTimer>
#include <filesystem>
#include <vector>

#include "ui/frame/page.h"
#include "ui/report/report_maker.h"
#include "ui/session/run/run_history.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace stagelane::ui {

class Session;

class Combo;
class LoadingPanel;
class ReportPreview;

class ReportPage final : public Page {
  Q_OBJECT

 public:
  explicit ReportPage(QWidget* parent = nullptr);
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override { return m_actions; }
  [[nodiscard]] bool busy() const override {
    return m_maker.making() || m_maker.writing() || m_typing.isActive() || m_history.busy();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Switch {
    QCheckBox* box = nullptr;
    bool ReportContents::*member = nullptr;
  };
  QWidget* buildToolbar();
  QWidget* buildPageControls(QWidget* bar);
  QWidget* buildSide();
  void buildContents(QWidget* side, QVBoxLayout* layout);
  void buildExport(QWidget* side, QVBoxLayout* layout);
  QWidget* buildEmptyState();
  void addSwitch(QWidget* side, const QString& name, const QString& text,
                 bool ReportContents::*member);
  QWidget* buildWork(QWidget* side);
  void showEmptyButton();
  [[nodiscard]] QString newestRun() const;
  void connectMaker();
  void load();
  void loaded();
  void made();
  void written(const QString& path, const QString& problem);
  void cancelMaking();
  /// What is being done, how much of it, and what may be done meanwhile.
  void refreshWork();
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;
  [[nodiscard]] bool waitsForRun() const;
  [[nodiscard]] const ReportInput& first() const { return m_maker.inputs()->front(); }
  void fillAddMenu();
  void addRun(const QString& folder);
  void addFolder();
  void browse();
  void showPageOf(int step);
  void refreshPageCount();
  void refreshZoom();
  void rebuild();
  void refresh();
  void suggestPath();
  void followPath();
  [[nodiscard]] ReportTheme theme() const;
  void applyTheme();
  void exportReport();
  void openInBrowser();
  void say(const QString& text, bool problem);

  Session* m_session = nullptr;
  ReportMaker m_maker;
  QTimer m_progress;  ///< while it works
  bool m_stale = true;
  std::vector<std::filesystem::path> m_loadedFolders;
  QString m_opening;  ///< what the browser is to show once it is written; empty: nothing
  QList<QAction*> m_actions;
  QAction* m_open = nullptr;  ///< in the browser
  QAction* m_save = nullptr;
  std::vector<Switch> m_switches;
  QStackedWidget* m_stack = nullptr;
  QScrollArea* m_scroll = nullptr;
  ReportPreview* m_preview = nullptr;
  QComboBox* m_format = nullptr;
  QComboBox* m_theme = nullptr;  ///< of HTML
  RunHistory m_history;          ///< of what other runs there are to add
  QLineEdit* m_question = nullptr;
  QLineEdit* m_title = nullptr;
  QPlainTextEdit* m_note = nullptr;
  QLineEdit* m_path = nullptr;
  QString m_written;  ///< by this page: may be written again
  QPushButton* m_addRun = nullptr;
  QMenu* m_addMenu = nullptr;
  QToolButton* m_previousPage = nullptr;
  QToolButton* m_nextPage = nullptr;
  QToolButton* m_fitWidth = nullptr;
  QToolButton* m_realSize = nullptr;
  bool m_zoomChosen = false;  ///< by the person; until then by the room that there is
  QPushButton* m_onlyThis = nullptr;
  QTimer m_typing;  ///< the pages follow what is typed when the typing pauses
  QPushButton* m_export = nullptr;
  QPushButton* m_browser = nullptr;
  QWidget* m_pressed = nullptr;  ///< gets the keyboard back when the report is written
  QLabel* m_message = nullptr;
  LoadingPanel* m_loadingPanel = nullptr;
  QWidget* m_work = nullptr;  ///< of what is made or written while the pages are shown
  QLabel* m_workText = nullptr;
  QProgressBar* m_workBar = nullptr;
  QPushButton* m_workCancel = nullptr;
  QPushButton* m_emptyButton = nullptr;
  bool m_gaveUp = false;  ///< the person ended the making
  QLabel* m_runName = nullptr;
  QLabel* m_pageCount = nullptr;
  QLabel* m_emptyText = nullptr;
};

}  // namespace stagelane::ui
