public import Testing

extension Trait where Self == TimeLimitTrait {
  /// For a test that waits: if what it waits for never comes, it fails instead of waiting for ever.
  ///
  /// Long, because a test's time is that of all that run beside it, too.
  public static var timeLimit: Self { .timeLimit(.minutes(20)) }
}
