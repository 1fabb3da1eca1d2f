#pragma once

/// Fonts inside SVG pictures: a subset of each font with the glyphs in use, so that text stays text
/// and looks the same where the font is not installed. Needs a QGuiApplication.

#include <QByteArray>
#include <QString>
#include <map>
#include <set>
#include <tuple>

namespace stagelane::ui {

/// Collects the characters that the pictures use and writes the fonts as CSS.
class SvgFonts {
 public:
  /// Adds the texts of a picture. @pre `svg` is QSvgGenerator's output: each text names its font
  void add(const QByteArray& svg);
  /// `@font-face` rules with the fonts as base64; empty without texts. A font that is not installed
  /// or whose license bits forbid embedding or subsetting is left to the viewer.
  [[nodiscard]] QByteArray css() const;

 private:
  struct Face {
    QString family;
    int weight = 400;
    bool italic = false;
    friend bool operator<(const Face& a, const Face& b) {
      return std::tie(a.family, a.weight, a.italic) < std::tie(b.family, b.weight, b.italic);
    }
  };
  [[nodiscard]] static QByteArray rule(const Face& face, const std::set<char32_t>& characters);

  std::map<Face, std::set<char32_t>> m_characters;
};

/// The picture with its fonts in a style element of its own.
[[nodiscard]] QByteArray withEmbeddedFonts(const QByteArray& svg);

}  // namespace stagelane::ui
