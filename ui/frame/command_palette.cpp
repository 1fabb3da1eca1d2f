#include "ui/frame/command_palette.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <tuple>

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/fuzzy_match.h"

namespace stagelane::ui {
namespace {

constexpr int kRowHeight = 28;
constexpr int kPageRows = 10;
constexpr int kIndexRole = Qt::UserRole;
constexpr int kKeysRole = Qt::UserRole + 1;
constexpr int kPlaceRole = Qt::UserRole + 2;
constexpr int kPlacesRole = Qt::UserRole + 3;

QString plainName(const QAction& action) {
  QString name = action.text();
  name.remove(QLatin1Char('&'));
  return name;
}

QString keysOf(const QAction& action) {
  const QString shortcut = action.shortcut().toString(QKeySequence::NativeText);
  return shortcut.isEmpty() ? action.property(kViewKeys).toString() : shortcut;
}

/// The action's name with the matched letters in bold, its place, and its key.
class RowDelegate final : public QStyledItemDelegate {
 public:
  RowDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {100, kRowHeight};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const ControlColors& colors = m_theme.control;
    const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
    if (option.state.testFlag(QStyle::State_Selected)) {
      painter->fillRect(option.rect, colors.selected);
    }
    QRect rest = option.rect.adjusted(measure::kControlGap, 0, -measure::kControlGap, 0);
    const auto right = [&](const QString& text, const QColor& color) {
      painter->setFont(fontOf(TextSize::Caption));
      painter->setPen(color);
      painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter, text);
      if (!text.isEmpty()) {
        rest.adjust(0, 0, -painter->fontMetrics().horizontalAdvance(text) - 16, 0);
      }
    };
    right(index.data(kKeysRole).toString(), enabled ? colors.text : colors.faint);
    right(index.data(kPlaceRole).toString(), enabled ? colors.muted : colors.faint);
    painter->setPen(enabled ? colors.text : colors.faint);
    paintName(*painter, rest, index);
  }

 private:
  static void paintName(QPainter& painter, const QRect& rect, const QModelIndex& index) {
    const QString name = index.data(Qt::DisplayRole).toString();
    const auto places = index.data(kPlacesRole).value<QList<qsizetype>>();
    painter.save();
    painter.setClipRect(rect);
    int x = rect.left();
    for (qsizetype at = 0; at < name.size();) {
      const bool found = places.contains(at);
      qsizetype end = at + 1;
      while (end < name.size() && places.contains(end) == found) ++end;
      painter.setFont(fontOf(TextSize::Body, found ? TextWeight::Bold : TextWeight::Regular));
      const QString part = name.mid(at, end - at);
      painter.drawText(QRect(x, rect.top(), rect.right() - x, rect.height()),
                       Qt::AlignLeft | Qt::AlignVCenter, part);
      x += painter.fontMetrics().horizontalAdvance(part);
      at = end;
    }
    painter.restore();
  }

  const Theme& m_theme;
};

struct Found {
  std::size_t entry = 0;
  bool enabled = true;
  FuzzyMatch match;
};

}  // namespace

