// Revisions, counts and times are `Int`s here and 64-bit integers in a store.
#if arch(arm64_32) || arch(arm) || arch(i386) || arch(wasm32)
  #error("Cellar needs 64-bit integers: older Apple Watches and other 32-bit systems have none.")
#endif
