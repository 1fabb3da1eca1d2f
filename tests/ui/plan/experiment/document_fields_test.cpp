#include "ui/plan/experiment/document_fields.h"

#include <gtest/gtest.h>

#include "tests/support/german_numbers.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

TEST(DocumentFields, ShowANumberAsItIsTyped) {
  const test::GermanNumbers german;
  Session session;
  Json document = sample::toyPipeline(1);
  document["optimizer"] = {{"kind", "sgd"}, {"lr", 0.25}};
  session.document().load(document, {}, {});
  QWidget parent;
  DocumentFields fields(&session, &parent);
  const DocumentField rate{
      QStringLiteral("rate"), QStringLiteral("Rate"), {}, {"optimizer", "lr"}, 0.001};
  const NotedField* noted = fields.number(rate, {}, false, &parent);
  auto* edit = noted->findChild<QLineEdit*>();
  ASSERT_NE(edit, nullptr);
  fields.refresh();
  EXPECT_EQ(edit->text().toStdString(), "0,25");
  for (const char* typed : {"0,5", "0.5"}) {
    edit->setText(QString::fromLatin1(typed));
    Q_EMIT edit->editingFinished();
    EXPECT_FALSE(noted->wrong()) << typed;
    EXPECT_EQ(fields.valueOf(rate), 0.5) << typed;
  }
  fields.refresh();
  EXPECT_EQ(edit->text().toStdString(), "0,5");
}

}  // namespace
}  // namespace stagelane::ui
