import ListOrder
import Testing

@Suite struct PartitioningIndexTests {
  @Test func everyBorderOfEveryLengthIsFound() {
    for count in 0...9 {
      for border in 0...count {
        let elements = (0..<count).map { $0 >= border }
        #expect(elements.partitioningIndex { $0 } == border)
      }
    }
  }

  @Test func aSliceAnswersInItsOwnIndexes() {
    let slice = [1, 2, 3, 5, 8, 13][2..<5]
    #expect(slice.partitioningIndex { $0 >= 0 } == 2)
    #expect(slice.partitioningIndex { $0 >= 5 } == 3)
    #expect(slice.partitioningIndex { $0 >= 100 } == 5)
  }

  @Test func aMillionElementsTakeTwentyCalls() {
    var calls = 0
    let index = (0..<1_000_000).partitioningIndex {
      calls += 1
      return $0 >= 777_777
    }
    #expect(index == 777_777)
    #expect(calls <= 20)
  }

  @Test func aConditionThatThrowsEndsTheSearch() {
    struct Stop: Error {}
    #expect(throws: Stop.self) { try [1, 2, 3].partitioningIndex { _ in throw Stop() } }
  }

  /// Where the condition does not divide a collection, the answer is wrong, but an index.
  @Test func anUnsortedArrayGivesSomeIndex() {
    let elements = [5, 1, 9, 3, 7, 2]
    for key in 0...10 {
      #expect((0...elements.count).contains(elements.partitioningIndex { $0 >= key }))
    }
  }
}
