#include "odata_vfs_internal.h"

// Journals and temporary files are written at any place in any length, so they are kept in blocks, each with its trailer
// behind it. Only the last block may be shorter.

#define DISK_BLOCK (ODATA_BLOCK + ODATA_TRAILER)

int odata_block_size(odata_vfs_file *file, int64_t *size) {
  int64_t end = 0;
  int rc = odata_file_size(file, &end);
  if (rc != SQLITE_OK) return rc;
  const int64_t rest = end % DISK_BLOCK;
  *size = end / DISK_BLOCK * ODATA_BLOCK + (rest > ODATA_TRAILER ? rest - ODATA_TRAILER : 0);
  return SQLITE_OK;
}

/// Reads block `index`, of which the file has `count` bytes, into the second half of the scratch.
static int load(odata_vfs_file *file, int64_t index, int count) {
  uint8_t *plain = file->scratch + DISK_BLOCK;
  if (count <= 0) return SQLITE_OK;
  int rc = odata_file_read(file, file->scratch, count + ODATA_TRAILER, index * DISK_BLOCK);
  if (rc == SQLITE_IOERR_SHORT_READ) return SQLITE_IOERR_READ;
  if (rc != SQLITE_OK) return rc;
  const odata_vfs_cipher *cipher = &file->vfs->cipher;
  if (cipher->open(
          cipher->context, file->role, file->number, index, file->scratch, (size_t)count,
          file->scratch + count, plain))
    return SQLITE_OK;
  // A block that was passed over, and the first block of a journal that a power loss tore: no journal at all.
  if ((file->role == ODATA_ROLE_TEMPORARY &&
       odata_is_zero(file->scratch, (size_t)count + ODATA_TRAILER)) ||
      (file->role == ODATA_ROLE_JOURNAL && index == 0)) {
    memset(plain, 0, (size_t)count);
    return SQLITE_OK;
  }
  return odata_refuse(file, 0, index * DISK_BLOCK);
}

/// Writes `count` bytes of the second half of the scratch as block `index`.
static int store(odata_vfs_file *file, int64_t index, int count) {
  const odata_vfs_cipher *cipher = &file->vfs->cipher;
  if (!cipher->seal(
          cipher->context, file->role, file->number, index, file->scratch + DISK_BLOCK,
          (size_t)count, file->scratch, file->scratch + count))
    return SQLITE_IOERR_WRITE;
  return odata_file_write(file, file->scratch, count + ODATA_TRAILER, index * DISK_BLOCK);
}

/// How many bytes of block `index` a file of `size` bytes has.
static int present(int64_t size, int64_t index) {
  const int64_t rest = size - index * ODATA_BLOCK;
  return rest <= 0 ? 0 : rest >= ODATA_BLOCK ? ODATA_BLOCK : (int)rest;
}

int odata_block_read(odata_vfs_file *file, uint8_t *out, int count, int64_t offset) {
  int64_t size = 0;
  int rc = odata_make_scratch(file, DISK_BLOCK);
  if (rc == SQLITE_OK) rc = odata_block_size(file, &size);
  if (rc != SQLITE_OK) return rc;
  while (count > 0) {
    const int64_t index = offset / ODATA_BLOCK;
    const int within = (int)(offset % ODATA_BLOCK);
    int piece = ODATA_BLOCK - within;
    if (piece > count) piece = count;
    const int there = present(size, index);
    if (there <= within) {
      memset(out, 0, (size_t)count);
      return SQLITE_IOERR_SHORT_READ;
    }
    rc = load(file, index, there);
    if (rc != SQLITE_OK) return rc;
    const int usable = there - within < piece ? there - within : piece;
    memcpy(out, file->scratch + DISK_BLOCK + within, (size_t)usable);
    if (usable < piece || (usable < count && there < ODATA_BLOCK)) {
      memset(out + usable, 0, (size_t)(count - usable));
      return SQLITE_IOERR_SHORT_READ;
    }
    out += piece;
    offset += piece;
    count -= piece;
  }
  return SQLITE_OK;
}

int odata_block_write(odata_vfs_file *file, const uint8_t *bytes, int count, int64_t offset) {
  int64_t size = 0;
  int rc = odata_make_scratch(file, DISK_BLOCK);
  if (rc == SQLITE_OK) rc = odata_block_size(file, &size);
  if (rc != SQLITE_OK) return rc;
  uint8_t *plain = file->scratch + DISK_BLOCK;
  const int64_t last = size / ODATA_BLOCK;
  if (size % ODATA_BLOCK != 0 && offset / ODATA_BLOCK > last) {
    // What was the short last block is followed now.
    memset(plain, 0, ODATA_BLOCK);
    rc = load(file, last, present(size, last));
    if (rc == SQLITE_OK) rc = store(file, last, ODATA_BLOCK);
    if (rc != SQLITE_OK) return rc;
  }
  while (count > 0) {
    const int64_t index = offset / ODATA_BLOCK;
    const int within = (int)(offset % ODATA_BLOCK);
    int piece = ODATA_BLOCK - within;
    if (piece > count) piece = count;
    int there = present(size, index);
    memset(plain, 0, ODATA_BLOCK);
    if (piece < there || within > 0) {
      rc = load(file, index, there);
      if (rc != SQLITE_OK) return rc;
    }
    memcpy(plain + within, bytes, (size_t)piece);
    if (within + piece > there) there = within + piece;
    rc = store(file, index, there);
    if (rc != SQLITE_OK) return rc;
    bytes += piece;
    offset += piece;
    count -= piece;
  }
  return SQLITE_OK;
}

int odata_block_truncate(odata_vfs_file *file, int64_t size) {
  int64_t now = 0;
  int rc = odata_make_scratch(file, DISK_BLOCK);
  if (rc == SQLITE_OK) rc = odata_block_size(file, &now);
  if (rc != SQLITE_OK || size >= now) return rc;
  const int64_t index = size / ODATA_BLOCK;
  const int rest = (int)(size % ODATA_BLOCK);
  if (rest == 0) return odata_file_truncate(file, index * DISK_BLOCK);
  rc = load(file, index, present(now, index));
  if (rc == SQLITE_OK) rc = store(file, index, rest);
  if (rc != SQLITE_OK) return rc;
  return odata_file_truncate(file, index * DISK_BLOCK + rest + ODATA_TRAILER);
}
