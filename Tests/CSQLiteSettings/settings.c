#include "settings.h"

#include <sqlite3.h>

int odata_keep_no_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
