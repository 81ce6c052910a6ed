#if canImport(Darwin)
  public import Foundation
  public import ListModel
  import ListStore

  extension LiveList {
    /// Offers a list's undo and redo by an `UndoManager`: in menus, by ⌘Z, and by shaking the device.
    ///
    /// ```swift
    /// registration = LiveList.UndoRegistration(of: shelf, in: undoManager)
    /// ```
    ///
    /// Each step that the author makes from then on is registered, also one of another process, in a
    /// later turn of the main run loop. The manager has numbers of steps only: which one is undone or
    /// redone follows from the list, as with ``LiveList/undo(by:pending:)-2pxgn``. So if another process
    /// undoes a step first, the manager undoes the step before, or nothing.
    ///
    /// Keep it as long as the screen is there.
    @MainActor public final class UndoRegistration {
      private let list: LiveList
      private let manager: UndoManager
      private let author: Author
      private let isPending: Bool?
      private let onError: @MainActor (StoreError) -> Void
      /// Steps that begin after this revision are not registered yet.
      private var registered = 0
      private var task: Task<Void, Never>?

      /// Begins to register steps.
      ///
      /// - Parameters:
      ///   - list: The list.
      ///   - manager: The undo manager of the screen, as in `UIResponder.undoManager`.
      ///   - author: Whose edits are undone; `nil` for the list's ``LiveList/author``.
      ///   - isPending: Whether undo and redo wait for a server's answer; `nil` for the list's
      ///     ``LiveList/sendsEdits``.
      ///   - onError: Takes the error of an undo that failed; the list is then unchanged.
      public init(
        of list: LiveList, in manager: UndoManager, by author: Author? = nil,
        pending isPending: Bool? = nil,
        onError: @escaping @MainActor (StoreError) -> Void = { _ in }
      ) {
        self.list = list
        self.manager = manager
        self.author = author ?? list.author
        self.isPending = isPending
        self.onError = onError
        let revisions = list.repository.revisions(of: list.id)
        do throws(StoreError) { registered = try list.revision() } catch { onError(error) }
        task = Task { [weak self] in
          for await _ in revisions {
            guard let self else { return }
            self.registerNewSteps()
          }
        }
      }

      deinit { task?.cancel() }

      /// Takes the steps out of the undo manager, and registers no more.
      public func end() {
        task?.cancel()
        manager.removeAllActions(withTarget: self)
      }

      private func registerNewSteps() {
        do throws(StoreError) {
          let steps = try list.repository.undoableSteps(
            in: list.id, by: author, after: registered)
          for first in steps.compactMap(\.first) {
            registered = max(registered, first)
            register(isUndo: true)
          }
        } catch { onError(error) }
      }

      private func register(isUndo: Bool) {
        manager.registerUndo(withTarget: self) { registration in
          // Some systems' interfaces do not say that the manager calls it on its own thread, the main.
          MainActor.assumeIsolated { registration.takeBack(isUndo: isUndo) }
        }
      }

      private func takeBack(isUndo: Bool) {
        do throws(StoreError) {
          let step =
            isUndo
            ? try list.undo(by: author, pending: isPending)
            : try list.redo(by: author, pending: isPending)
          guard let step else { return }
          registered = max(registered, step.commit.revision)
          // While it undoes, the manager takes this for the redo, and the other way round.
          register(isUndo: !isUndo)
        } catch { onError(error) }
      }
    }
  }
#endif
