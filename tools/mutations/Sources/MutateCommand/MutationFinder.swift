import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of a file where a mutation may be.
///
/// It knows syntax alone: what does not compile is dropped after the build says so.
final class MutationFinder: SyntaxVisitor {
  private let file: String
  private let converter: SourceLocationConverter
  private(set) var mutations: [Mutation] = []
  /// Expressions that are negated as a whole, so not once more as what they are.
  private var negated: Set<SyntaxIdentifier> = []

  static func mutations(of text: String, file: String) -> [Mutation] {
    let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }
    let finder = MutationFinder(file, tree)
    finder.walk(tree)
    return finder.mutations
  }

  private init(_ file: String, _ tree: Syntax) {
    self.file = file
    converter = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Adding

  private func add(
    _ node: some SyntaxProtocol, _ before: String, _ after: String, _ change: String
  ) {
    let start = node.positionAfterSkippingLeadingTrivia
    let end = node.endPositionBeforeTrailingTrivia
    let location = converter.location(for: start)
    mutations.append(
      Mutation(
        file: file, line: location.line, column: location.column,
        range: start.utf8Offset..<end.utf8Offset, before: before, after: after, change: change))
  }

  /// An expression that becomes another one.
  private func add(_ node: some SyntaxProtocol, becomes text: String, change: String? = nil) {
    // A line of the copy is one of the original, so that errors name the place.
    guard let line = text.oneLine else { return }
    add(
      node, "(mutant(§) ? (\(line)) : (", "))",
      change ?? "\(node.trimmedDescription.short) → \(line.short)")
  }

  /// An expression with a token exchanged.
  private func exchange(_ token: TokenSyntax, of node: some SyntaxProtocol, for text: String) {
    let start = node.positionAfterSkippingLeadingTrivia
    let offset = token.positionAfterSkippingLeadingTrivia.utf8Offset - start.utf8Offset
    let bytes = Array(node.trimmedDescription.utf8)
    let rest = bytes[(offset + token.text.utf8.count)...]
    add(
      node, becomes: String(decoding: bytes[..<offset] + text.utf8 + rest, as: UTF8.self),
      change: "\(token.text) → \(text) in \(node.trimmedDescription.short)")
  }

  private func negate(_ expression: ExprSyntax) {
    // `==` becomes `!=` by itself.
    let comparison = expression.as(InfixOperatorExprSyntax.self)?.operator.trimmedDescription
    if let comparison, Exchange.equalities.contains(comparison) { return }
    if expression.is(BooleanLiteralExprSyntax.self) || expression.isBranch { return }
    guard negated.insert(expression.id).inserted else { return }
    add(expression, "(mutant(§) != (", "))", "not \(expression.trimmedDescription.short)")
  }

  // MARK: Expressions

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let binary = node.operator.as(BinaryOperatorExprSyntax.self) else {
      return .visitChildren
    }
    let name = binary.operator.text
    if let other = Exchange.operators[name] { exchange(binary.operator, of: node, for: other) }
    switch name {
    case "??": add(node, becomes: node.rightOperand.trimmedDescription)
    // Another type, where the operator is exchanged.
    case "..<": add(node.rightOperand, "((", ") + (mutant(§) ? 1 : 0))", "\(node.short), 1 longer")
    case "...": add(node.rightOperand, "((", ") - (mutant(§) ? 1 : 0))", "\(node.short), 1 shorter")
    case "&&", "||":
      for operand in [node.leftOperand, node.rightOperand] where operand.isCondition {
        negate(operand)
      }
    default: break
    }
    return .visitChildren
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" { negate(ExprSyntax(node)) }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    guard let value = Int(node.literal.text.replacing("_", with: "")) else { return .skipChildren }
    let isMore = node.position.utf8Offset.isMultiple(of: 2)
    let number = isMore ? value + 1 : value - 1
    add(node, becomes: "\(number)", change: "\(value) → \(number) in \(node.surroundings)")
    return .skipChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add(node, "(mutant(§) != ", ")", "not \(node.literal.text) in \(node.surroundings)")
    return .skipChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    // What is only logged is no behaviour, and the message of a precondition is read by nobody.
    let name = node.calledExpression.trimmedDescription
    if name.hasPrefix("logger.") || Exchange.ends.contains(name) {
      for argument in node.arguments.prefix(1) where name == "precondition" { walk(argument) }
      return .skipChildren
    }
    let token =
      node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName
      ?? node.calledExpression.as(MemberAccessExprSyntax.self).flatMap {
        $0.base == nil ? nil : $0.declName.baseName
      }
    if let token, let other = Exchange.names[token.text] { exchange(token, of: node, for: other) }
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let isCalled = node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == node.id
    if !isCalled, node.base != nil, let other = Exchange.names[node.declName.baseName.text] {
      exchange(node.declName.baseName, of: node, for: other)
    }
    return .visitChildren
  }

  // MARK: Conditions and results

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let expression) = node.condition { negate(expression) }
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    if let expression = node.expression { changeResult(expression, node.resultType) }
    return .visitChildren
  }

  private func changeResult(_ expression: ExprSyntax, _ type: TypeSyntax?) {
    guard let type, !expression.isBranch else { return }
    if type.is(OptionalTypeSyntax.self), !expression.is(NilLiteralExprSyntax.self) {
      add(
        expression, "(mutant(§) ? nil : (", "))",
        "nil for the result \(expression.trimmedDescription.short)")
    }
    if type.trimmedDescription == "Bool" { negate(expression) }
  }

  // MARK: Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard case .expr(let expression) = node.item else { return .visitChildren }
    let isAlone = node.parent?.as(CodeBlockItemListSyntax.self)?.count == 1
    let type = isAlone ? node.resultType : nil
    if type != nil {
      changeResult(expression, type)
    } else if expression.canBeLeftOut {
      let change = "without \(expression.trimmedDescription.short)"
      if isAlone, node.parent?.parent?.is(ClosureExprSyntax.self) == true {
        // Its type is found by this one expression.
        add(expression, "(mutant(§) ? () : (", "))", change)
      } else {
        add(expression, "if !mutant(§) { ", " }", change)
      }
    }
    return .visitChildren
  }

  // MARK: What stays

  // Other systems' parts are not compiled.
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
