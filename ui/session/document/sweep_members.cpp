#include "ui/session/document/sweep_members.h"

#include <set>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

std::vector<SweepMember> sweepMembers(const VariantTab& tab, const plan::Experiment* experiment) {
  std::vector<SweepMember> points;
  if (!tab.sweep()) return points;
  std::vector<const plan::Variant*> variants;
  std::set<std::string> schedules;
  std::set<std::int64_t> splits;
  for (const QString& id : tab.variantIds) {
    const plan::Variant* variant =
        experiment == nullptr ? nullptr : experiment->variantById(utf8(id));
    variants.push_back(variant);
    if (variant == nullptr) continue;
    schedules.insert(variant->schedule);
    splits.insert(variant->splitSize);
  }
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const QString& id = tab.variantIds[static_cast<qsizetype>(i)];
    QStringList parts;
    if (variants[i] != nullptr && schedules.size() > 1) parts << qstring(variants[i]->schedule);
    if (variants[i] != nullptr && splits.size() > 1) {
      parts << QObject::tr("split %1").arg(variants[i]->splitSize);
    }
    const bool prefixed = id.startsWith(tab.id + QChar(u'-'));
    if (parts.empty()) parts << (prefixed ? id.mid(tab.id.size() + 1) : id);
    points.push_back({id, parts.join(u", "_s)});
  }
  return points;
}

}  // namespace stagelane::ui
