#pragma once

/// Colours, fonts and measures of the window, light and dark, as typed
/// values, and one color per action and idle cause for every page. Chooses no words and
/// paints nothing but the tiles of its hatches.

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

/// Colours of the shell and of controls.
struct ControlColors {
  QColor window, panel, panel2, raised, lane, grid, border, border2;
  QColor text, muted, faint, accent, onAccent, accentSoft, selected;
  QColor success, successGround, warning, warningGround, error, errorGround;
};

/// Colours of what devices do; the same in Plan, Timeline, Charts and Report.
struct ActionColors {
  QColor forward, onForward, backward, onBackward, input, onInput, weight, onWeight;
  QColor optimizer, onOptimizer, copy;
  QColor operators, onOperators, kernel, onKernel, sync, onSync, other, onOther;
};

/// Colours of why a device waits; each is drawn as a hatch of its own.
struct CauseColors {
  QColor warmup, starved, transfer, host, drain, tail, unattributed;
};

struct Theme {
  ThemeKind kind = ThemeKind::Light;
  ControlColors control;
  ActionColors action;
  CauseColors cause;
  /// For micro-batches and stages, by number; text on them.
  std::array<QColor, 8> numbered{};
  std::array<QColor, 8> onNumbered{};
};

[[nodiscard]] const Theme& lightTheme();
[[nodiscard]] const Theme& darkTheme();
[[nodiscard]] const Theme& themeOf(ThemeKind kind);
/// `light` or `dark`; anything else is light.
[[nodiscard]] ThemeKind themeKindFromWord(const QString& word);

/// Every role of a QPalette, disabled ones included.
[[nodiscard]] QPalette makePalette(const Theme& theme);

/// Fill of an action, an operator, a kernel or a copy.
[[nodiscard]] QColor fillOf(const Theme& theme, trace::Category category);
/// Text on that fill.
[[nodiscard]] QColor textOn(const Theme& theme, trace::Category category);
/// The full colour of a cause; for busy causes the action's fill.
[[nodiscard]] QColor colorOf(const Theme& theme, analysis::Cause cause);
/// Solid for busy causes; for idle ones the cause's hatch over 16 % of its colour. Set the
/// painter's brush origin to the view's content origin, so that hatches do not swim when panning.
[[nodiscard]] QBrush brushOf(const Theme& theme, analysis::Cause cause,
                             qreal devicePixelRatio = 1.0);
/// Muted 45° lines, 6 px apart, on nothing: laid over what is only an estimate.
[[nodiscard]] QBrush estimateHatch(const Theme& theme, qreal devicePixelRatio = 1.0);
/// The same colour at 42 %: what is predicted behind what is measured, or the plan before a drag.
[[nodiscard]] QColor ghostOf(const QColor& color);

/// Sizes of text.
enum class TextSize { Caption, Body, ReportLead, KeyFigure, ReportTitle, StepTime };
enum class TextWeight { Regular, Bold };

/// Noto Sans; falls back to the platform's sans serif where it is not installed.
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
