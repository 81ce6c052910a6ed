/// SQL that damages the rows of a store with a list that has one section, without its triggers' word.
package enum RowDamage {
  /// All of it; each changes a list, its log or its sizes.
  package static var all: [String] { rows + blocks }

  private static var rows: [String] {
    [
      "UPDATE content SET content = '{'", "UPDATE content SET action = '[]'",
      "UPDATE content SET content = 7", "DELETE FROM content",
      "UPDATE item SET name = '' WHERE id = 1", "UPDATE item SET block = 99", "DELETE FROM item",
      "UPDATE section SET layoutKind = NULL, insetTop = 1", "UPDATE section SET insetTop = 9e999",
      "UPDATE change SET entries = '[null]'", "UPDATE change SET entries = '[[5]]'",
      "UPDATE change SET entries = '[[99,\"1\",0,0]]'", "UPDATE change SET entries = '{'",
      "UPDATE change SET entries = '[[1,\"1\",99,0,1,0,1]]'",
      "UPDATE change SET entries = '[[7,\"s\",0,{},[[\"1\",1,0,99]]]]'",
      "UPDATE change SET entries = '[[10,[[[[,1]]'", "UPDATE change SET neighbours = x'1f'",
      "UPDATE change SET revision = 9", "UPDATE change SET list = 9",
      "UPDATE listCommit SET firstChange = NULL", "UPDATE listCommit SET firstChange = 99",
      "UPDATE listCommit SET firstChange = 9223372036854775807",
      "UPDATE list SET revision = -5", "UPDATE list SET revision = 9223372036854775807",
      "UPDATE list SET sectionCount = 0", "UPDATE list SET sectionCount = 9223372036854775807",
      "UPDATE section SET itemCount = 0", "UPDATE section SET itemCount = -7",
      "UPDATE section SET itemCount = 9223372036854775807",
      "UPDATE section SET name = ''", "UPDATE section SET block = 99",
      "UPDATE section SET root = 99", "DELETE FROM section",
      // A section's items in the list's order, and the other way round.
      "UPDATE section SET root = (SELECT root FROM list)",
      "UPDATE list SET root = (SELECT root FROM section)", "UPDATE list SET root = 99",
      "UPDATE list SET root = 0", "UPDATE list SET digest = 7", "UPDATE list SET chain = 7",
      "UPDATE list SET logFloor = -1",
      "UPDATE list SET logFloor = 9223372036854775807", "UPDATE list SET logFloor = 1",
      "UPDATE store SET lastItem = 0", "UPDATE store SET lastItem = 9223372036854775807",
      "UPDATE measuredSize SET height = 9e999", "UPDATE measuredSize SET height = -1e300",
      "UPDATE measuredSize SET sizeKey = 99", "UPDATE sizeKey SET axis = ''",
      "UPDATE blockExtent SET length = 9223372036854775807, measured = 9223372036854775807",
      "UPDATE blockExtent SET length = -9223372036854775807 - 1", "DELETE FROM blockExtent",
      "DELETE FROM change", "UPDATE cell SET name = 'a' || char(0) || 'b'", "DELETE FROM cell",
      "DELETE FROM block",
    ]
  }

  private static var blocks: [String] {
    let members = [
      "", "[", "[]", "{}", "[[]]", "[[1]]", #"[[1,"1"]]"#, #"[[1,"1",1]]"#, #"[[1,"1",1,1,1]]"#,
      #"[[1,"1",1,1],]"#, #"[[1,"1",1,1]"#, #"[[1,"1",1,1]] "#, #"[[1,"1,1,1]]"#,
      #"[[1,"\",1,1]]"#, #"[[1,"\u12",1,1]]"#, #"[[1,"",1,1]]"#, #"[[1,"x",1,1]]"#,
      #"[[7,"1",1,1]]"#, #"[[1,"1",9,1]]"#, #"[[-1,"1",1,1]]"#,
      #"[[1,"1",1,9223372036854775807]]"#, #"[[1,"1",1,99999999999999999999]]"#,
      #"[[9223372036854775807,"1",1,1]]"#,
    ]
    let items = "section IS NOT NULL"
    return members.map { "UPDATE block SET members = '\($0)' WHERE \(items)" }
      + members.map { "UPDATE block SET members = '\($0)' WHERE section IS NULL" }
      + [
        "UPDATE block SET members = CAST(x'5b5b312c228022' AS TEXT)",
        "UPDATE block SET memberCount = 0",
        "UPDATE block SET memberCount = -7", "UPDATE block SET memberCount = 9223372036854775807",
        "UPDATE block SET section = 1 - coalesce(section, 0)", "UPDATE block SET section = NULL",
        "UPDATE block SET list = 7", "UPDATE block SET parent = id", "UPDATE block SET parent = 99",
        "UPDATE block SET parent = 3 - id", "UPDATE block SET level = 1",
        "UPDATE block SET level = -1", "UPDATE block SET level = 9223372036854775807",
        // Blocks that lead to themselves or to each other, to nowhere, and that overflow.
        "UPDATE block SET level = 1, members = '[[' || id || ',1]]'",
        "UPDATE block SET level = 1, parent = id, members = '[[' || id || ',1]]'",
        "UPDATE block SET level = id, parent = 3 - id, members = '[[' || (3 - id) || ',1]]'",
        "UPDATE block SET level = 1, members = '[[99,1]]'",
        """
        UPDATE block SET level = 9223372036854775807, parent = id, memberCount = 1,
          members = '[[' || id || ',1]]'
        """,
        """
        UPDATE block SET level = 1, memberCount = 9223372036854775807,
          members = '[[2,9223372036854775790],[1,17]]'
        """,
        """
        UPDATE block SET level = 1, memberCount = 9223372036854775807,
          members = '[[2,9223372036854775790],[1,9223372036854775790]]'
        """,
      ]
  }
}
