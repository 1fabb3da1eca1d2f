#include "engine/tokenizer/metaspace.h"

#include "engine/tokenizer/utf8.h"

namespace stagelane::tokenizer {

Metaspace readMetaspace(ObjectReader& reader) {
  Metaspace metaspace;
  metaspace.replacement = reader.text("replacement");
  if (metaspace.replacement.empty() ||
      utf8Length(metaspace.replacement.front()) != metaspace.replacement.size()) {
    reader.problem("replacement", "expected one character");
  }
  const std::string scheme =
      reader.oneOf("prepend_scheme", {"always", "first", "never"}, std::string("always"));
  metaspace.prepend = scheme == "always"  ? Metaspace::Prepend::Always
                      : scheme == "first" ? Metaspace::Prepend::First
                                          : Metaspace::Prepend::Never;
  static_cast<void>(reader.raw("str_rep"));  // the replacement again, in older files
  // Older files have this instead of the scheme.
  if (reader.has("add_prefix_space") && !reader.boolean("add_prefix_space", true)) {
    metaspace.prepend = Metaspace::Prepend::Never;
  }
  const Json* split = reader.raw("split");
  metaspace.splits = split == nullptr || split->is_null() || reader.boolean("split");
  return metaspace;
}

}  // namespace stagelane::tokenizer
