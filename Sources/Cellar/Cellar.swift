// The door: what `import Cellar` shows an app, name by name. Each line is a decision, and
// `PublicNamesTests` holds the list. The parts have more, for those who build on them: import
// `BatchUpdates`, `ListModel` or `ListLayout` by name.

// MARK: Items, headers and footers of an app's own types

@_exported public import struct ListItems.FieldItem
@_exported public import protocol ListItems.FieldCell
@_exported public import struct ListItems.ItemContext
@_exported public import struct ListItems.ItemEvent
@_exported public import class ListItems.ItemHandlers
@_exported public import enum ListItems.ItemBuilder
@_exported public import protocol ListItems.ItemIDConvertible
@_exported public import struct ListItems.ItemMenu
@_exported public import struct ListItems.ItemSelection
@_exported public import enum ListItems.ItemTypeError
@_exported public import struct ListItems.ItemTypes
@_exported public import enum ListItems.ListBuilder
@_exported public import struct ListItems.ListElement
@_exported public import protocol ListItems.ListItem
@_exported public import struct ListItems.ListSection
@_exported public import protocol ListItems.ListSupplementary
@_exported public import struct ListItems.ListViewState
@_exported public import struct ListItems.SupplementaryTypes
@_exported public import struct ListItems.ControlEvent
@_exported public import protocol ListItems.ControlEventSource
@_exported public import enum ListItems.ViewMeasuring
@_exported public import struct ListItems.ViewRegistry
@_exported public import enum ListItems.ViewSource

// MARK: What a list holds

@_exported public import struct ListModel.Action
@_exported public import struct ListModel.Author
@_exported public import typealias ListModel.CellName
@_exported public import struct ListModel.Decoration
@_exported public import struct ListModel.Insets
@_exported public import struct ListModel.Item
@_exported public import typealias ListModel.ItemID
@_exported public import struct ListModel.ItemPath
@_exported public import struct ListModel.JSON
@_exported public import typealias ListModel.ListID
@_exported public import struct ListModel.ListOwner
@_exported public import struct ListModel.ListTree
@_exported public import typealias ListModel.NestedName
@_exported public import struct ListModel.SectionAttributes
@_exported public import typealias ListModel.SectionID
@_exported public import struct ListModel.SectionLayout
@_exported public import struct ListModel.Supplementary
@_exported public import typealias ListModel.TypeName
@_exported public import typealias ListModel.ViewName

// MARK: Sizes

@_exported public import struct ListModel.LayoutEnvironment
@_exported public import struct ListLayout.SectionMetrics
@_exported public import struct ListModel.Size
@_exported public import enum ListModel.SizeAnswer
@_exported public import struct ListModel.SizeKey

// MARK: Changes

@_exported public import enum ListModel.Change
@_exported public import struct ListModel.Commit
@_exported public import struct ListModel.ItemUpdate
@_exported public import enum ListModel.LogEntry
@_exported public import struct ListStore.Move
@_exported public import enum ListModel.Place
@_exported public import struct ListModel.SectionUpdate

// MARK: The store

@_exported public import class ListStore.ListEditor
@_exported public import struct ListTables.LogRetention
@_exported public import class ListStore.Repository
@_exported public import struct ListModel.StoreError
@_exported public import struct ListModel.StoredNames

// MARK: A list on a screen

@_exported public import struct BatchUpdates.BatchUpdate
@_exported public import struct BatchUpdates.ReloadBudget
@_exported public import struct BatchUpdates.Stage
@_exported public import struct BatchUpdates.UpdatePolicy
@_exported public import struct ListSync.LiveList
@_exported public import protocol ListSync.ShowableList
@_exported public import struct Providers.Provider

// MARK: Derived lists

@_exported public import struct ListSync.DerivedList
@_exported public import struct ListSync.DerivedQuery
@_exported public import struct ListSync.ItemCondition
@_exported public import struct ListSync.ItemField
@_exported public import struct ListSync.ItemFields
@_exported public import protocol ListSync.ItemTest
@_exported public import struct ListSync.PassingList

// MARK: Pages

@_exported public import struct ListModel.Gap
@_exported public import struct Pages.Page
@_exported public import protocol Pages.PageLoader
@_exported public import struct Pages.PageRequest

// MARK: Feeds

@_exported public import struct ListSync.FeedReader
@_exported public import struct ListSync.FeedReport
@_exported public import struct ListSync.FeedUpdates
