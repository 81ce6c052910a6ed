import Cellar

// What must hold of a list that loads pages.
extension World {
  /// What is missing is in a gap, and nothing else is; a gap that says how much it stands for is right.
  func checkMail(_ device: Device, _ app: AppProcess) throws {
    guard try app.repository.lists().contains("mail") else { return }
    let mail = device.mail
    let list = try app.repository.liveList("mail", items: [Book.self]).tree()
    let isWhole = !mail.hasDeleted && !mail.hasOvertaken && device.deletedMails.isEmpty
    func missing(_ first: Int, _ last: Int) -> Int {
      mail.mails.indices.count {
        $0 > first && $0 < last && !mail.mails[$0].isGone
          && !device.deletedMails.contains(mail.mails[$0].book.id)
      }
    }
    func wrong(_ what: String) -> Violation { Violation("gaps", "device \(device.name): \(what)") }
    // Of what is newer than the list nobody knows.
    var last: Int?
    var gap: Gap?
    for item in list.sections.flatMap(\.items) {
      if item.state.isGap {
        if gap != nil { throw wrong("two gaps stand next to each other") }
        gap = try Gap(item.state.content)
        continue
      }
      guard let place = mail.place(of: item.id.rawValue) else {
        throw wrong("\(item.id) is nothing")
      }
      if let last {
        if place <= last {
          // A page may end where one that is gone stood: whether it comes later is not known yet.
          if mail.mails[place].isGone {
            gap = nil
            continue
          }
          throw wrong("\(item.id) stands at a wrong place")
        }
        try check(gap, missing(last, place), isWhole: isWhole, wrong)
      }
      (last, gap) = (place, nil)
    }
    guard let last else { return }
    // Between two pages nobody may know whether they meet; a page says where the list ends.
    if gap != nil, isWhole, missing(last, mail.mails.count) == 0 {
      throw wrong("a gap stands behind the last mail")
    }
    try check(
      gap, missing(last, mail.mails.count), isWhole: isWhole, wrong)
  }

  private func check(
    _ gap: Gap?, _ missing: Int, isWhole: Bool, _ wrong: (String) -> Violation
  ) throws {
    guard let gap else {
      if missing == 0 { return }
      throw wrong("\(missing) mails are missing, and no gap says so")
    }
    // What was deleted since, or came between two pages, the gap can't know.
    if isWhole, let count = gap.count, count != missing {
      throw wrong("a gap says that \(count) mails are missing, and \(missing) are")
    }
  }

  /// An edit of a mail that was acknowledged to a user is the server's, or is there to be shown.
  func checkMailEdits(_ device: Device, _ app: AppProcess) throws {
    let outbox = Set(
      try app.repository.liveList("mail", items: [Book.self]).pendingEdits().map(\.id))
    for (edit, mayBeLost) in device.mailEdits {
      let isKnown = device.mail.taken.contains(edit) || outbox.contains(edit)
      if !isKnown, !mayBeLost {
        throw Violation("durable", "device \(device.name): edit \(edit) of a mail is lost")
      }
    }
  }

  /// After a refresh the list begins as the server's.
  func checkNewestMail(_ device: Device, _ app: AppProcess) throws {
    guard app.mail != nil else { return }
    let list = try app.repository.liveList("mail", items: [Book.self]).tree()
    let newest = device.mail.mails.filter { !$0.isGone }.prefix(5).map(\.book)
    let found = ModelList(list).items.prefix(5).map {
      Book(id: $0.id, title: $0.title, likes: $0.likes, isWide: $0.isWide)
    }
    if found == newest { return }
    throw Violation(
      "gaps", "device \(device.name): the newest mails are \(found), and must be \(newest)")
  }
}
