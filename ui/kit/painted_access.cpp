#include "ui/kit/painted_access.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QApplication>
#include <QHash>
#include <QMouseEvent>
#include <QPointer>
#include <optional>

#include "ui/kit/text/formatting.h"
#include "ui/kit/virtual_controls.h"

namespace stagelane::ui {
namespace {

const VirtualControlSource* sourceOf(const QWidget* widget) {
  return dynamic_cast<const VirtualControlSource*>(widget);
}

QAccessible::Role roleOf(const QString& role) {
  static const QHash<QString, QAccessible::Role> kRoles{
      {u"tab"_s, QAccessible::PageTab},   {u"checkbox"_s, QAccessible::CheckBox},
      {u"button"_s, QAccessible::Button}, {u"group"_s, QAccessible::Button},
      {u"lane"_s, QAccessible::Grouping}, {u"label"_s, QAccessible::StaticText},
      {u"track"_s, QAccessible::Graphic}, {u"row"_s, QAccessible::Row}};
  return kRoles.value(role, QAccessible::ListItem);
}

/// Tells parts of the same name apart, such as an action that a step does more than once.
struct PartKey {
  QString name;
  int nth = 0;
};
bool operator==(const PartKey& one, const PartKey& other) {
  return one.nth == other.nth && one.name == other.name;
}
size_t qHash(const PartKey& key, size_t seed) { return qHashMulti(seed, key.name, key.nth); }

PartKey keyOf(const QList<VirtualControl>& parts, qsizetype index) {
  PartKey key{parts[index].name, 0};
  for (qsizetype before = 0; before < index; ++before) {
    key.nth += parts[before].name == key.name ? 1 : 0;
  }
  return key;
}

qsizetype indexOf(const QList<VirtualControl>& parts, const PartKey& key) {
  int nth = 0;
  for (qsizetype index = 0; index < parts.size(); ++index) {
    if (parts[index].name == key.name && nth++ == key.nth) return index;
  }
  return -1;
}

void sendMouse(QWidget* widget, QEvent::Type type, const QPoint& at) {
  const Qt::MouseButtons held =
      type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::MouseButtons();
  QMouseEvent event(type, at, widget->mapToGlobal(at), Qt::LeftButton, held, Qt::NoModifier);
  QApplication::sendEvent(widget, &event);
}

/// One painted part; looked up at each query because what is painted changes.
class PaintedPart final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  PaintedPart(QWidget* widget, PartKey key) : m_widget(widget), m_key(std::move(key)) {}

  [[nodiscard]] const PartKey& key() const { return m_key; }

  bool isValid() const override { return now().has_value(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override {
    return m_widget == nullptr ? nullptr : m_widget->window()->windowHandle();
  }
  QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(m_widget);
  }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }

  QString text(QAccessible::Text kind) const override {
    const auto part = now();
    if (!part) return {};
    switch (kind) {
      case QAccessible::Name: return part->text.isEmpty() ? part->name : part->text;
      case QAccessible::Value:
      case QAccessible::Description: return part->value;
      default: return {};
    }
  }
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override {
    const auto part = now();
    return part ? QRect(m_widget->mapToGlobal(part->rect.topLeft()), part->rect.size()) : QRect();
  }
  QAccessible::Role role() const override {
    const auto part = now();
    return part ? roleOf(part->role) : QAccessible::NoRole;
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    const auto part = now();
    if (!part) {
      state.invalid = true;
      return state;
    }
    state.disabled = !part->enabled || !m_widget->isEnabled();
    state.focusable = m_widget->focusPolicy() != Qt::NoFocus;
    state.focused = part->focused && m_widget->hasFocus();
    const QAccessible::Role kind = roleOf(part->role);
    state.selectable = kind == QAccessible::ListItem || kind == QAccessible::PageTab;
    state.selected = part->selected;
    const bool yes = part->value == QLatin1String("true");
    state.checkable = yes || part->value == QLatin1String("false");
    state.checked = yes;
    state.expanded = part->value == QLatin1String("open");
    state.expandable = state.expanded || part->value == QLatin1String("closed");
    state.offscreen = !m_widget->visibleRegion().intersects(part->rect);
    state.invisible = !m_widget->isVisible();
    return state;
  }

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                : nullptr;
  }
  QStringList actionNames() const override { return {pressAction()}; }
  QStringList keyBindingsForAction(const QString&) const override { return {}; }
  /// Same as a click.
  void doAction(const QString& action) override {
    const auto part = now();
    if (action != pressAction() || !part || !part->enabled || !m_widget->isEnabled()) return;
    const QPointer<QWidget> widget = m_widget;
    const QPoint at = part->rect.center();
    sendMouse(widget, QEvent::MouseButtonPress, at);
    if (widget != nullptr) sendMouse(widget, QEvent::MouseButtonRelease, at);
  }

