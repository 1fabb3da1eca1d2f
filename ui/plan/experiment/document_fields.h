#pragma once

/// Controls that each show and edit one member of the session's document, one undo step per change.
/// A field keeps an invalid text, reports the problem below itself and does not edit the document.
/// The caller lays out the controls.

#include <QCheckBox>
#include <QLineEdit>
#include <QObject>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "ui/kit/combo.h"
#include "ui/kit/noted_field.h"
#include "ui/kit/text/typed_numbers.h"

namespace stagelane::ui {

class Session;

/// What a control shows and edits.
struct DocumentField {
  using Read = std::function<Json(const Json& document)>;
  using Edit = std::function<Json(Json document, const Json& value)>;

  QString name;   ///< objectName
  QString label;  ///< label; begins the undo step's name
  QString tip;
  std::vector<std::string> path;  ///< keys from the root
  Json fallback;                  ///< used if the document has no value
  Edit edit = {};                 ///< instead of writing the value at the path
  Read read = {};                 ///< instead of reading it there
};

/// One entry of a choice.
struct FieldWord {
  std::string word;
  QString text;
};

class IntegerBox;

class DocumentFields final : public QObject {
  Q_OBJECT

 public:
  explicit DocumentFields(Session* session, QObject* parent);

  NotedField* integer(const DocumentField& field, int least, int most, QWidget* parent);
  /// If `optional`, an empty field removes the member.
  NotedField* number(const DocumentField& field, const NumberRange& range, bool optional,
                     QWidget* parent);
  NotedField* text(const DocumentField& field, QWidget* parent);
  Combo* choice(const DocumentField& field, const std::vector<FieldWord>& words, QWidget* parent);
  QCheckBox* onOff(const DocumentField& field, QWidget* parent);
  /// Shows the current document.
  void refresh();
  [[nodiscard]] Json valueOf(const DocumentField& field) const;

 private:
  void apply(const QString& step, const DocumentField& field, const Json& value);
  void remove(const DocumentField& field);
  [[nodiscard]] std::function<void()> following(const DocumentField& field, QLineEdit* edit,
                                                NotedField* noted) const;
  void enterInteger(const DocumentField& field, IntegerBox* box, NotedField* noted);
  void enterNumber(const DocumentField& field, const NumberRange& range, bool optional,
                   QLineEdit* edit, NotedField* noted);

  Session* m_session;
  std::vector<std::function<void()>> m_refreshers;
  bool m_refreshing = false;
};

}  // namespace stagelane::ui
