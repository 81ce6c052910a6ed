import JWTKit

/// What a token says.
struct TokenClaims: JWTPayload {
  var iss: IssuerClaim
  var aud: Audience
  var exp: ExpirationClaim
  var nbf: NotBeforeClaim?
  var sub: SubjectClaim
  var jti: IDClaim?
  /// Rights by list; see ``Grant/rights``.
  var lists: [String: Right]

  /// Not here: the end of the token, which ``Gatekeeper`` compares each time.
  func verify(using algorithm: some JWTAlgorithm) throws { try nbf?.verifyNotBefore() }
}
