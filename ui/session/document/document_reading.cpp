#include "ui/session/document/document_reading.h"

#include <set>

#include "engine/base/text.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

const std::string kVariants = "variants";

bool hasVariants(const Json& document) {
  const auto found = document.find(kVariants);
  return document.is_object() && found != document.end() && found->is_array();
}

/// Replaces a reference by its target so that a variant can be read on its own.
Json withoutReferences(const Json& variants, const Json& variant) {
  Json alone = variant;
  const Json& placed = placedBy(variants, variant);
  if (&placed == &variant) return alone;
  alone.erase("placement");
  for (const char* key : {"placement", "stages"}) {
    if (placed.contains(key)) alone[key] = placed[key];
  }
  return alone;
}

void redirectPointer(Error& error, std::size_t index) {
  static const std::string kOnly = "/variants/0";
  const std::size_t at = error.context.find(kOnly);
  if (at != std::string::npos) {
    error.context.replace(at, kOnly.size(), "/variants/" + std::to_string(index));
  }
}

std::vector<VariantTab> tabsOf(const Json& document) {
  std::vector<VariantTab> tabs;
  if (!document.is_object() || !hasVariants(document)) return tabs;
  std::set<std::string> taken;
  std::size_t index = 0;
  for (const Json& variant : document[kVariants]) {
    VariantTab tab;
    const std::string name = textMember(variant, "name");
    const std::string id = textMember(variant, "id");
    tab.name = qstring(name.empty() ? id : name);
    tab.id = qstring(uniqueSlug(id.empty() ? name : id, taken));
    tab.include = !(variant.is_object() && variant.value("include", Json(true)) == Json(false));
    tab.index = index++;
    tabs.push_back(tab);
  }
  return tabs;
}

class Reader {
 public:
  Reader(const Json& document, const ReadingBasis& basis) : m_document(document), m_basis(basis) {}

  DocumentReading read() {
    DocumentReading reading;
    reading.tabs = tabsOf(m_document);
    auto whole = readAs(m_document);
    if (!whole) {
      reading.error = whole.error();
      readOneByOne(reading);
      return reading;
    }
    for (VariantTab& tab : reading.tabs) {
      for (const plan::Variant& variant : whole->variants) {
        if (!variant.implicit &&
            (qstring(variant.tab) == tab.name || qstring(variant.tab) == tab.id ||
             qstring(variant.id) == tab.id)) {
          tab.variantIds.append(qstring(variant.id));
        }
      }
    }
    reading.experiment = std::make_shared<plan::Experiment>(std::move(*whole));
    return reading;
  }

 private:
  [[nodiscard]] Result<plan::Experiment> readAs(const Json& json) const {
    return plan::readExperiment(json, m_basis.baseFolder, m_basis.machine, m_basis.shapes);
  }

  [[nodiscard]] Result<plan::Experiment> readAlone(const VariantTab& tab) const {
    const Json& variants = m_document[kVariants];
    Json variant = withoutReferences(variants, variants[tab.index]);
    variant["id"] = utf8(tab.id);
    Json alone = m_document;
    alone[kVariants] = Json::array({std::move(variant)});
    return readAs(alone);
  }

  void readOneByOne(DocumentReading& reading) const {
    std::shared_ptr<plan::Experiment> merged;
    for (VariantTab& tab : reading.tabs) {
      if (!m_document[kVariants][tab.index].is_object()) {
        tab.error = reading.error;
        continue;
      }
      auto read = readAlone(tab);
      if (!read) {
        tab.error = read.error();
        redirectPointer(*tab.error, tab.index);
        continue;
      }
      for (const plan::Variant& concrete : read->variants) {
        if (!concrete.implicit) tab.variantIds.append(qstring(concrete.id));
      }
      if (!merged) {
        merged = std::make_shared<plan::Experiment>(std::move(*read));
        continue;
      }
      for (plan::Variant& concrete : read->variants) {
        if (!concrete.implicit) merged->variants.push_back(std::move(concrete));
      }
    }
    if (merged) {
      merged->source = m_document;
      reading.experiment = merged;
    }
  }

  const Json& m_document;
  const ReadingBasis& m_basis;
};

}  // namespace

DocumentReading readDocument(const Json& document, const ReadingBasis& basis) {
  return Reader(document, basis).read();
}

}  // namespace stagelane::ui
