#include "ui/session/run/runs_to_show.h"

#include "ui/kit/text/formatting.h"
#include "ui/session/run/run_table_model.h"

namespace stagelane::ui {
namespace {

QString textOf(const workspace::RunEntry& entry, const ShownRun& shown, int year) {
  QStringList words{QString::number(entry.number), startedText(entry.startedAt, year),
                    stateText(entry)};
  if (qstring(entry.name) != shown.name) words << qstring(entry.name);
  return words.join(u" · "_s);
}

}  // namespace

std::vector<RunToShow> runsToShow(const RunList& runs, const ShownRun& shown, std::size_t most,
                                  int year) {
  std::vector<RunToShow> choices;
  bool found = shown.folder.isEmpty();
  for (const workspace::RunEntry& entry : runs) {
    const bool isShown = qstring(entry.folder) == shown.folder;
    if (choices.size() >= most && !isShown) continue;
    choices.push_back({qstring(entry.folder), textOf(entry, shown, year)});
    found = found || isShown;
  }
  if (!found) {
    const QString text = u"%1 · %2"_s.arg(shown.name, shown.state);
    choices.insert(choices.begin(), {shown.folder, text});
  }
  return choices;
}

}  // namespace stagelane::ui
