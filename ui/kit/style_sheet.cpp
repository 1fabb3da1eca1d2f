#include "ui/kit/style_sheet.h"

#include <QLabel>
#include <QProxyStyle>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

// Tokens in @name form; a test checks that all are replaced.
constexpr const char* kSheet = R"css(
QWidget { color: @text; }
QMainWindow, QWidget[look="window"] { background: @window; }
QWidget[look="panel"], QStackedWidget, QScrollArea, QScrollArea > QWidget > QWidget { background: @panel; }
QWidget[look="panel2"] { background: @panel2; }
QWidget[look="bar"] { background: @window; border: 0 solid @border; border-bottom-width: 1px; }
QWidget[look="toolbar"] { background: @panel; border: 0 solid @border; border-bottom-width: 1px; }
QWidget[look="status"] { background: @window; border: 0 solid @border; border-top-width: 1px; }
QWidget[look="railBox"] { background: @window; border: 0 solid @border; border-right-width: 1px; }
QWidget[look="problem"] { background: @errorGround; border: 0 solid @border; border-bottom-width: 1px; }
QFrame[look="line"] { background: @border; border: none; }
QFrame[look="card"] { background: @panel2; border: 1px solid @border; border-radius: 4px; }
QLabel { background: transparent; }
QLabel[look="muted"] { color: @muted; }
QLabel[look="error"] { color: @error; }
QLabel[look="warning"] { color: @warning; }
QLabel[look="success"] { color: @success; }
QLabel[look="said"] { background: @accentSoft; border-radius: 4px; }
QLabel:disabled { color: @faint; }
QPushButton[look="link"]:disabled { color: @faint; }

QPushButton, QToolButton, QComboBox, QLineEdit, QSpinBox, QDoubleSpinBox {
  background: @raised; border: 1px solid @border2; border-radius: 4px; padding: 0 8px; min-height: 22px; }
QPlainTextEdit { background: @raised; border: 1px solid @border2; border-radius: 4px; padding: 0 4px; }
QPlainTextEdit:focus { border: 2px solid @accent; padding: 0 3px; }
QPushButton { min-height: 26px; padding: 0 10px; }
QPushButton:hover, QToolButton:hover, QComboBox:hover { background: @panel2; border-color: @muted; }
QPushButton:pressed, QToolButton:pressed { background: @selected; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QLineEdit:disabled, QSpinBox:disabled,
QDoubleSpinBox:disabled {
  color: @faint; border-color: @border; background: @window; }
QPushButton:focus, QToolButton:focus, QComboBox:focus, QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus {
  border: 2px solid @accent; padding: 0 7px; min-height: 20px; }
QPushButton:focus { min-height: 24px; padding: 0 9px; }
QLineEdit[wrong="true"], QSpinBox[wrong="true"], QComboBox[wrong="true"] { border-color: @error; }
QPushButton[look="link"] { background: transparent; border: none; color: @accent; padding: 0; min-height: 16px; }
QPushButton[look="link"]:hover { text-decoration: underline; }
QPushButton[look="link"]:focus { border: none; text-decoration: underline; }

QToolButton:checked { background: @accentSoft; border-color: @accent; color: @accent; }
QToolButton[look="flat"] { background: transparent; border: 1px solid transparent; padding: 0 4px; }
QToolButton[look="flat"]:hover { background: @selected; }
QToolButton[look="flat"]:focus { border: 2px solid @accent; padding: 0 3px; }
QToolButton[look="legend"] { background: transparent; border: 1px solid transparent; padding: 0 4px; color: @text; }
QToolButton[look="legend"]:hover { background: @selected; }
QToolButton[look="legend"]:focus { border: 2px solid @accent; padding: 0 3px; }
QToolButton[look="legend"]:!checked { color: @muted; }
QToolButton[look="primary"] { background: @accent; border: 1px solid @accent; color: @onAccent;
  font-weight: bold; padding: 0 12px; min-height: 26px; }
QToolButton[look="primary"][edge="first"] { border-top-right-radius: 0; border-bottom-right-radius: 0; }
QToolButton[look="primary"][edge="last"] { border-top-left-radius: 0; border-bottom-left-radius: 0;
  border-left-color: @accentLine; padding: 0; min-width: 20px; max-width: 20px; }
QToolButton[look="primary"]:hover { background: @accentHover; }
QToolButton[look="primary"]:focus { border: 2px solid @text; padding: 0 11px; min-height: 24px; }
QToolButton[look="primary"][edge="last"]:focus { padding: 0; }
QToolButton[look="primary"]:disabled { background: @window; border-color: @border; color: @faint; }
QToolButton::menu-indicator { image: none; }
QToolButton[look="rail"] { background: transparent; border: none; border-left: 3px solid transparent;
  border-radius: 0; padding: 4px 3px 2px 0; color: @muted; min-height: 46px; }
QToolButton[look="rail"]:hover { background: @selected; }
QToolButton[look="rail"]:checked { background: @accentSoft; border-left-color: @accent; color: @accent; }
QToolButton[look="rail"]:focus { border: 2px solid @accent; border-left: 3px solid @accent; }
QToolButton[look="segment"] { border-radius: 0; margin: 0; padding: 0 10px; border-right-width: 0; }
QToolButton[look="segment"][edge="first"] { border-top-left-radius: 4px; border-bottom-left-radius: 4px; }
QToolButton[look="segment"][edge="last"] { border-top-right-radius: 4px; border-bottom-right-radius: 4px;
  border-right-width: 1px; }
QToolButton[look="segment"]:checked { background: @accentSoft; color: @accent; font-weight: bold; }

QComboBox { padding: 0 4px 0 8px; combobox-popup: 0; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: none; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @border2; outline: 0;
  selection-background-color: @selected; selection-color: @text; }
QComboBox QAbstractItemView::item { min-height: 24px; padding: 0 8px; }
QSpinBox, QDoubleSpinBox { padding: 0 4px 0 8px; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0; }
QLineEdit { selection-background-color: @accent; selection-color: @onAccent; }

QMenu { background: @panel; border: 1px solid @border2; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 24px; border-radius: 3px; }
QMenu::item:selected { background: @selected; color: @text; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @border; margin: 4px 0; }
QToolTip { background: @text; color: @panel; border: 1px solid @text; padding: 4px 6px; }

QTreeView, QTableView, QListView { background: @panel; border: none; outline: 0; alternate-background-color: @panel2;
  selection-background-color: @selected; selection-color: @text; }
QTreeView::item, QListView::item { min-height: 24px; border: none; }
QTreeView::item:hover, QListView::item:hover { background: @panel2; }
QTreeView::item:selected, QTableView::item:selected, QListView::item:selected { background: @selected; color: @text; }
QTreeView::branch { background: transparent; }
QTreeView::branch:selected { background: @selected; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @muted; border: none; border-bottom: 1px solid @border;
  padding: 0 6px; height: 22px; }
QTableView { gridline-color: @grid; }
QTableView[look="figures"]::item, QTableView[look="plans"]::item { padding: 0 7px; border: none; }
QTableView[look="figures"] QHeaderView::section { padding: 0 7px 0 16px; }
QTableView[look="plans"] QHeaderView::section { padding: 0 10px; }
QTableView[look="events"] QHeaderView::section { padding: 0 6px 0 13px; }
QTableView[look="figures"] QHeaderView::up-arrow, QTableView[look="figures"] QHeaderView::down-arrow,
QTableView[look="events"] QHeaderView::up-arrow, QTableView[look="events"] QHeaderView::down-arrow {
  subcontrol-origin: padding; subcontrol-position: left center; left: 3px; width: 9px; height: 9px; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @border2; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 4px; background: @window; border: 0 solid @border; border-top-width: 1px; border-bottom-width: 1px; }
QProgressBar { background: @grid; border: none; border-radius: 2px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QCheckBox { spacing: 6px; background: transparent; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @border2; border-radius: 3px; background: @panel; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url(@checkImage); }
QCheckBox::indicator:disabled { border-color: @border; background: @window; }
QCheckBox:focus { outline: none; }
QCheckBox::indicator:focus { border: 2px solid @text; }
QDialog { background: @panel; }
QTabWidget::pane { border: none; border-top: 1px solid @border; }
)css";

class QuietStyle final : public QProxyStyle {
 public:
  QuietStyle() : QProxyStyle(u"Fusion"_s) {}

  using QProxyStyle::polish;
  /// Labels and tooltips show names from experiment files, which may look like markup. Markup must
  /// be requested with Qt::RichText.
  void polish(QWidget* widget) override {
    QProxyStyle::polish(widget);
    auto* label = qobject_cast<QLabel*>(widget);
    if (label != nullptr && label->textFormat() == Qt::AutoText) {
      label->setTextFormat(Qt::PlainText);
    }
  }
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    return hint == SH_DialogButtonBox_ButtonsHaveIcons
               ? 0
               : QProxyStyle::styleHint(hint, option, widget, data);
  }
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    if (element != PE_FrameFocusRect) QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
};

