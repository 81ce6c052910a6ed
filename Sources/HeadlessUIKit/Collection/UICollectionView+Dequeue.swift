public import Foundation

/// The request that the data source is answering.
struct DequeueRequest {
  var path: IndexPath
  /// The kind of the supplementary view; `nil` for a cell.
  var kind: String?
  /// The cell of the item, if it has to be reconfigured.
  var present: UICollectionReusableView?
  /// The views that were dequeued for the request.
  var dequeued: [UICollectionReusableView] = []
}

// MARK: - Registering

extension UICollectionView {
  /// Registers a class of cells; `nil` removes the registration.
  public func register(
    _ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String
  ) {
    cellQueues.register(
      .init(identifier: identifier),
      (cellClass as? UICollectionViewCell.Type).map { type in { type.init(headlessFrame: .zero) } })
  }

  /// Registers a nib of cells; `nil` removes the registration.
  public func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {
    cellQueues.register(
      .init(identifier: identifier), nib.map { nib in { Self.view(of: nib, for: identifier) } })
  }

  /// Registers a class of supplementary views; `nil` removes the registration.
  public func register(
    _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String,
    withReuseIdentifier identifier: String
  ) {
    elementQueues.register(
      .init(kind: elementKind, identifier: identifier),
      (viewClass as? UICollectionReusableView.Type).map { type in
        { type.init(headlessFrame: .zero) }
      })
  }

  /// Registers a nib of supplementary views; `nil` removes the registration.
  public func register(
    _ nib: UINib?, forSupplementaryViewOfKind kind: String, withReuseIdentifier identifier: String
  ) {
    elementQueues.register(
      .init(kind: kind, identifier: identifier),
      nib.map { nib in { Self.view(of: nib, for: identifier) } })
  }

  private static func view<View>(of nib: UINib, for identifier: String) -> View? {
    let objects = nib.instantiate(withOwner: nil)
    if objects.count == 1, let view = objects.first as? View { return view }
    HeadlessException(
      "invalid nib registered for identifier (\(identifier)) - nib must contain exactly one top "
        + "level object which must be a \(View.self) instance"
    ).raise()
    return nil
  }
}

// MARK: - Dequeuing

extension UICollectionView {
  /// A cell, from the reuse queue or new.
  ///
  /// Works only while the data source is asked for one.
  public func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell {
    if let present = request?.present as? UICollectionViewCell, request?.path == indexPath,
      present.reuseIdentifier == identifier
    {
      request?.dequeued.append(present)
      return present
    }
    let cell: UICollectionViewCell
    if let found = cellQueues.dequeue(.init(identifier: identifier)) {
      cell = found.view
      cell.reuseIdentifier = identifier
      if found.isReused { cell.prepareForReuse() }
    } else {
      raiseUnregistered("UICollectionElementKindCell", identifier)
      cell = UICollectionViewCell(frame: .zero)
      cell.reuseIdentifier = identifier
      cell.isStandIn = true
    }
    noteDequeued(cell, kind: nil)
    return cell
  }