QList<VirtualControl> PaletteList::virtualControls() const {
  QList<VirtualControl> controls;
  const QRect seen = viewport()->geometry();
  for (int row = 0; row < count(); ++row) {
    const QListWidgetItem* entry = item(row);
    const QRect rect = visualItemRect(entry).translated(seen.topLeft()) & seen;
    if (rect.isEmpty()) continue;
    controls.append(
        {u"palette.%1"_s.arg(row), u"row"_s, entry->text(), entry->data(kKeysRole).toString(), rect,
         entry->flags().testFlag(Qt::ItemIsEnabled), entry->isSelected(), row == currentRow()});
  }
  return controls;
}

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, const Theme& theme,
                               QWidget* parent)
    : QDialog(parent),
      m_entries(std::move(entries)),
      m_search(new QLineEdit(this)),
      m_list(new PaletteList(this)),
      m_count(mutedLabel({}, this)) {
  setWindowTitle(tr("Search actions"));
  setObjectName(u"commandPalette"_s);
  setNames(m_search, u"paletteSearch"_s, tr("Search actions"));
  setNames(m_list, u"paletteList"_s, tr("Actions"));
  setNames(m_count, u"paletteCount"_s, tr("Actions found"));
  m_search->setPlaceholderText(tr("Type letters of an action"));
  m_search->setToolTip(tr("Matches first letters of words: \"dv\" finds Duplicate the variant"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setItemDelegate(new RowDelegate(theme, m_list));
  m_list->setUniformItemSizes(true);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_count->setFont(fontOf(TextSize::Caption));
  columnLayout(this, {.margins = {8, 8, 8, 8}}, {m_search, m_list, m_count});
  resize(560, 440);
  m_search->installEventFilter(this);
  connect(m_search, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(m_list, &QListWidget::itemClicked, this, [this] { accept(); });
  filter({});
}

void CommandPalette::filter(const QString& text) {
  m_list->clear();
  std::vector<Found> found;
  for (std::size_t at = 0; at < m_entries.size(); ++at) {
    const QAction* action = m_entries[at].action;
    if (action == nullptr || plainName(*action).isEmpty()) continue;
    auto match = fuzzyMatch(text, plainName(*action));
    // "timeline zoom" also finds an action of that page.
    if (!match) match = fuzzyMatch(text, plainName(*action) + QChar(u' ') + m_entries[at].place);
    if (match) found.push_back({at, action->isEnabled(), std::move(*match)});
  }
  // An exact match wins; of equal matches the shorter text, of which more matches.
  const auto rank = [this, &text](const Found& one) {
    const QString name = plainName(*m_entries[one.entry].action);
    return std::tuple(one.enabled, name.compare(text.trimmed(), Qt::CaseInsensitive) == 0,
                      one.match.score, -name.size());
  };
  std::stable_sort(found.begin(), found.end(), [&rank, &text](const Found& a, const Found& b) {
    return text.isEmpty() ? a.enabled && !b.enabled : rank(a) > rank(b);
  });
  for (const Found& each : found) {
    const PaletteEntry& entry = m_entries[each.entry];
    auto* item = new QListWidgetItem(plainName(*entry.action), m_list);
    item->setData(kIndexRole, static_cast<int>(each.entry));
    item->setData(kKeysRole, keysOf(*entry.action));
    item->setData(kPlaceRole, entry.place);
    item->setData(kPlacesRole, QVariant::fromValue(each.match.places));
    if (!each.enabled) item->setFlags(Qt::NoItemFlags);
  }
  if (found.empty()) {
    auto* nothing = new QListWidgetItem(tr("No matching action"), m_list);
    nothing->setFlags(Qt::NoItemFlags);
  }
  m_count->setText(
      countedText(static_cast<std::int64_t>(found.size()), tr("action"), tr("actions")));
  m_list->setCurrentRow(found.empty() || !found.front().enabled ? -1 : 0);
}

void CommandPalette::moveBy(int rows) {
  int last = m_list->count() - 1;
  while (last >= 0 && !m_list->item(last)->flags().testFlag(Qt::ItemIsEnabled)) --last;
  if (last >= 0) m_list->setCurrentRow(std::clamp(m_list->currentRow() + rows, 0, last));
}

void CommandPalette::accept() {
  const QListWidgetItem* item = m_list->currentItem();
  if (item == nullptr || !item->flags().testFlag(Qt::ItemIsEnabled)) return;
  const PaletteEntry entry = m_entries[static_cast<std::size_t>(item->data(kIndexRole).toInt())];
  QDialog::accept();
  if (entry.reveal) entry.reveal();
  if (entry.action != nullptr) entry.action->trigger();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_search || event->type() != QEvent::KeyPress) {
    return QDialog::eventFilter(watched, event);
  }
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: moveBy(1); return true;
    case Qt::Key_Up: moveBy(-1); return true;
    case Qt::Key_PageDown: moveBy(kPageRows); return true;
    case Qt::Key_PageUp: moveBy(-kPageRows); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: accept(); return true;
    default: return QDialog::eventFilter(watched, event);
  }
}

}  // namespace stagelane::ui
