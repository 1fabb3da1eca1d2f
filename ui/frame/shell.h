#pragma once

/// The frame around the pages: rail, run bar, current page, status bar. Creates pages when they are
/// first shown, and does not depend on any particular page.

#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <vector>

#include "ui/frame/command_palette.h"
#include "ui/frame/page.h"
#include "ui/frame/run_bar.h"

namespace stagelane::ui {

class Session;

class RankPanel;
class RunBanner;
class SweepOffer;

class Shell final : public QWidget {
  Q_OBJECT

 public:
  explicit Shell(Session* session, QWidget* parent = nullptr);

  /// In the order of the rail.
  void addPage(PageEntry entry);
  /// Creates the page if needed. An unknown name changes nothing and returns false.
  bool showPage(const QString& name);
  [[nodiscard]] QString currentPageName() const;
  [[nodiscard]] Page* currentPage() const;
  [[nodiscard]] RunBar& runBar() { return *m_runBar; }
  /// Facts about the program at the right of the status bar.
  void setFacts(const QString& facts);
  /// Actions of the window and of all pages, which are created for this; those of the current page
  /// come first. Triggering an action of another page shows that page.
  [[nodiscard]] std::vector<PaletteEntry> allActions();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 Q_SIGNALS:
  /// Emitted after a page was created and has its session.
  void pageMade(const QWidget* page);
  /// Only then do its parts get sizes that can be restored.
  void pageFirstShown(const QWidget* page);

 private:
  struct Item {
    PageEntry entry;
    QToolButton* button = nullptr;
    QAction* action = nullptr;
    Page* page = nullptr;
    bool shown = false;
  };
  /// The item with that name, its page created; end() for an unknown name.
  std::vector<Item>::iterator prepared(const QString& name);
  QWidget* buildStatusBar();
  void refreshIcons();
  void refreshStatus();

  Session* m_session;
  RunBar* m_runBar;
  RankPanel* m_ranks;
  SweepOffer* m_sweepOffer;
  RunBanner* m_unsavedBanner;
  RunBanner* m_fileBanner;
  RunBanner* m_leftBanner;
  QVBoxLayout* m_rail = nullptr;
  QStackedWidget* m_stack;
  QLabel* m_hint = nullptr;
  QHBoxLayout* m_statusRight = nullptr;
  QLabel* m_facts = nullptr;
  QWidget* m_pageStatus = nullptr;
  std::vector<Item> m_items;
  int m_current = -1;
};

}  // namespace stagelane::ui
