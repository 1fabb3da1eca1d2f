#pragma once

/// Colors, fonts and measures of the window, light and dark, as typed values, with one color per
/// action and idle cause for all pages. Contains no texts and paints only hatch tiles.

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>
#include <array>

#include "engine/trace/trace.h"
#include "profiler/analysis/idle.h"

namespace stagelane::ui {

enum class ThemeKind { Light, Dark };

/// Colors of the shell and of controls.
struct ControlColors {
  QColor window, panel, panel2, raised, lane, grid, border, border2;
  QColor text, muted, faint, accent, onAccent, accentSoft, selected;
  QColor success, successGround, warning, warningGround, error, errorGround;
};

/// Colors of actions; the same in Plan, Timeline, Charts and Report.
struct ActionColors {
  QColor forward, onForward, backward, onBackward, input, onInput, weight, onWeight;
  QColor optimizer, onOptimizer, copy;
  QColor operators, onOperators, kernel, onKernel, sync, onSync, other, onOther;
};

/// Colors of idle causes; each has its own hatch.
struct CauseColors {
  QColor warmup, starved, transfer, host, drain, tail, unattributed;
};

struct Theme {
  ThemeKind kind = ThemeKind::Light;
  ControlColors control;
  ActionColors action;
  CauseColors cause;
  /// For micro-batches and stages by number, and the text on them.
  std::array<QColor, 8> numbered{};
  std::array<QColor, 8> onNumbered{};
};

[[nodiscard]] const Theme& lightTheme();
[[nodiscard]] const Theme& darkTheme();
[[nodiscard]] const Theme& themeOf(ThemeKind kind);
/// `light` or `dark`; anything else is light.
[[nodiscard]] ThemeKind themeKindFromWord(const QString& word);

/// All roles of a QPalette, including disabled ones.
[[nodiscard]] QPalette makePalette(const Theme& theme);

/// Fill of an action, an operator, a kernel or a copy.
[[nodiscard]] QColor fillOf(const Theme& theme, trace::Category category);
/// Text on that fill.
[[nodiscard]] QColor textOn(const Theme& theme, trace::Category category);
/// The full color of a cause; for busy causes the action's fill.
[[nodiscard]] QColor colorOf(const Theme& theme, analysis::Cause cause);
/// Solid for busy causes; for idle ones the cause's hatch over 16 % of its color. Set the painter's
/// brush origin to the view's content origin so that hatches move with the content when panning.
[[nodiscard]] QBrush brushOf(const Theme& theme, analysis::Cause cause,
                             qreal devicePixelRatio = 1.0);
/// Muted 45° lines, 6 px apart, on a transparent ground: overlay for estimates.
[[nodiscard]] QBrush estimateHatch(const Theme& theme, qreal devicePixelRatio = 1.0);
/// The same color at 42 %: for the prediction behind a measurement, or the plan before a drag.
[[nodiscard]] QColor ghostOf(const QColor& color);

/// Text sizes.
enum class TextSize { Caption, Body, ReportLead, KeyFigure, ReportTitle, StepTime };
enum class TextWeight { Regular, Bold };

/// Noto Sans, or the platform's sans serif if it is not installed.
[[nodiscard]] QFont fontOf(TextSize size, TextWeight weight = TextWeight::Regular);
/// Noto Sans Mono, for logs and paths.
[[nodiscard]] QFont monospaceFont(TextSize size = TextSize::Body);

/// Lengths in logical pixels.
namespace measure {
inline constexpr int kPanelPadding = 12;
inline constexpr int kControlGap = 8;
inline constexpr int kCardGap = 12;
inline constexpr int kControlRadius = 4;
inline constexpr int kChipRadius = 3;
inline constexpr qreal kActionRadius = 1.5;
inline constexpr int kRailWidth = 56;
inline constexpr int kRailItemHeight = 52;
inline constexpr int kRunBarHeight = 48;
inline constexpr int kToolbarHeight = 40;
inline constexpr int kStripHeight = 32;
inline constexpr int kTabHeight = 36;
inline constexpr int kStatusBarHeight = 24;
inline constexpr int kButtonHeight = 28;
inline constexpr int kToolButtonHeight = 24;
inline constexpr int kTreeRowHeight = 24;
inline constexpr int kHistoryRowHeight = 32;
inline constexpr int kLaneHeight = 72;
inline constexpr int kLaneGap = 28;
inline constexpr int kLaneHeaderWidth = 180;
inline constexpr int kBadgeHeight = 18;
}  // namespace measure

}  // namespace stagelane::ui
