#include "ui/kit/menu_place.h"

#include <QEvent>
#include <algorithm>

namespace stagelane::ui {
namespace {

class InWindow final : public QObject {
 public:
  InWindow(QMenu* menu, const QWidget* button) : QObject(menu), m_menu(menu), m_button(button) {}

  /// A menu has its final size and position when its show event arrives.
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Show) {
      const QRect window = m_button->window()->geometry();
      const int rightmost = window.right() + 1 - m_menu->width();
      m_menu->move(std::max(window.left(), std::min(m_menu->x(), rightmost)), m_menu->y());
    }
    return false;
  }

 private:
  QMenu* m_menu;
  const QWidget* m_button;
};

}  // namespace

void keepInWindow(QMenu* menu, const QWidget* button) {
  menu->installEventFilter(new InWindow(menu, button));
}

}  // namespace stagelane::ui
