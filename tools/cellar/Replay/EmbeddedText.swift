/// Texts that are in the command itself; tools/embed writes them.
enum EmbeddedText {}
