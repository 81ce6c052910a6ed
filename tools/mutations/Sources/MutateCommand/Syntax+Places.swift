import SwiftSyntax

extension SyntaxProtocol {
  /// The type that an expression here is the result of; `nil` if there is none, or none is written.
  var resultType: TypeSyntax? {
    var node = Syntax(self)
    let isReturn = node.is(ReturnStmtSyntax.self)
    while let parent = node.parent {
      // A statement gives a result only by `return`; an expression, only directly in the body.
      if !isReturn, parent.is(CodeBlockItemListSyntax.self),
        parent.id != self.parent?.id
      {
        return nil
      }
      if let function = parent.as(FunctionDeclSyntax.self) {
        return function.signature.returnClause?.type
      }
      if let binding = parent.as(PatternBindingSyntax.self) { return binding.typeAnnotation?.type }
      if let declaration = parent.as(SubscriptDeclSyntax.self) {
        return declaration.returnClause.type
      }
      if let accessor = parent.as(AccessorDeclSyntax.self),
        accessor.accessorSpecifier.text != "get"
      {
        return nil
      }
      if parent.is(ClosureExprSyntax.self) || parent.is(InitializerDeclSyntax.self) { return nil }
      if !isReturn,
        parent.isProtocol((any StmtSyntaxProtocol).self)
          || parent.is(IfExprSyntax.self) || parent.is(SwitchExprSyntax.self)
      {
        return nil
      }
      node = parent
    }
    return nil
  }

  /// As much of the statement that this is in as tells one place from another.
  var surroundings: String {
    var node = Syntax(self)
    while let parent = node.parent, !parent.is(CodeBlockItemListSyntax.self),
      !parent.is(MemberBlockItemListSyntax.self), node.trimmedDescription.count < 20
    {
      node = parent
    }
    return node.short
  }

  var short: String { trimmedDescription.short }

  fileprivate var isInInitializer: Bool {
    var node = Syntax(self)
    while let parent = node.parent {
      if parent.is(InitializerDeclSyntax.self) { return true }
      node = parent
    }
    return false
  }
}

extension ExprSyntax {
  /// Whether it is an `if` or a `switch`.
  var isBranch: Bool { self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) }

  /// Whether nothing else changes it where it is an operand.
  var isCondition: Bool {
    !self.is(InfixOperatorExprSyntax.self) && !self.is(TupleExprSyntax.self)
      && !self.is(PrefixOperatorExprSyntax.self)
  }

  /// Whether this can be left out as a statement: a call, an assignment to a part of a variable.
  ///
  /// Without another assignment, a variable may never get its first value.
  var canBeLeftOut: Bool {
    if let tried = self.as(TryExprSyntax.self) { return tried.expression.canBeLeftOut }
    if let awaited = self.as(AwaitExprSyntax.self) { return awaited.expression.canBeLeftOut }
    if let call = self.as(FunctionCallExprSyntax.self) {
      let name = call.calledExpression.trimmedDescription
      return name != "super.init" && name != "self.init" && !name.hasPrefix("logger.")
        && !Exchange.ends.contains(name)
    }
    guard let infix = self.as(InfixOperatorExprSyntax.self),
      infix.operator.is(AssignmentExprSyntax.self)
    else { return false }
    return !isInInitializer
      && (infix.leftOperand.is(MemberAccessExprSyntax.self)
        || infix.leftOperand.is(SubscriptCallExprSyntax.self))
  }
}

extension String {
  /// The text in one line; `nil` if its lines mean something.
  var oneLine: String? {
    guard contains("\n") else { return self }
    if contains("//") || contains("\"\"\"") || contains("{") { return nil }
    return split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  /// At most 60 characters in one line.
  var short: String {
    let line = split { $0.isWhitespace }.joined(separator: " ")
    return line.count <= 60 ? line : line.prefix(59) + "…"
  }
}
