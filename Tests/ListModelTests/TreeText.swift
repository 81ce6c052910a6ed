import Testing

/// The text of a tree with everything in it, of which single members can be replaced.
struct TreeText {
  /// A member: where it stands in a ``FormatError``, its text, and what else it may be.
  struct Field: CustomTestStringConvertible {
    let place: String
    /// A correct value.
    let text: String
    /// Kinds that fit: "object", "array", "string", "number", "boolean", "null".
    let kinds: Set<String>
    let isRequired: Bool

    var testDescription: String { place }
    var name: String { String(place.split(separator: ".").last ?? "") }
  }

  static let kinds = ["object", "array", "string", "number", "boolean", "null"]
  private static let section = "sections[0]"
  private static let item = "sections[0].items[0]"

  static let fields: [Field] = [
    field("list", "\"home\"", ["string"], isRequired: false),
    field("revision", "\"17\"", ["string"], isRequired: false),
    field("sections", "[]", ["array"]),
    field("\(section).id", "\"s\"", ["string"]),
    field("\(section).layout", "{}", ["object", "null"], isRequired: false),
    field("\(section).layout.kind", "\"flow\"", ["string", "null"], isRequired: false),
    field("\(section).layout.columns", "2", ["number", "null"], isRequired: false),
    field("\(section).layout.lineSpacing", "8.5", ["number", "null"], isRequired: false),
    field("\(section).layout.interitemSpacing", "-4", ["number", "null"], isRequired: false),
    field("\(section).layout.insets", "[1,2,3,4]", ["array", "null"], isRequired: false),
    field(
      "\(section).header", "{\"view\":\"V\",\"content\":0}", ["object", "null"], isRequired: false),
    field("\(section).header.view", "\"V\"", ["string"]),
    field("\(section).header.content", "{}", Set(kinds)),
    field(
      "\(section).footer", "{\"view\":\"V\",\"content\":0}", ["object", "null"], isRequired: false),
    field("\(section).footer.view", "\"V\"", ["string"]),
    field("\(section).footer.content", "{}", Set(kinds)),
    field("\(section).meta", "{}", Set(kinds), isRequired: false),
    field("\(section).visibility", "\"hidden\"", ["string", "null"], isRequired: false),
    field(
      "\(section).supplementaries", "{\"badge\":{\"view\":\"V\",\"content\":0}}",
      ["object", "null"],
      isRequired: false),
    field(
      "\(section).supplementaries.badge", "{\"view\":\"V\",\"content\":0}", ["object", "null"],
      isRequired: false),
    field("\(section).supplementaries.badge.view", "\"V\"", ["string"]),
    field("\(section).supplementaries.badge.content", "{}", Set(kinds)),
    field("\(section).decorations", "[]", ["array", "null"], isRequired: false),
    field("\(section).decorations[0].view", "\"V\"", ["string"]),
    field("\(section).decorations[0].of", "\"items\"", ["string", "null"], isRequired: false),
    field("\(section).decorations[0].zIndex", "2", ["number", "null"], isRequired: false),
    field("\(section).decorations[0].insets", "[1,2,3,4]", ["array", "null"], isRequired: false),
    field("\(section).decorations[0].content", "{}", Set(kinds), isRequired: false),
    field("\(section).items", "[]", ["array"]),
    field("\(item).id", "\"i\"", ["string"]),
    field("\(item).cell", "\"C\"", ["string"]),
    field("\(item).content", "{}", Set(kinds)),
    field("\(item).type", "\"T\"", ["string", "null"], isRequired: false),
    field("\(item).action", "{}", ["object", "null"], isRequired: false),
    field("\(item).action.url", "\"u\"", ["string", "null"], isRequired: false),
    field("\(item).action.event", "\"e\"", ["string", "null"], isRequired: false),
    field("\(item).action.attrs", "{}", Set(kinds), isRequired: false),
  ]

  private static func field(
    _ place: String, _ text: String, _ kinds: Set<String>, isRequired: Bool = true
  ) -> Field {
    Field(place: place, text: text, kinds: kinds, isRequired: isRequired)
  }

  /// The whole tree, but for the member at `place`, which `replacement` writes; `nil` omits it.
  static func document(
    _ place: String = "", _ replacement: (Field) -> String? = { _ in nil }
  ) -> String {
    func object(_ outer: String, inner: [String: String] = [:]) -> String {
      let members = fields.filter { $0.place == (outer.isEmpty ? "" : "\(outer).") + $0.name }
      let texts = members.compactMap { field in
        field.place == place
          ? replacement(field) : "\"\(field.name)\":\(inner[field.name] ?? field.text)"
      }
      return "{" + texts.joined(separator: ",") + "}"
    }
    let itemText = object(item, inner: ["action": object("\(item).action")])
    let sectionText = object(
      section,
      inner: [
        "layout": object("\(section).layout"), "header": object("\(section).header"),
        "footer": object("\(section).footer"), "items": "[\(itemText)]",
        "supplementaries": object(
          "\(section).supplementaries",
          inner: ["badge": object("\(section).supplementaries.badge")]),
        "decorations": "[\(object("\(section).decorations[0]"))]",
      ])
    return object("", inner: ["sections": "[\(sectionText)]"])
  }
}
