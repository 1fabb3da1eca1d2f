#include "app/window/ui_map.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <cmath>

#include "ui/kit/badge.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/virtual_controls.h"

namespace stagelane::app {
namespace {

struct Reading {
  QString role = u"pane"_s;
  QString text;
  QString value;
};

Reading contentOf(const QWidget& widget) {
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
    return {u"button"_s, button->text(),
            button->isCheckable() ? button->isChecked() ? u"true"_s : u"false"_s : QString()};
  }
  if (const auto* combo = qobject_cast<const QComboBox*>(&widget)) {
    return {u"combobox"_s, combo->currentText(), combo->currentData().toString()};
  }
  if (const auto* edit = qobject_cast<const QLineEdit*>(&widget)) {
    return {u"edit"_s, edit->text(), edit->text()};
  }
  if (const auto* note = qobject_cast<const QPlainTextEdit*>(&widget)) {
    return {u"edit"_s, note->toPlainText(), note->toPlainText()};
  }
  if (const auto* spin = qobject_cast<const QSpinBox*>(&widget)) {
    return {u"spinbox"_s, spin->text(), QString::number(spin->value())};
  }
  if (const auto* spin = qobject_cast<const QDoubleSpinBox*>(&widget)) {
    return {u"spinbox"_s, spin->text(), QString::number(spin->value())};
  }
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
    return {u"label"_s, label->text(), {}};
  }
  if (const auto* progress = qobject_cast<const QProgressBar*>(&widget)) {
    return {u"progress"_s, {}, QString::number(progress->value())};
  }
  if (const auto* badge = qobject_cast<const ui::Badge*>(&widget)) {
    return {u"badge"_s, badge->text(), {}};
  }
  return {};
}

/// True for a label without content.
bool isBlank(const QWidget& widget) {
  const auto* label = qobject_cast<const QLabel*>(&widget);
  return label != nullptr && label->text().isEmpty() && label->pixmap().isNull();
}

/// Icons and empty fields have no text: use their accessible name.
Reading read(const QWidget& widget) {
  Reading reading = contentOf(widget);
  if (reading.text.isEmpty()) reading.text = widget.accessibleName();
  if (reading.text.isEmpty() && widget.isWindow()) reading.text = widget.windowTitle();
  return reading;
}

Json rectangle(const QWidget& widget, const QRect& local) {
  const QPoint corner = widget.mapToGlobal(local.topLeft());
  const qreal ratio = widget.devicePixelRatioF();
  const auto pixels = [ratio](int length) {
    return static_cast<std::int64_t>(std::lround(length * ratio));
  };
  return Json::array(
      {pixels(corner.x()), pixels(corner.y()), pixels(local.width()), pixels(local.height())});
}

/// The dialog of a widget; empty for the window.
QString dialogOf(const QWidget& widget) {
  const QWidget* window = widget.window();
  return qobject_cast<const QDialog*>(window) != nullptr ? window->objectName() : QString();
}

Json control(const QWidget& widget, const QString& name, const Reading& reading, bool enabled,
             Json rect) {
  Json json{{"name", ui::utf8(name)},           {"role", ui::utf8(reading.role)},
            {"text", ui::utf8(reading.text)},   {"enabled", enabled},
            {"value", ui::utf8(reading.value)}, {"rect", std::move(rect)}};
  if (const QString dialog = dialogOf(widget); !dialog.isEmpty()) json["dialog"] = ui::utf8(dialog);
  return json;
}

/// The part of a widget that its ancestors do not clip. Not visibleRegion(), which excludes opaque
/// children and so all of a scroll area.
QRect unclipped(const QWidget& widget) {
  QRect visible = widget.rect();
  for (const QWidget* outer = &widget; !outer->isWindow() && outer->parentWidget() != nullptr;
       outer = outer->parentWidget()) {
    const QWidget* parent = outer->parentWidget();
    visible &= QRect(widget.mapFrom(parent, QPoint(0, 0)), parent->size());
  }
  return visible;
}

