public import ListSync

// The operators of conditions of derived lists. They stand here, because a name that is handed on alone
// brings its methods, and not its operators.

// MARK: Conditions together

/// Both hold.
public func && (lhs: some ItemTest, rhs: some ItemTest) -> ItemCondition {
  .joined("all", [lhs.condition, rhs.condition])
}

/// One of them holds, or both.
public func || (lhs: some ItemTest, rhs: some ItemTest) -> ItemCondition {
  .joined("any", [lhs.condition, rhs.condition])
}

/// It does not hold.
public prefix func ! (test: some ItemTest) -> ItemCondition { .joined("not", [test.condition]) }

// MARK: Conditions about a property

extension ItemField where Value: Encodable {
  /// The value is equal; `nil` is equal to what is not there.
  public static func == (field: ItemField, value: Value) -> ItemCondition {
    field.test("eq", value)
  }

  /// The value is not equal.
  public static func != (field: ItemField, value: Value) -> ItemCondition {
    field.test("ne", value)
  }
}

// Numbers and texts alone have an order: other values, and what is not there, are neither less nor
// greater. Texts are compared by their Unicode scalars.
extension ItemField where Value: Encodable & Comparable {
  /// The value is less.
  public static func < (field: ItemField, value: Value) -> ItemCondition {
    field.test("lt", value)
  }

  /// The value is less or equal.
  public static func <= (field: ItemField, value: Value) -> ItemCondition {
    field.test("le", value)
  }

  /// The value is greater.
  public static func > (field: ItemField, value: Value) -> ItemCondition {
    field.test("gt", value)
  }

  /// The value is greater or equal.
  public static func >= (field: ItemField, value: Value) -> ItemCondition {
    field.test("ge", value)
  }
}

extension ItemField {
  /// The value is there and less.
  public static func < <Wrapped: Encodable & Comparable>(
    field: ItemField, value: Wrapped
  ) -> ItemCondition where Value == Wrapped? {
    field.test("lt", value)
  }

  /// The value is there and less or equal.
  public static func <= <Wrapped: Encodable & Comparable>(
    field: ItemField, value: Wrapped
  ) -> ItemCondition where Value == Wrapped? {
    field.test("le", value)
  }

  /// The value is there and greater.
  public static func > <Wrapped: Encodable & Comparable>(
    field: ItemField, value: Wrapped
  ) -> ItemCondition where Value == Wrapped? {
    field.test("gt", value)
  }

  /// The value is there and greater or equal.
  public static func >= <Wrapped: Encodable & Comparable>(
    field: ItemField, value: Wrapped
  ) -> ItemCondition where Value == Wrapped? {
    field.test("ge", value)
  }
}
