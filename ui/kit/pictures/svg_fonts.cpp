#include "ui/kit/pictures/svg_fonts.h"

#include <hb-subset.h>

#include <QFont>
#include <QRawFont>
#include <QXmlStreamReader>
#include <array>
#include <memory>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using BlobPtr = std::unique_ptr<hb_blob_t, Destroy<hb_blob_destroy>>;
using FacePtr = std::unique_ptr<hb_face_t, Destroy<hb_face_destroy>>;
using InputPtr = std::unique_ptr<hb_subset_input_t, Destroy<hb_subset_input_destroy>>;

void destroyBytes(void* bytes) { delete static_cast<QByteArray*>(bytes); }

/// HarfBuzz reads the tables through Qt, so it uses the font that measured the texts.
hb_blob_t* tableOf(hb_face_t*, hb_tag_t tag, void* font) {
  std::array<char, 5> name{};
  hb_tag_to_string(tag, name.data());
  auto* bytes = new QByteArray(static_cast<const QRawFont*>(font)->fontTable(name.data()));
  return hb_blob_create(bytes->constData(), static_cast<unsigned>(bytes->size()),
                        HB_MEMORY_MODE_READONLY, bytes, destroyBytes);
}

/// Bits of the table OS/2: "restricted license" and "no subsetting" forbid embedding.
bool mayBeEmbedded(const QRawFont& font) {
  const QByteArray table = font.fontTable("OS/2");
  constexpr qsizetype kTypeAt = 8;
  if (table.size() < kTypeAt + 2) return true;
  const unsigned type = static_cast<unsigned>(static_cast<unsigned char>(table[kTypeAt])) << 8U |
                        static_cast<unsigned char>(table[kTypeAt + 1]);
  return (type & 0x000FU) != 0x0002U && (type & 0x0100U) == 0;
}

/// The font with only these characters; empty if HarfBuzz cannot make it.
QByteArray subsetOf(const QRawFont& font, const std::set<char32_t>& characters) {
  const FacePtr face(hb_face_create_for_tables(tableOf, const_cast<QRawFont*>(&font), nullptr));
  const InputPtr input(hb_subset_input_create_or_fail());
  if (!input) return {};
  hb_set_t* wanted = hb_subset_input_unicode_set(input.get());
  for (const char32_t character : characters) hb_set_add(wanted, character);
  hb_set_t* features = hb_subset_input_set(input.get(), HB_SUBSET_SETS_LAYOUT_FEATURE_TAG);
  hb_set_clear(features);
  for (const char* feature : {"kern", "mark", "mkmk", "ccmp", "liga"}) {
    hb_set_add(features, hb_tag_from_string(feature, -1));
  }
  // Pictures are shown at any size, where hints are useless.
  hb_subset_input_set_flags(input.get(), HB_SUBSET_FLAGS_NO_HINTING);
  const FacePtr subset(hb_subset_or_fail(face.get(), input.get()));
  if (!subset) return {};
  const BlobPtr blob(hb_face_reference_blob(subset.get()));
  unsigned length = 0;
  const char* data = hb_blob_get_data(blob.get(), &length);
  return {data, static_cast<qsizetype>(length)};
}

}  // namespace

void SvgFonts::add(const QByteArray& svg) {
  QXmlStreamReader xml(svg);
  std::set<char32_t>* characters = nullptr;
  while (!xml.atEnd()) {
    const auto token = xml.readNext();
    if (token == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text")) {
      const QXmlStreamAttributes about = xml.attributes();
      const Face face{about.value(QLatin1String("font-family")).toString(),
                      about.value(QLatin1String("font-weight")).toInt(),
                      about.value(QLatin1String("font-style")) == QLatin1String("italic")};
      characters = face.family.isEmpty() ? nullptr : &m_characters[face];
    } else if (token == QXmlStreamReader::EndElement && xml.name() == QLatin1String("text")) {
      characters = nullptr;
    } else if (token == QXmlStreamReader::Characters && characters != nullptr) {
      for (const uint character : xml.text().toUcs4()) characters->insert(character);
    }
  }
}

QByteArray SvgFonts::rule(const Face& face, const std::set<char32_t>& characters) {
  QFont font(face.family);
  font.setWeight(static_cast<QFont::Weight>(face.weight));
  font.setItalic(face.italic);
  const QRawFont raw = QRawFont::fromFont(font);
  // Qt substitutes another font if this name does not exist.
  if (!raw.isValid() || raw.familyName() != face.family || !mayBeEmbedded(raw)) return {};
  const QByteArray subset = subsetOf(raw, characters);
  if (subset.isEmpty()) return {};
  QString family = face.family;
  family.remove(QChar(u'"')).remove(QChar(u'\\'));
  return u"@font-face{font-family:\"%1\";font-weight:%2;font-style:%3;"
         "src:url(data:font/ttf;base64,%4) format(\"truetype\")}\n"_s
             .arg(family, QString::number(face.weight), face.italic ? u"italic"_s : u"normal"_s,
                  QString::fromLatin1(subset.toBase64()))
             .toUtf8();
}

QByteArray SvgFonts::css() const {
  QByteArray rules;
  for (const auto& [face, characters] : m_characters) rules += rule(face, characters);
  return rules;
}

QByteArray withEmbeddedFonts(const QByteArray& svg) {
  SvgFonts fonts;
  fonts.add(svg);
  const QByteArray rules = fonts.css();
  const qsizetype at = svg.indexOf("<defs>");
  if (rules.isEmpty() || at < 0) return svg;
  QByteArray whole = svg;
  return whole.insert(at, "<style type=\"text/css\">\n" + rules + "</style>\n");
}

}  // namespace stagelane::ui