void addPainted(const QWidget& widget, Json& controls) {
  const auto* source = dynamic_cast<const ui::VirtualControlSource*>(&widget);
  if (source == nullptr) return;
  // Parts scrolled out of view cannot be clicked, so they are not listed.
  const QRect visible = unclipped(widget);
  for (const ui::VirtualControl& part : source->virtualControls()) {
    const QRect rect = part.rect.intersected(visible);
    if (!rect.isEmpty()) {
      controls.push_back(control(widget, part.name, {part.role, part.text, part.value},
                                 part.enabled && widget.isEnabled(), rectangle(widget, rect)));
    }
  }
}

void addMenuItems(const QWidget& widget, Json& controls) {
  const auto* menu = qobject_cast<const QMenu*>(&widget);
  if (menu == nullptr) return;
  for (const QAction* action : menu->actions()) {
    if (!action->isSeparator() && action->isVisible()) {
      const QString name =
          action->objectName().isEmpty() ? u"menu."_s + action->text() : action->objectName();
      controls.push_back(
          control(widget, name, {u"menuitem"_s, action->text(), {}}, action->isEnabled(),
                  rectangle(widget, menu->actionGeometry(const_cast<QAction*>(action)))));
    }
  }
}

/// The tabs of a tab bar, which are not widgets: `timelineTabs.Events`.
void addTabs(const QWidget& widget, Json& controls) {
  const auto* tabs = qobject_cast<const QTabWidget*>(&widget);
  if (tabs == nullptr || widget.objectName().isEmpty()) return;
  const QTabBar* bar = tabs->tabBar();
  for (int i = 0; i < tabs->count(); ++i) {
    const QString name = widget.objectName() + QLatin1Char('.') + tabs->tabText(i);
    const bool current = tabs->currentIndex() == i;
    controls.push_back(control(widget, name,
                               {u"tab"_s, tabs->tabText(i), current ? u"true"_s : u"false"_s},
                               tabs->isTabEnabled(i), rectangle(*bar, bar->tabRect(i))));
  }
}

void addTree(const QWidget& widget, Json& controls) {
  const QString name = widget.objectName();
  // Controls scrolled out of view cannot be clicked, so they are not listed. Partly visible ones
  // are listed with the visible part.
  const QRect visible = unclipped(widget);
  if (!name.isEmpty() && !name.startsWith(QLatin1String("qt_")) && !visible.isEmpty()) {
    if (!isBlank(widget)) {
      controls.push_back(
          control(widget, name, read(widget), widget.isEnabled(), rectangle(widget, visible)));
    }
  }
  addPainted(widget, controls);
  addMenuItems(widget, controls);
  addTabs(widget, controls);
  for (const QObject* child : widget.children()) {
    const auto* inner = qobject_cast<const QWidget*>(child);
    if (inner != nullptr && !inner->isWindow() && inner->isVisible()) addTree(*inner, controls);
  }
}

/// The control with keyboard focus. For an unnamed part, such as a spin box's line edit, the
/// control that contains it.
QString focusedName() {
  const QWidget* at = QApplication::focusWidget();
  while (at != nullptr &&
         (at->objectName().isEmpty() || at->objectName().startsWith(QLatin1String("qt_")))) {
    at = at->parentWidget();
  }
  return at == nullptr ? QString() : at->objectName();
}

}  // namespace

Json uiMap(const QWidget& window, const QString& page) {
  Json controls = Json::array();
  addTree(window, controls);
  for (const QWidget* other : QApplication::topLevelWidgets()) {
    if (other != &window && other->isVisible()) addTree(*other, controls);
  }
  const qreal ratio = window.devicePixelRatioF();
  Json map;
  map["size"] = {std::lround(window.width() * ratio), std::lround(window.height() * ratio)};
  map["page"] = ui::utf8(page);
  map["focus"] = ui::utf8(focusedName());
  map["controls"] = std::move(controls);
  return map;
}

}  // namespace stagelane::app
