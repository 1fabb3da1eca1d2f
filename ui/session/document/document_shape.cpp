#include "ui/session/document/document_shape.h"

#include <QObject>
#include <initializer_list>
#include <string>

#include "engine/base/find.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

using Kind = Json::value_t;

struct Member {
  const char* name;
  std::initializer_list<Kind> kinds;  ///< the first one is named as expected
};

QString wordOf(Kind kind) {
  switch (kind) {
    case Kind::object: return QObject::tr("an object");
    case Kind::array: return QObject::tr("a list");
    case Kind::string: return QObject::tr("text");
    case Kind::boolean: return QObject::tr("true or false");
    case Kind::null: return u"null"_s;
    default: return QObject::tr("a number");
  }
}

Status wrong(const std::string& pointer, Kind expected, const Json& found) {
  return refused(
      QObject::tr("not an editable experiment: expected %1, found %2")
          .arg(wordOf(expected), wordOf(found.type())),
      QObject::tr("open an experiment (docs/reference/experiment.md), or fix this member in a "
                  "text editor"),
      pointer.empty() ? "/" : pointer);
}

/// Missing members are valid.
Status checkMembers(const Json& object, const std::string& pointer,
                    std::initializer_list<Member> members) {
  for (const Member& member : members) {
    const auto found = object.find(member.name);
    if (found == object.end()) continue;
    if (!contains(member.kinds, found->type())) {
      return wrong(pointer + "/" + member.name, *member.kinds.begin(), *found);
    }
  }
  return {};
}

}  // namespace

Status checkShape(const Json& document) {
  if (!document.is_object()) return wrong("", Kind::object, document);
  const Status top = checkMembers(document, "",
                                  {{"name", {Kind::string}},
                                   {"model", {Kind::object}},
                                   {"input", {Kind::object}},
                                   {"data", {Kind::object}},
                                   {"loss", {Kind::string, Kind::object}},
                                   {"optimizer", {Kind::object}},
                                   {"devices", {Kind::array, Kind::object}},
                                   {"variants", {Kind::array}}});
  if (!top) return top;
  const auto variants = document.find("variants");
  if (variants == document.end()) return {};
  for (std::size_t index = 0; index < variants->size(); ++index) {
    const Json& variant = (*variants)[index];
    const std::string pointer = "/variants/" + std::to_string(index);
    if (!variant.is_object()) return wrong(pointer, Kind::object, variant);
    const Status status = checkMembers(variant, pointer,
                                       {{"name", {Kind::string}},
                                        {"id", {Kind::string}},
                                        {"strategy", {Kind::string}},
                                        {"include", {Kind::boolean}},
                                        {"placement", {Kind::object, Kind::string}},
                                        {"stages", {Kind::array}}});
    if (!status) return status;
  }
  return {};
}

}  // namespace stagelane::ui