 private:
  [[nodiscard]] std::optional<VirtualControl> now() const {
    if (m_widget == nullptr) return {};
    const QList<VirtualControl> parts = sourceOf(m_widget)->virtualControls();
    const qsizetype index = indexOf(parts, m_key);
    return index < 0 ? std::optional<VirtualControl>() : parts[index];
  }

  QPointer<QWidget> m_widget;
  PartKey m_key;
};

/// A widget whose children are its widgets, followed by its painted parts.
class PaintedAccess final : public QAccessibleWidget {
 public:
  explicit PaintedAccess(QWidget* widget)
      : QAccessibleWidget(widget, QAccessible::Grouping, widget->accessibleName()) {}
  PaintedAccess(const PaintedAccess&) = delete;
  PaintedAccess& operator=(const PaintedAccess&) = delete;
  ~PaintedAccess() override {
    for (const QAccessible::Id id : m_parts) QAccessible::deleteAccessibleInterface(id);
  }

  int childCount() const override {
    return QAccessibleWidget::childCount() + static_cast<int>(parts().size());
  }
  QAccessibleInterface* child(int index) const override {
    const int widgets = QAccessibleWidget::childCount();
    if (index < widgets) return QAccessibleWidget::child(index);
    const QList<VirtualControl> all = parts();
    const int at = index - widgets;
    return at < all.size() ? partOf(keyOf(all, at)) : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const auto* part = dynamic_cast<const PaintedPart*>(child);
    if (part == nullptr) return QAccessibleWidget::indexOfChild(child);
    const qsizetype index = indexOf(parts(), part->key());
    return index < 0 ? -1 : QAccessibleWidget::childCount() + static_cast<int>(index);
  }
  /// Of overlapping parts, the topmost: the one painted last.
  QAccessibleInterface* childAt(int x, int y) const override {
    const QList<VirtualControl> all = parts();
    const QPoint at = widget()->mapFromGlobal(QPoint(x, y));
    for (qsizetype index = all.size() - 1; index >= 0; --index) {
      if (all[index].rect.contains(at)) return partOf(keyOf(all, index));
    }
    return QAccessibleWidget::childAt(x, y);
  }
  QAccessibleInterface* focusChild() const override {
    const int index = widget()->hasFocus() ? focusedPart() : -1;
    return index < 0 ? QAccessibleWidget::focusChild() : child(index);
  }
  /// Index among all children; −1 for none.
  [[nodiscard]] int focusedPart() const {
    const QList<VirtualControl> all = parts();
    for (qsizetype index = 0; index < all.size(); ++index) {
      if (all[index].focused) return QAccessibleWidget::childCount() + static_cast<int>(index);
    }
    return -1;
  }

 private:
  [[nodiscard]] QList<VirtualControl> parts() const {
    const VirtualControlSource* source = sourceOf(widget());
    return source == nullptr ? QList<VirtualControl>() : source->virtualControls();
  }
  [[nodiscard]] QAccessibleInterface* partOf(const PartKey& key) const {
    auto known = m_parts.find(key);
    if (known == m_parts.end()) {
      known = m_parts.insert(
          key, QAccessible::registerAccessibleInterface(new PaintedPart(widget(), key)));
    }
    return QAccessible::accessibleInterface(*known);
  }

  /// QAccessible owns them until they are released.
  mutable QHash<PartKey, QAccessible::Id> m_parts;
};

QAccessibleInterface* makePainted(const QString&, QObject* object) {
  auto* widget = qobject_cast<QWidget*>(object);
  const bool ours = widget != nullptr && sourceOf(widget) != nullptr &&
                    qobject_cast<QAbstractItemView*>(widget) == nullptr;
  return ours ? new PaintedAccess(widget) : nullptr;
}

}  // namespace

void installPaintedAccess() { QAccessible::installFactory(makePainted); }

void tellPaintedFocus(QWidget* widget) {
  if (!QAccessible::isActive() || !widget->hasFocus()) return;
  const auto* painted =
      dynamic_cast<const PaintedAccess*>(QAccessible::queryAccessibleInterface(widget));
  const int index = painted == nullptr ? -1 : painted->focusedPart();
  if (index < 0) return;
  QAccessibleEvent event(widget, QAccessible::Focus);
  event.setChild(index);
  QAccessible::updateAccessibility(&event);
}

}  // namespace stagelane::ui
