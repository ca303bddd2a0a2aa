#include "odata_vfs_internal.h"

// Pages of the main file and frames of its log. On disk a page is as long as in memory: sealed content, then the trailer
// in the bytes that SQLite leaves free. SQLite's log checksums cover those bytes, so they always read as zero.

#define WAL_HEADER 32
#define FRAME_HEADER 24
#define FRAME_CHECKSUM 16

static int seal_page(
    odata_vfs_file *file, uint32_t page, int64_t offset, const uint8_t *plain, uint8_t *sealed) {
  const size_t content = (size_t)file->page_size - ODATA_TRAILER;
  // Not zero: the file was made without the free bytes, and sealing it would lose content.
  if (!odata_is_zero(plain + content, ODATA_TRAILER)) return SQLITE_IOERR_WRITE;
  const odata_vfs_cipher *cipher = &file->vfs->cipher;
  if (!cipher->seal(
          cipher->context, file->role, page, offset, plain, content, sealed, sealed + content))
    return SQLITE_IOERR_WRITE;
  return SQLITE_OK;
}

static int open_page(
    odata_vfs_file *file, uint32_t page, int64_t offset, const uint8_t *sealed, uint8_t *plain) {
  const size_t content = (size_t)file->page_size - ODATA_TRAILER;
  const odata_vfs_cipher *cipher = &file->vfs->cipher;
  if (!cipher->open(
          cipher->context, file->role, page, offset, sealed, content, sealed + content, plain))
    return 0;
  memset(plain + content, 0, ODATA_TRAILER);
  return 1;
}

int odata_main_read(odata_vfs_file *file, uint8_t *out, int count, int64_t offset) {
  const int size = file->page_size;
  if (size == 0) return SQLITE_IOERR_READ;
  const int64_t index = offset / size;
  const int within = (int)(offset % size);
  if (within + count > size || index >= UINT32_MAX) return SQLITE_IOERR_READ;
  int rc = odata_make_scratch(file, size);
  if (rc != SQLITE_OK) return rc;
  uint8_t *sealed = file->scratch;
  uint8_t *plain = count == size ? out : file->scratch + size;
  const int64_t place = ODATA_HEADER + index * (int64_t)size;
  rc = odata_file_read(file, sealed, size, place);
  if (rc == SQLITE_IOERR_SHORT_READ) {
    int64_t end = 0;
    rc = odata_file_size(file, &end);
    if (rc != SQLITE_OK) return rc;
    if (end <= place && (index == 0 || count != size)) {
      memset(out, 0, (size_t)count);
      return SQLITE_IOERR_SHORT_READ;
    }
    // A page that SQLite expects is not there, or only a part of it.
    if (index == 0 && count < size) {
      memset(out, 0, (size_t)count);
      return SQLITE_OK;
    }
    return odata_refuse(file, (uint32_t)index + 1, place);
  }
  if (rc != SQLITE_OK) return rc;
  if (open_page(file, (uint32_t)index + 1, 0, sealed, plain)) {
    if (plain != out) memcpy(out, plain + within, (size_t)count);
    return SQLITE_OK;
  }
  // SQLite looks at the first bytes before it recovers the log, which may hold the whole of a torn first page.
  if (index == 0 && count < size) {
    memset(out, 0, (size_t)count);
    return SQLITE_OK;
  }
  return odata_refuse(file, (uint32_t)index + 1, place);
}

int odata_main_write(odata_vfs_file *file, const uint8_t *bytes, int count, int64_t offset) {
  const int size = file->page_size;
  if (size == 0 || count != size || offset % size != 0) return SQLITE_IOERR_WRITE;
  const int64_t index = offset / size;
  if (index >= UINT32_MAX) return SQLITE_IOERR_WRITE;
  // Byte 20 of page 1 says how many bytes of each page are free.
  if (index == 0 && bytes[20] != ODATA_TRAILER) return SQLITE_IOERR_WRITE;
  int rc = odata_make_scratch(file, size);
  if (rc != SQLITE_OK) return rc;
  int64_t end = 0;
  rc = odata_file_size(file, &end);
  if (rc != SQLITE_OK) return rc;
  // Pages that are passed over are sealed too, so that no page may read as zeros for want of a tag.
  int64_t next = end <= ODATA_HEADER ? 0 : (end - ODATA_HEADER + size - 1) / size;
  for (; next < index; next++) {
    uint8_t *empty = file->scratch + size;
    memset(empty, 0, (size_t)size);
    rc = seal_page(file, (uint32_t)next + 1, 0, empty, file->scratch);
    if (rc == SQLITE_OK)
      rc = odata_file_write(file, file->scratch, size, ODATA_HEADER + next * (int64_t)size);
    if (rc != SQLITE_OK) return rc;
  }
  rc = seal_page(file, (uint32_t)index + 1, 0, bytes, file->scratch);
  if (rc != SQLITE_OK) return rc;
  return odata_file_write(file, file->scratch, size, ODATA_HEADER + offset);
}