  /// A supplementary view, from the reuse queue or new.
  ///
  /// Works only while the data source is asked for one.
  public func dequeueReusableSupplementaryView(
    ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionReusableView {
    let view: UICollectionReusableView
    if let found = elementQueues.dequeue(.init(kind: elementKind, identifier: identifier)) {
      view = found.view
      view.reuseIdentifier = identifier
      if found.isReused { view.prepareForReuse() }
    } else {
      raiseUnregistered(elementKind, identifier)
      view = UICollectionReusableView(frame: .zero)
      view.reuseIdentifier = identifier
      view.isStandIn = true
    }
    noteDequeued(view, kind: elementKind)
    return view
  }

  private func raiseUnregistered(_ kind: String, _ identifier: String) {
    HeadlessException(
      "could not dequeue a view of kind: \(kind) with identifier \(identifier) - must register a "
        + "nib or a class for the identifier or connect a prototype cell in a storyboard"
    ).raise()
  }

  private func noteDequeued(_ view: UICollectionReusableView, kind: String?) {
    if request != nil, request?.kind == kind {
      request?.dequeued.append(view)
    } else {
      raiseNotReturned(view)
    }
  }

  private func raiseNotReturned(_ view: UICollectionReusableView) {
    HeadlessException(
      "Expected dequeued view to be returned to the collection view in preparation for display. "
        + "When the collection view's data source is asked to provide a view for a given index "
        + "path, ensure that a single view is dequeued and returned to the collection view. Avoid "
        + "dequeuing views without a request from the collection view. For retrieving an existing "
        + "view in the collection view, use -[UICollectionView cellForItemAtIndexPath:] or "
        + "-[UICollectionView supplementaryViewForElementKind:atIndexPath:]. Dequeued view: "
        + "<\(type(of: view))>; Collection view: <\(type(of: self))>"
    ).raise()
  }

  // MARK: Asking the data source

  func requestCell(at path: IndexPath) -> UICollectionViewCell? {
    guard let dataSource else { return nil }
    let outer = request
    request = DequeueRequest(path: path)
    let cell = dataSource.collectionView(self, cellForItemAt: path)
    let dequeued = request?.dequeued ?? []
    request = outer
    cellQueues.counts.bound += 1
    for other in dequeued where other !== cell { raiseNotReturned(other) }
    if cell.reuseIdentifier == nil {
      HeadlessException(
        "the cell returned from -collectionView:cellForItemAtIndexPath: does not have a "
          + "reuseIdentifier - cells must be retrieved by calling "
          + "-dequeueReusableCellWithReuseIdentifier:forIndexPath:"
      ).raise()
    } else if !dequeued.contains(where: { $0 === cell }) {
      HeadlessException(
        "the view returned from -collectionView:cellForItemAtIndexPath: "
          + "(\(UpdatePlace(path).asIndexPath)) was not retrieved by calling "
          + "-dequeueReusableCellWithReuseIdentifier:forIndexPath: or is nil (\(type(of: cell)))"
      ).raise()
      // A cell that is shown elsewhere can't be shown here too.
      if cell.superview === self { return nil }
    }
    return cell
  }

  func requestSupplementaryView(_ key: ElementKey) -> UICollectionReusableView? {
    guard let dataSource else { return nil }
    let outer = request
    request = DequeueRequest(path: key.path, kind: key.kind)
    let view = dataSource.collectionView(
      self, viewForSupplementaryElementOfKind: key.kind, at: key.path)
    let dequeued = request?.dequeued ?? []
    request = outer
    elementQueues.counts.bound += 1
    for other in dequeued where other !== view { raiseNotReturned(other) }
    if !dequeued.contains(where: { $0 === view }) {
      HeadlessException(
        "the view returned from -collectionView:viewForSupplementaryElementOfKind:atIndexPath: "
          + "(\(key.kind),\(UpdatePlace(key.path).asIndexPath)) was not retrieved by calling "
          + "-dequeueReusableSupplementaryViewOfKind:withReuseIdentifier:forIndexPath: or is nil "
          + "(\(type(of: view)))"
      ).raise()
      if view.superview === self { return nil }
    }
    return view
  }

  /// Asks the data source to reconfigure a cell that is on display or kept.
  func reconfigureCell(at path: IndexPath) {
    guard let cell = cellForItem(at: path), let dataSource else { return }
    let outer = request
    request = DequeueRequest(path: path, present: cell)
    let returned = dataSource.collectionView(self, cellForItemAt: path)
    let dequeued = request?.dequeued ?? []
    request = outer
    cellQueues.counts.reconfigured += 1
    guard returned !== cell else {
      cellsToFit.insert(path)
      return setNeedsLayout()
    }
    for other in dequeued where other !== cell && other !== returned { raiseNotReturned(other) }
    HeadlessException(
      "the cell returned while item \(UpdatePlace(path).short) was reconfigured is not the one that "
        + "is shown there: dequeue with the identifier and the index path of that cell"
    ).raise()
  }
}
