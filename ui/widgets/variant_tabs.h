#pragma once

/// A tab for each entry of the experiment's variants: check box "include in run", name, badge, and
/// a menu to rename, duplicate and delete. Painted, because a QTabBar has no check boxes or badges;
/// every part is in the UI map.

#include <QLineEdit>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/models/session.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/virtual_controls.h"

namespace stagelane::ui {

class VariantTabs final : public QWidget, public VirtualControlSource {
  Q_OBJECT

 public:
  explicit VariantTabs(Session* session, QWidget* parent = nullptr);
  [[nodiscard]] QList<VirtualControl> virtualControls() const override;
  void startRename(const QString& tabId);
  void duplicate(const QString& tabId);
  void remove(const QString& tabId);
  void toggleInclude(const QString& tabId);
  /// Shows the tab that many places on; stays at the ends.
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
  struct Place {
    QString id;
    QString name;
    QString badge;
    Tone tone = Tone::Neutral;
    QString tip;
    bool include = true;
    QRect tab;
    QRect check;
    QRect menu;
  };
  void relayout();
  void placeEnds();
  void scrollBy(int pixels);
  [[nodiscard]] bool overflows() const;
  [[nodiscard]] int room() const;
  void paintTab(QPainter& painter, const Place& place) const;
  void setBadge(const VariantTab& tab, Place& place) const;
  [[nodiscard]] const Place* placeAt(const QPoint& at) const;
  [[nodiscard]] const Place* placeOf(const QString& id) const;
  void showMenu(const QString& id, const QPoint& globalAt);
  void finishRename();

  Session* m_session;
  std::vector<Place> m_places;
  QRect m_before;  ///< scrolls to the left; empty where all tabs fit
  QRect m_after;
  QRect m_add;
  int m_scroll = 0;
  int m_total = 0;
  QLineEdit* m_editor;
  QString m_renaming;
};

}  // namespace stagelane::ui
