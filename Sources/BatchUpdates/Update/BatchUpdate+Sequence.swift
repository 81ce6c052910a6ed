extension BatchUpdate {
  /// The operations of all stages, to apply one after another.
  ///
  /// Look at ``mode`` first: the sequence is empty for ``Mode/none`` and for a reload, but a reload
  /// asks the view to load everything again.
  ///
  /// - Complexity: O(*b* log *b*), *b* operations, whatever the size of the list.
  public var sequentialOperations: [SequentialOperation] {
    stages.flatMap(\.sequentialOperations)
  }
}
