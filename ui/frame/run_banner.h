#pragma once

/// The strip below a page's toolbar that shows `bannerOfRun` or `bannerOfPlan` of the session and
/// performs the chosen action. It updates itself; every page has one.

#include <optional>
#include <vector>

#include "ui/frame/banner.h"
#include "ui/frame/banner_text.h"

namespace stagelane::ui {

class Session;

class RunBanner final : public Banner {
  Q_OBJECT

 public:
  using Says = std::optional<BannerText> (*)(const Session&);
  /// Shows the state of the session's run: `banner`.
  RunBanner(Session* session, QWidget* parent);
  /// Shows another text; each banner has its own objectName because several may be visible.
  RunBanner(Session* session, const QString& name, Says says, QWidget* parent);

 private:
  void refresh();
  [[nodiscard]] std::vector<BannerButton> buttonsOf(const std::vector<BannerAct>& acts) const;

  Session* m_session;
  Says m_says;
  std::optional<BannerText> m_shown;
};

}  // namespace stagelane::ui
