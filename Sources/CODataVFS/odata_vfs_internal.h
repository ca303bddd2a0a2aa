#ifndef ODATA_VFS_INTERNAL_H
#define ODATA_VFS_INTERNAL_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

#include "CODataVFS.h"

#ifndef SQLITE_IOERR_DATA
#define SQLITE_IOERR_DATA (SQLITE_IOERR | (32 << 8))
#endif

struct odata_vfs {
  sqlite3_vfs base;
  sqlite3_vfs *root;
  int has_cipher;
  int has_watch;
  odata_vfs_cipher cipher;
  odata_vfs_watch watch;
  /// Of the one main file that a sealed VFS serves.
  _Atomic int page_size;
  _Atomic int open_files;
  _Atomic uint32_t next_file;
};

struct odata_vfs_file {
  sqlite3_file base;
  odata_vfs *vfs;
  int role;
  /// Whether content is sealed: 0 without a cipher.
  int sealed;
  int page_size;
  /// Keeps the blocks of one temporary file from standing in another.
  uint32_t number;
  /// SQLite keeps it until the file is closed; NULL for a temporary file.
  const char *path;
  /// Two pages or blocks: what is on disk, and what is in it.
  uint8_t *scratch;
  /// The frame header that was written last, because its page follows.
  int64_t frame_offset;
  uint32_t frame_page;
};

/// The file of the system's VFS, behind ours in the same memory.
static inline sqlite3_file *odata_root(odata_vfs_file *file) {
  return (sqlite3_file *)(void *)(file + 1);
}

static inline uint32_t odata_big_endian(const uint8_t *bytes) {
  return ((uint32_t)bytes[0] << 24) | ((uint32_t)bytes[1] << 16) | ((uint32_t)bytes[2] << 8) |
         (uint32_t)bytes[3];
}

static inline int odata_is_zero(const uint8_t *bytes, size_t count) {
  return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/// Room for two pages of `size` bytes with their trailers.
int odata_make_scratch(odata_vfs_file *file, int size);
int odata_refuse(odata_vfs_file *file, uint32_t page, int64_t offset);

int odata_main_read(odata_vfs_file *file, uint8_t *out, int count, int64_t offset);
int odata_main_write(odata_vfs_file *file, const uint8_t *bytes, int count, int64_t offset);
int odata_wal_read(odata_vfs_file *file, uint8_t *out, int count, int64_t offset);
int odata_wal_write(odata_vfs_file *file, const uint8_t *bytes, int count, int64_t offset);
int odata_block_read(odata_vfs_file *file, uint8_t *out, int count, int64_t offset);
int odata_block_write(odata_vfs_file *file, const uint8_t *bytes, int count, int64_t offset);
int odata_block_truncate(odata_vfs_file *file, int64_t size);
int odata_block_size(odata_vfs_file *file, int64_t *size);

#endif
