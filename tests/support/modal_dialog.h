#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QDialog>
#include <QTest>
#include <QTimer>
#include <functional>

namespace stagelane::test {

/// Runs code that opens a modal dialog, checks the dialog, and closes it. Some dialogs block until
/// they are closed.
inline void lookAtModalDialog(const std::function<void()>& open,
                              const std::function<void(QDialog&)>& look) {
  bool seen = false;
  QTimer poll;
  QObject::connect(&poll, &QTimer::timeout, &poll, [&] {
    auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr || seen) return;
    seen = true;
    poll.stop();
    look(*dialog);
    dialog->close();
  });
  poll.start(20);
  open();
  EXPECT_TRUE(QTest::qWaitFor([&] { return seen; }, 20'000)) << "no dialog opened";
  EXPECT_TRUE(QTest::qWaitFor([] { return QApplication::activeModalWidget() == nullptr; }, 20'000));
}

}  // namespace stagelane::test
