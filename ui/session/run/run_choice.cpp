#include "ui/session/run/run_choice.h"

#include <algorithm>

#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/document/schedule_choices.h"

namespace stagelane::ui {
namespace {

/// The host of all devices. @errors Invalid: there are several
Result<std::string> hostsOf(const ExperimentDocument& document) {
  const auto experiment = document.experiment();
  return experiment ? plan::hostOf(*experiment) : Result<std::string>(std::string());
}

}  // namespace

std::optional<CannotRun> whyTabCannotRun(const ExperimentDocument& document,
                                         const VariantTab& tab) {
  const auto experiment = document.experiment();
  if (tab.error || !experiment) {
    return CannotRun{CannotRun::Kind::Unreadable, QObject::tr("cannot run: see its tab")};
  }
  if (const auto host = hostsOf(document); !host) {
    return CannotRun{CannotRun::Kind::Hosts,
                     QObject::tr("cannot run: %1").arg(qstring(host.error().message))};
  }
  for (const QString& id : tab.variantIds) {
    const plan::Variant* variant = experiment->variantById(utf8(id));
    const auto device =
        variant != nullptr ? plan::imaginedDeviceOf(*experiment, *variant) : std::nullopt;
    if (device) {
      return CannotRun{CannotRun::Kind::Imagined,
                       QObject::tr("uses %1, an imagined device").arg(qstring(device->value))};
    }
    const QString breach = variant != nullptr ? unsuited(*experiment, *variant) : QString();
    if (!breach.isEmpty()) {
      return CannotRun{CannotRun::Kind::Unsuited, QObject::tr("cannot run: %1").arg(breach)};
    }
  }
  return std::nullopt;
}

QString cannotRunText(const VariantTab& tab, const CannotRun& reason) {
  return (reason.kind == CannotRun::Kind::Imagined
              ? QObject::tr("%1 %2; move its blocks to a device of this machine")
              : QObject::tr("%1 %2"))
      .arg(tab.name, reason.text);
}

RunChoice includedToRun(const ExperimentDocument& document) {
  RunChoice choice;
  for (const VariantTab& tab : document.tabs()) {
    if (!tab.include) continue;
    const auto reason = whyTabCannotRun(document, tab);
    if (!reason) {
      choice.tabIds.append(tab.id);
    } else {
      choice.leftOut.push_back(
          {tab.id, QObject::tr("%1 is left out because it %2").arg(tab.name, reason->text)});
    }
  }
  const auto included = choice.tabIds.size() + static_cast<qsizetype>(choice.leftOut.size());
  const bool tabsToBlame = std::any_of(document.tabs().begin(), document.tabs().end(),
                                       [](const VariantTab& tab) { return tab.error.has_value(); });
  if (document.error() && !tabsToBlame) {
    choice.whyNot =
        QObject::tr("the experiment cannot be read: %1").arg(sentenceText(*document.error()));
  } else if (const auto host = hostsOf(document); !host) {
    choice.whyNot = sentenceText(host.error());
  } else if (included == 0) {
    choice.whyNot = QObject::tr("no variant is included: include one on its tab");
  } else if (choice.tabIds.isEmpty()) {
    const VariantTab* tab = document.tab(choice.leftOut.front().tabId);
    choice.whyNot = cannotRunText(*tab, *whyTabCannotRun(document, *tab));
  }
  return choice;
}

QString hostToRun(const ExperimentDocument& document) {
  return qstring(hostsOf(document).value_or(std::string()));
}

Json documentToRun(const ExperimentDocument& document, const QStringList& tabIds) {
  Json run = document.json();
  Json& variants = run["variants"];
  for (const VariantTab& tab : document.tabs()) {
    if (!tab.error && !tabIds.isEmpty()) variants[tab.index]["include"] = tabIds.contains(tab.id);
    // Ids number repeated names, so write them down before removing variants.
    if (!tab.error && document.error()) variants[tab.index]["id"] = utf8(tab.id);
  }
  for (auto tab = document.tabs().rbegin(); tab != document.tabs().rend(); ++tab) {
    if (tab->error) run = withoutVariant(std::move(run), tab->index);
  }
  return run;
}

}  // namespace stagelane::ui
