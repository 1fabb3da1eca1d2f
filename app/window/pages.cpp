#include "app/window/pages.h"

#include "app/window/main_window.h"
#include "ui/charts/charts_page.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_page.h"
#include "ui/report/report_page.h"
#include "ui/runs/runs_page.h"
#include "ui/timeline/timeline_page.h"

namespace stagelane::app {
namespace {

template <class Made>
ui::Page* make(QWidget* parent) {
  return new Made(parent);
}

}  // namespace

std::vector<ui::PageEntry> pages() {
  return {
      {.name = u"plan"_s,
       .title = MainWindow::tr("Plan"),
       .icon = u"plan"_s,
       .key = Qt::Key_1,
       .make = make<ui::PlanPage>},
      {.name = u"timeline"_s,
       .title = MainWindow::tr("Timeline"),
       .icon = u"timeline"_s,
       .key = Qt::Key_2,
       .make = make<ui::TimelinePage>},
      {.name = u"charts"_s,
       .title = MainWindow::tr("Charts"),
       .icon = u"charts"_s,
       .key = Qt::Key_3,
       .make = make<ui::ChartsPage>},
      {.name = u"runs"_s,
       .title = MainWindow::tr("Runs"),
       .icon = u"runs"_s,
       .key = Qt::Key_4,
       .make = make<ui::RunsPage>},
      {.name = u"report"_s,
       .title = MainWindow::tr("Report"),
       .icon = u"report"_s,
       .key = Qt::Key_5,
       .make = make<ui::ReportPage>},
  };
}

std::vector<std::string> pageNames() {
  std::vector<std::string> names;
  for (const ui::PageEntry& page : pages()) names.push_back(ui::utf8(page.name));
  return names;
}

}  // namespace stagelane::app
