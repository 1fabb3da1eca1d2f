#pragma once

/// Banner above the timeline: a trace file is shown or cannot be shown, or the step has no
/// operators and another one has.

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
  /// A file that was to replace the shown trace cannot be read. Empty: no such file.
  void setRefused(const QString& name, const QString& why);
  /// The step with operators, if the shown one has none.
  void setStepWithOperators(std::optional<std::size_t> step);
  void refresh();

 Q_SIGNALS:
  void stepWanted(int step);
  /// A clicked button is deleted with its banner.
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
