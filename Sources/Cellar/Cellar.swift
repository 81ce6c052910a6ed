// What an app imports: the list model, its layout, batch updates, Providers, the store and its replay.

@_exported public import BatchUpdates
@_exported public import ListItems
@_exported public import ListLayout
@_exported public import ListModel
@_exported public import ListStore
@_exported public import ListSync
@_exported public import Providers
@_exported public import StoreSchema
