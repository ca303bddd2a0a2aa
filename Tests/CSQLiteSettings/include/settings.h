#ifndef CSQLITESETTINGS_H
#define CSQLITESETTINGS_H

// SQLite's configuration by a function with a variable number of arguments, which Swift cannot call.

/// Lets SQLite keep no statistics of its memory, which takes a lock for each piece; before anything of it is used.
/// Returns SQLite's result code.
int odata_keep_no_memory_statistics(void);

#endif