/// Reads the page of the frame at `start`, of which `within` up to `within + count` are asked for. `header` is where the
/// frame's header was read to in the same call, if it was.
static int wal_read_page(
    odata_vfs_file *file, uint8_t *out, int count, int64_t start, int within, uint8_t *header) {
  const int size = file->page_size;
  uint8_t *frame = file->scratch;
  int rc = odata_file_read(file, frame, FRAME_HEADER + size, start);
  if (rc == SQLITE_IOERR_SHORT_READ) {
    memset(out, 0, (size_t)count);
    return rc;
  }
  if (rc != SQLITE_OK) return rc;
  uint8_t *plain = count == size ? out : file->scratch + FRAME_HEADER + size;
  const uint32_t page = odata_big_endian(frame);
  if (open_page(file, page, start, frame + FRAME_HEADER, plain)) {
    if (plain != out) memcpy(out, plain + within, (size_t)count);
    return SQLITE_OK;
  }
  if (header == NULL) return odata_refuse(file, page, start);
  // SQLite reads frames whole when it recovers the log: what does not authenticate has to fail its checksum and end the log.
  // The checksum is changed, because a page that was lost reads as zeros, and a page of zeros has a good checksum.
  memcpy(out, frame + FRAME_HEADER + within, (size_t)count);
  for (int byte = FRAME_CHECKSUM; byte < FRAME_HEADER; byte++) header[byte] ^= 0xa5;
  return SQLITE_OK;
}

int odata_wal_read(odata_vfs_file *file, uint8_t *out, int count, int64_t offset) {
  const int size = file->page_size;
  if (size == 0) return SQLITE_IOERR_READ;
  int rc = odata_make_scratch(file, size);
  if (rc != SQLITE_OK) return rc;
  uint8_t *header = NULL;
  while (count > 0) {
    int piece;
    if (offset < WAL_HEADER) {
      piece = WAL_HEADER - (int)offset;
      if (piece > count) piece = count;
      rc = odata_file_read(file, out, piece, offset);
    } else {
      const int64_t frame = (offset - WAL_HEADER) / (FRAME_HEADER + size);
      const int64_t start = WAL_HEADER + frame * (FRAME_HEADER + size);
      const int within = (int)(offset - start);
      if (within < FRAME_HEADER) {
        piece = FRAME_HEADER - within;
        if (piece > count) piece = count;
        rc = odata_file_read(file, out, piece, offset);
        header = within == 0 && piece == FRAME_HEADER ? out : NULL;
      } else {
        piece = FRAME_HEADER + size - within;
        if (piece > count) piece = count;
        rc = wal_read_page(file, out, piece, start, within - FRAME_HEADER, header);
        header = NULL;
      }
    }
    if (rc == SQLITE_IOERR_SHORT_READ) {
      if (count > piece) memset(out + piece, 0, (size_t)(count - piece));
      return rc;
    }
    if (rc != SQLITE_OK) return rc;
    out += piece;
    offset += piece;
    count -= piece;
  }
  return SQLITE_OK;
}

/// Writes the page of the frame at `start`.
static int wal_write_page(odata_vfs_file *file, const uint8_t *bytes, int64_t start) {
  uint32_t page = file->frame_page;
  if (file->frame_offset != start) {
    // A page that is written again in its transaction: only its header on disk says which page it is.
    uint8_t number[4];
    int rc = odata_file_read(file, number, 4, start);
    if (rc != SQLITE_OK) return rc == SQLITE_IOERR_SHORT_READ ? SQLITE_IOERR_WRITE : rc;
    page = odata_big_endian(number);
  }
  int rc = seal_page(file, page, start, bytes, file->scratch);
  if (rc != SQLITE_OK) return rc;
  return odata_file_write(file, file->scratch, file->page_size, start + FRAME_HEADER);
}

int odata_wal_write(odata_vfs_file *file, const uint8_t *bytes, int count, int64_t offset) {
  const int size = file->page_size;
  if (size == 0) return SQLITE_IOERR_WRITE;
  int rc = odata_make_scratch(file, size);
  if (rc != SQLITE_OK) return rc;
  while (count > 0) {
    int piece;
    if (offset < WAL_HEADER) {
      piece = WAL_HEADER - (int)offset;
      if (piece > count) piece = count;
      file->frame_offset = -1;
      rc = odata_file_write(file, bytes, piece, offset);
    } else {
      const int64_t frame = (offset - WAL_HEADER) / (FRAME_HEADER + size);
      const int64_t start = WAL_HEADER + frame * (FRAME_HEADER + size);
      const int within = (int)(offset - start);
      if (within < FRAME_HEADER) {
        piece = FRAME_HEADER - within;
        if (piece > count) piece = count;
        if (within == 0 && piece == FRAME_HEADER) {
          file->frame_offset = start;
          file->frame_page = odata_big_endian(bytes);
        } else if (file->frame_offset == start) {
          file->frame_offset = -1;
        }
        rc = odata_file_write(file, bytes, piece, offset);
      } else {
        piece = size;
        if (within != FRAME_HEADER || count < size) return SQLITE_IOERR_WRITE;
        rc = wal_write_page(file, bytes, start);
      }
    }
    if (rc != SQLITE_OK) return rc;
    bytes += piece;
    offset += piece;
    count -= piece;
  }
  return SQLITE_OK;
}
