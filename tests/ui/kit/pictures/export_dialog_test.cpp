#include "ui/kit/pictures/export_dialog.h"

#include <gtest/gtest.h>

#include <QDir>

#include "tests/support/german_numbers.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

TEST(ExportDialog, LaysOutAndPaintsWithNumbersOfFiles) {
  const test::GermanNumbers german;
  QStringList numbers;
  Exportable what;
  what.title = QStringLiteral("Times");
  what.fileStem = QStringLiteral("times");
  what.layOut = [&numbers](QSizeF, PaintMode, const Theme&) -> Painting {
    numbers << QStringLiteral("laid out ") + numberText(1.5, 1);
    return [&numbers](QPainter&) { numbers << QStringLiteral("painted ") + numberText(1.5, 1); };
  };
  const ExportDialog dialog(what, QDir::tempPath());
  numbers.removeDuplicates();
  EXPECT_EQ(numbers, (QStringList{QStringLiteral("laid out 1.5"), QStringLiteral("painted 1.5")}));
}

}  // namespace
}  // namespace stagelane::ui
