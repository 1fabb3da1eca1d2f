#pragma once

/// Above the timeline: that a trace opened by itself is shown, that one cannot be, or that the step
/// has no operators and which one has.

#include <cstddef>
#include <optional>

#include "ui/frame/banner.h"
#include "ui/session/run/opened_trace.h"

namespace stagelane::ui {

class Session;

class TraceBanner final : public Banner {
  Q_OBJECT

 public:
  TraceBanner(Session* session, QWidget* parent);
  /// A file was to take the place of the trace that is shown, which stays. Empty: no such file.
  void setRefused(const QString& name, const QString& why);
  /// The step that has operators, where the one shown has none.
  void setStepWithOperators(std::optional<std::size_t> step);
  void refresh();

 Q_SIGNALS:
  void stepWanted(int step);
  /// A button that is clicked goes with its banner.
  void focusLost();

 private:
  void showRefused(const OpenedTrace& opened);
  void showOpened(const OpenedTrace& opened);
  [[nodiscard]] std::vector<BannerButton> operatorsButton();
  [[nodiscard]] BannerButton backButton();

  Session* m_session;
  QString m_refused, m_why;
  std::optional<std::size_t> m_withOperators;
};

}  // namespace stagelane::ui
