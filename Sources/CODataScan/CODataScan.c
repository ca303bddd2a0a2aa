#include "CODataScan.h"

// Everything is inline in the header; this file gives the target an object to build.
