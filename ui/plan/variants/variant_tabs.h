#pragma once

/// A tab for each entry of the experiment's variants: check box "include in run", name, badge, and
/// a menu to rename, duplicate and delete. Painted, because a QTabBar has no check boxes or badges;
/// every part is in the UI map.

#include <QLineEdit>
#include <QWidget>
#include <vector>

#include "ui/kit/virtual_controls.h"
#include "ui/plan/variants/tab_layout.h"
#include "ui/plan/variants/variant_badge.h"
#include "ui/session/document/document.h"

namespace stagelane::ui {

class Session;

class VariantTabs final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit VariantTabs(Session* session, QWidget* parent = nullptr);
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;
  void startRename(const QString& tabId);
  void duplicate(const QString& tabId);
  void remove(const QString& tabId);
  void toggleInclude(const QString& tabId);
  /// Moves by so many tabs; stops at the ends.
  void step(int places);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Tab {
    QString id;
    QString name;
    VariantBadge badge;
    bool include = true;
  };
  void relayout();
  void scrollBy(int pixels);
  void paintEnds(QPainter& painter) const;
  void paintTab(QPainter& painter, const Tab& told, const TabLayout::Place& place) const;
  /// Null if none is current.
  [[nodiscard]] const Tab* tabAt(const QPoint& at) const;
  /// @pre one of `m_tabs`
  [[nodiscard]] const TabLayout::Place& placeOf(const Tab& tab) const;
  /// −1 if there is none.
  [[nodiscard]] int indexOf(const QString& id) const;
  void showMenu(const QString& id, const QPoint& globalAt);
  void finishRename();
  void endEditing();

  Session* m_session;
  std::vector<Tab> m_tabs;
  TabLayout m_layout;  ///< of the same tabs
  QLineEdit* m_editor;
  QString m_renaming;
};

}  // namespace stagelane::ui
