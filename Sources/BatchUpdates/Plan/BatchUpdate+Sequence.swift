extension BatchUpdate {
  /// The stages as operations to apply one after another.
  ///
  /// There are as many as all stages together hold. Empty if the mode is ``Mode/none``; empty, too,
  /// if it is ``Mode/reload(why:)``, so look at ``mode`` first: a view must then load everything.
  ///
  /// - Complexity: O(*b* log *b*), *b* operations, whatever the size of the list.
  public var sequentialOperations: [SequentialOperation] {
    stages.flatMap(\.sequentialOperations)
  }
}
