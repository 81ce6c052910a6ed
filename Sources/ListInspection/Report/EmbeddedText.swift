/// Texts that are in the library itself; tools/embed writes them.
enum EmbeddedText {}
