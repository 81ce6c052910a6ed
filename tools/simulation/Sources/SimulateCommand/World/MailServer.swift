import Cellar

/// The server of the list `mail`, of which an app loads the pages that it needs.
///
/// What is new comes at the beginning; nothing moves.
@MainActor final class MailServer {
  struct Mail {
    var book: Book
    /// Whether it was deleted.
    var isGone = false
  }

  /// The newest first, with those that are gone.
  private(set) var mails: [Mail]
  /// Whether one was ever deleted.
  private(set) var hasDeleted = false
  /// How many pages the device is asking for.
  var pagesUnderWay = 0
  /// Whether it has ever sent the newest page: until then nothing says that others have moved.
  private var hasSentNewest = false
  /// Whether a page has ever said of another moment than the one before where it stands.
  private(set) var hasOvertaken = false
  /// Whether pages say where they stand and how many mails there are.
  private let tellsCounts: Bool
  private let pageSize: Int
  /// How many mails an app keeps; `nil`: all that it has loaded.
  let limit: Int?
  private var lastNumber = 0

  init(seed: UInt64) {
    // An app keeps 200 beside what is in sight, whatever its limit is.
    let isLong = seed % 30 == 9
    tellsCounts = seed % (isLong ? 60 : 2) == (isLong ? 39 : 0)
    pageSize = isLong ? 60 : 8
    limit = isLong ? 120 : nil
    mails = []
    for _ in 0..<(isLong ? 1_200 : 20 + Int(seed % 3) * 50) { arrive(likes: lastNumber % 9) }
  }

  private func arrive(likes: Int) {
    lastNumber += 1
    mails.insert(
      Mail(book: Book(id: "m\(lastNumber)", title: "mail", likes: likes, isWide: likes == 8)), at: 0
    )
  }

  func act(_ random: inout Randomness) {
    let index = random.below(random.percent(50) ? 6 : mails.count)
    switch random.below(10) {
    case 0..<6:
      if pagesUnderWay > 0 || !hasSentNewest { hasOvertaken = true }
      for _ in 0...random.below(random.percent(10) ? 30 : 3) { arrive(likes: random.below(9)) }
    case 6..<8:
      mails[index].book.likes = random.below(9)
      for place in mails.indices.prefix(4) { mails[place].book.likes = random.below(9) }
    default:
      mails[index].isGone = true
      hasDeleted = true
    }
  }

  /// Where a mail stands, among all that ever were.
  func place(of id: String) -> Int? { mails.firstIndex { $0.book.id == id } }

  /// The ids of the edits that it has made.
  private(set) var taken: Set<String> = []

  /// Makes an edit of a user, once; one of a mail that is gone is refused.
  ///
  /// - Returns: Whether it is taken.
  func take(_ edit: String, _ operations: [ModelList.Operation]) -> Bool {
    if taken.contains(edit) { return true }
    for operation in operations {
      guard case .updateItem(let id, _, let likes?, _) = operation, let place = place(of: id) else {
        if case .deleteItem(let id) = operation, let place = place(of: id), !mails[place].isGone {
          continue
        }
        return false
      }
      if likes < 0 || mails[place].isGone { return false }
    }
    for operation in operations {
      switch operation {
      case .updateItem(let id, _, let likes?, _):
        if let place = place(of: id) { mails[place].book.likes = likes }
      case .deleteItem(let id):
        if let place = place(of: id) { mails[place].isGone = true }
        hasDeleted = true
      default: break
      }
    }
    taken.insert(edit)
    return true
  }

  /// Answers a request; a cursor is the id of the mail that it stands next to.
  func page(_ request: PageRequest) throws -> Page {
    let living = mails.indices.filter { !mails[$0].isGone }
    let range: Range<Int>
    switch request.part {
    case .newest:
      hasSentNewest = true
      range = 0..<min(pageSize, living.count)
    case .after:
      let place = try place(request.cursor ?? request.above?.rawValue)
      let start = living.firstIndex { $0 > place } ?? living.count
      range = start..<min(start + pageSize, living.count)
    case .before:
      let place = try place(request.cursor ?? request.below?.rawValue)
      let end = living.firstIndex { $0 >= place } ?? living.count
      range = max(0, end - pageSize)..<end
    case .around(let item):
      let place = try place(item.rawValue)
      guard let index = living.firstIndex(of: place) else { return Page(items: []) }
      range = max(0, index - 3)..<min(index + 5, living.count)
    case .from(let offset):
      let start = min(max(0, offset), living.count)
      range = start..<min(start + pageSize, living.count)
    }
    let found = living[range].map { mails[$0].book }
    return try Page(
      found, before: range.lowerBound > 0 ? found.first?.id : nil,
      after: range.upperBound < living.count ? found.last?.id : nil,
      offset: tellsCounts ? range.lowerBound : nil, total: tellsCounts ? living.count : nil)
  }

  private func place(_ cursor: String?) throws -> Int {
    guard let place = cursor.flatMap({ place(of: $0) }) else { throw Page.Failure.outdatedCursor }
    return place
  }
}

/// Brings requests for pages to the server.
struct MailLoader: PageLoader {
  let device: Device

  func page(_ request: PageRequest) async throws -> Page {
    await count(1)
    do {
      try await travel()
      let page = try await device.askMail(request)
      try await travel()
      await count(-1)
      return page
    } catch {
      await count(-1)
      throw error
    }
  }

  @MainActor private func count(_ step: Int) { device.mail.pagesUnderWay += step }

  /// Brings an edit to the server.
  func send(_ edit: Repository.PendingEdit) async throws -> LiveList.EditAnswer {
    try await travel()
    let isTaken = await device.takeMail(edit)
    try await travel()
    return isTaken ? .accepted : .rejected(why: "it is gone")
  }

  private func travel() async throws {
    switch await device.fate(of: .travel) {
    case .arrives(let time): try await Task.sleep(for: .milliseconds(time))
    case .fails(let time):
      try await Task.sleep(for: .milliseconds(time))
      throw NetworkTransport.Broken()
    case .never:
      try await Task.sleep(for: .seconds(60))
      throw NetworkTransport.Broken()
    }
  }
}
