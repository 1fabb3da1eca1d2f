// The rules on made-up files: each rule is broken once here, which proves that it can fail.
#include "tests/structure/size_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stagelane::structure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Places, OfHeaderAndSourceAreTheSame) {
  EXPECT_THAT(findMisplaced({"engine/plan/a.h", "engine/plan/a.cpp"}), IsEmpty());
  EXPECT_THAT(findMisplaced({"engine/plan/b/a.h", "engine/plan/a.cpp"}),
              ElementsAre(HasSubstr("lies apart")));
  // Files in different folders may have the same name.
  EXPECT_THAT(
      findMisplaced({"engine/plan/a.h", "engine/plan/a.cpp", "ui/plan/a.h", "ui/plan/a.cpp"}),
      IsEmpty());
}

TEST(Places, HaveNoDetail) {
  EXPECT_THAT(findMisplaced({"engine/plan/detail/a.h"}), ElementsAre(HasSubstr("'detail'")));
}

TEST(TestDoubles, AreFoundByTheNameOfTheirFile) {
  for (const std::string stem : {"fake_session", "session_mock", "stub", "dummy_session"}) {
    EXPECT_THAT(findTestDoubles({"a/" + stem + ".cpp", ""}), ElementsAre("a/" + stem + ".cpp:1"));
  }
  EXPECT_THAT(findTestDoubles({"a/stubborn.cpp", ""}), IsEmpty());
}

TEST(TestDoubles, AreFoundByNamesInAFile) {
  for (const std::string name : {"FakeSession", "SessionMock", "StubSession", "DummySession"}) {
    EXPECT_THAT(findTestDoubles({"a.h", "\nclass " + name + " {\n};\n"}), ElementsAre("a.h:2"));
  }
  EXPECT_THAT(findTestDoubles({"a.h", "class Session {\n};\n"}), IsEmpty());
}

TEST(Places, HoldFortyFiveUnits) {
  std::vector<std::string> paths;
  for (int index = 0; index < kMostUnitsOfFolder; ++index) {
    paths.push_back("ui/kit/u" + std::to_string(index) + ".h");
    paths.push_back("ui/kit/u" + std::to_string(index) + ".cpp");
  }
  EXPECT_THAT(findMisplaced(paths), IsEmpty());
  paths.push_back("ui/kit/one_more.h");
  EXPECT_THAT(findMisplaced(paths), ElementsAre(HasSubstr("46 units")));
}

TEST(Functions, AreCountedFromTheirFirstLineToTheirBrace) {
  const SourceText file{"a.cpp",
                        "namespace x {\n"
                        "int A::one(int a,\n"
                        "           int b) {\n"
                        "  if (a) {\n"
                        "  }\n"
                        "  return b;\n"
                        "}\n"
                        "const int k = f(1);\n"
                        "struct S {\n"
                        "  int two() {\n"
                        "    return 2;\n"
                        "  }\n"
                        "  struct Inner {\n"
                        "    int three() {\n"
                        "      return 3;\n"
                        "    }\n"
                        "  };\n"
                        "};\n"
                        "}\n"};
  const std::vector<Extent> functions = functionsOf(file);
  ASSERT_EQ(functions.size(), 3U);
  EXPECT_EQ(functions[0].name, "a.cpp: A::one");
  EXPECT_EQ(functions[0].lines, 6);
  EXPECT_EQ(functions[1].name, "a.cpp: two");
  EXPECT_EQ(functions[1].lines, 3);
  EXPECT_EQ(functions[2].name, "a.cpp: three");
  EXPECT_EQ(functions[2].lines, 3);
}

TEST(Functions, OfAConstructorMayHaveBracesInItsInitializers) {
  const SourceText file{"a.cpp",
                        "A::A(int x)\n"
                        "    : m_list{\n"
                        "          {1, 2},\n"
                        "          3},\n"
                        "      m_x(x) {\n"
                        "  b();\n"
                        "}\n"
                        "constexpr std::array kRows{\n"
                        "    f(1),\n"
                        "};\n"};
  const std::vector<Extent> functions = functionsOf(file);
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].name, "a.cpp: A::A");
  EXPECT_EQ(functions[0].lines, 7);
}

TEST(Classes, AreCountedOverAllTheirFiles) {
  const std::vector<Extent> classes = classesOf({{"a.h", "class A final {\n  void b();\n};\n"},
                                                 {"a.cpp", "void A::b() {\n}\nvoid A::c() {\n}\n"},
                                                 {"a_layout.cpp", "void A::d() {\n}\n"},
                                                 {"free.cpp", "void e() {\n}\n"}});
  ASSERT_EQ(classes.size(), 1U);
  EXPECT_EQ(classes[0].name, "A");
  EXPECT_EQ(classes[0].lines, 3 + 4 + 2);
}

TEST(Classes, AreCountedInSourcesOfOthers) {
  const std::vector<Extent> classes =
      classesOf({{"a.h", "class A {\n};\n"},
                 {"b.h", "struct B {\n};\n"},
                 {"a.cpp",
                  "int A::a() {\n}\nvoid A::Inner::b() {\n}\nbool B::operator==(int) {\n}\n"
                  "void free() {\n}\nstd::function<void()> B::c() {\n}\n"}});
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].name, "A");
  EXPECT_EQ(classes[1].name, "B");
  EXPECT_EQ(classes[0].lines + classes[1].lines, 2 + 2 + 10 + 4);
}

TEST(Classes, MayBeStructs) {
  const std::vector<Extent> classes =
      classesOf({{"a.h", "struct A {\n  void b();\n};\ntemplate <>\nstruct std::hash<A> {\n};\n"},
                 {"a.cpp", "void A::b() {\n}\n"}});
  ASSERT_EQ(classes.size(), 1U);
  EXPECT_EQ(classes[0].lines, 6 + 2);
}

}  // namespace
}  // namespace stagelane::structure
