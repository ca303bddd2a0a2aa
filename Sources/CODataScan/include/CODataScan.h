#ifndef CODATASCAN_H
#define CODATASCAN_H
#endif
