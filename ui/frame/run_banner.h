#pragma once

/// The strip below a page's toolbar that says what `bannerOfRun` or `bannerOfPlan` says of the
/// session, and does what is chosen there. It follows the session by itself; every page has one.

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
  /// What the run of the session says: `banner`.
  RunBanner(Session* session, QWidget* parent);
  /// Of the others, each has an objectName of its own: several may be shown at once.
  RunBanner(Session* session, const QString& name, Says says, QWidget* parent);

 private:
  void refresh();
  [[nodiscard]] std::vector<BannerButton> buttonsOf(const std::vector<BannerAct>& acts) const;

  Session* m_session;
  Says m_says;
  std::optional<BannerText> m_shown;
};

}  // namespace stagelane::ui
