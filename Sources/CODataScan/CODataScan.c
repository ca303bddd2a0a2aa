#include "CODataScan.h"