QString mixed(const QColor& a, const QColor& b, double share) {
  const auto mix = [share](int from, int to) {
    return static_cast<int>(from + (to - from) * share);
  };
  return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())).name();
}

}  // namespace

QString styleSheetOf(const Theme& theme) {
  const ControlColors& colors = theme.control;
  // Longer names first: @panel2 before @panel.
  const QList<std::pair<QString, QString>> tokens{
      {u"@accentHover"_s, mixed(colors.accent, colors.text, 0.14)},
      {u"@accentLine"_s, mixed(colors.accent, colors.onAccent, 0.35)},
      {u"@accentSoft"_s, colors.accentSoft.name()},
      {u"@accent"_s, colors.accent.name()},
      {u"@onAccent"_s, colors.onAccent.name()},
      {u"@border2"_s, colors.border2.name()},
      {u"@border"_s, colors.border.name()},
      {u"@checkImage"_s,
       theme.kind == ThemeKind::Dark ? u":/icons/check-dark.svg"_s : u":/icons/check-light.svg"_s},
      {u"@errorGround"_s, colors.errorGround.name()},
      {u"@error"_s, colors.error.name()},
      {u"@faint"_s, colors.faint.name()},
      {u"@grid"_s, colors.grid.name()},
      {u"@muted"_s, colors.muted.name()},
      {u"@panel2"_s, colors.panel2.name()},
      {u"@panel"_s, colors.panel.name()},
      {u"@raised"_s, colors.raised.name()},
      {u"@selected"_s, colors.selected.name()},
      {u"@success"_s, colors.success.name()},
      {u"@text"_s, colors.text.name()},
      {u"@warning"_s, colors.warning.name()},
      {u"@window"_s, colors.window.name()},
  };
  QString sheet = QString::fromLatin1(kSheet);
  for (const auto& token : tokens) sheet.replace(token.first, token.second);
  return sheet;
}

QStyle* makeStyle() { return new QuietStyle; }

}  // namespace stagelane::ui
