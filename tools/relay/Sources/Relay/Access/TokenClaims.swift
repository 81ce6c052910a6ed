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

  func verify(using algorithm: some JWTAlgorithm) throws {
    try exp.verifyNotExpired()
    try nbf?.verifyNotBefore()
  }
}
