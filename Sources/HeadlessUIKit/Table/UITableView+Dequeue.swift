public import Foundation

/// The request that the data source is answering.
struct TableDequeueRequest {
  var path: IndexPath
  /// The cell on display, if it has to be reconfigured.
  var present: UITableViewCell?
  /// The cells that were dequeued for the request's path.
  var dequeued: [UITableViewCell] = []
}

// MARK: - Registering

extension UITableView {
  /// Registers a class of cells; `nil` removes the registration.
  public func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
    cellQueues.register(
      .init(identifier: identifier),
      (cellClass as? UITableViewCell.Type).map { type in
        { type.init(headlessIdentifier: identifier) }
      })
  }

  /// Registers a nib of cells; `nil` removes the registration.
  public func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) {
    cellQueues.register(
      .init(identifier: identifier),
      nib.map { nib in
        {
          let objects = nib.instantiate(withOwner: nil)
          if objects.count == 1, let cell = objects.first as? UITableViewCell { return cell }
          HeadlessException(
            "invalid nib registered for identifier (\(identifier)) - nib must contain exactly one "
              + "top level object which must be a UITableViewCell instance"
          ).raise()
          return nil
        }
      })
  }

  /// Registers a class of headers and footers; `nil` removes the registration.
  public func register(
    _ aClass: AnyClass?, forHeaderFooterViewReuseIdentifier identifier: String
  ) {
    edgeQueues.register(
      .init(identifier: identifier),
      (aClass as? UITableViewHeaderFooterView.Type).map { type in
        { type.init(headlessIdentifier: identifier) }
      })
  }
}

extension UITableView {
  /// Registers a nib of headers and footers; `nil` removes the registration.
  public func register(_ nib: UINib?, forHeaderFooterViewReuseIdentifier identifier: String) {
    edgeQueues.register(
      .init(identifier: identifier),
      nib.map { nib in
        { nib.instantiate(withOwner: nil).first as? UITableViewHeaderFooterView }
      })
  }
}

// MARK: - Dequeuing

extension UITableView {
  /// A cell from the reuse queue, or a new one; `nil` if nothing is registered.
  public func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
    guard let found = cellQueues.dequeue(.init(identifier: identifier)) else { return nil }
    found.view.reuseIdentifier = identifier
    if found.isReused { found.view.prepareForReuse() }
    return found.view
  }

  /// A cell for a row, from the reuse queue or new.
  public func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell {
    if let present = request?.present, request?.path == indexPath,
      present.reuseIdentifier == identifier
    {
      return present
    }
    if request?.path == indexPath, request?.dequeued.isEmpty == false {
      HeadlessException(
        "Attempted to dequeue multiple cells for the same index path, which is not allowed. If you "
          + "really need to dequeue more cells than the table view is requesting, use the "
          + "-dequeueReusableCellWithIdentifier: method (without an index path). Cell identifier: "
          + "\(identifier), index path: \(UpdatePlace(indexPath).asIndexPath)"
      ).raise()
    }
    let cell: UITableViewCell
    if let found = dequeueReusableCell(withIdentifier: identifier) {
      cell = found
    } else {
      HeadlessException(
        "unable to dequeue a cell with identifier \(identifier) - must register a nib or a class "
          + "for the identifier or connect a prototype cell in a storyboard"
      ).raise()
      cell = UITableViewCell(style: .default, reuseIdentifier: identifier)
    }
    request?.dequeued.append(cell)
    return cell
  }

  /// A header or footer from the reuse queue, or a new one; `nil` if nothing is registered.
  public func dequeueReusableHeaderFooterView(
    withIdentifier identifier: String
  ) -> UITableViewHeaderFooterView? {
    guard let found = edgeQueues.dequeue(.init(identifier: identifier)) else { return nil }
    found.view.reuseIdentifier = identifier
    if found.isReused { found.view.prepareForReuse() }
    return found.view
  }

  // MARK: Asking the data source

  func requestCell(at path: IndexPath) -> UITableViewCell? {
    guard let dataSource else { return nil }
    let outer = request
    request = TableDequeueRequest(path: path)
    let cell = dataSource.tableView(self, cellForRowAt: path)
    request = outer
    cellQueues.counts.bound += 1
    if cells.values.contains(where: { $0 === cell }) {
      HeadlessException(
        .hazard,
        "the cell returned for row \(UpdatePlace(path).short) is shown at another row, which loses "
          + "it: \(type(of: cell))"
      ).raise()
      return nil
    }
    return cell
  }

  /// Asks the data source to reconfigure a cell on display.
  func reconfigureCell(at path: IndexPath) {
    guard let cell = cells[path], let dataSource else { return }
    let outer = request
    request = TableDequeueRequest(path: path, present: cell)
    let returned = dataSource.tableView(self, cellForRowAt: path)
    request = outer
    cellQueues.counts.reconfigured += 1
    if returned !== cell {
      HeadlessException(
        "the cell returned while row \(UpdatePlace(path).short) was reconfigured is not the one that "
          + "is shown there: dequeue with the identifier and the index path of that cell"
      ).raise()
    }
  }
}
