#ifndef CODATAVFS_H
#define CODATAVFS_H

// A SQLite VFS over the system's default one. It knows the layout of SQLite's files, and hands their pages to a cipher
// (encryption at rest) and their operations to a watch (faults in tests). No cryptography and no policy of its own.
//
// SQLite's own header is not needed to import this one: SQLite's result codes and file pointers pass as int and void *.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a file is to SQLite.
#define ODATA_ROLE_MAIN 1
#define ODATA_ROLE_WAL 2
/// A rollback journal: it outlives a kill, as the two above.
#define ODATA_ROLE_JOURNAL 3
/// Temporary tables, sorter runs, statement journals: nobody reads them after the process.
#define ODATA_ROLE_TEMPORARY 4

/// Bytes at the end of each page that SQLite leaves to the cipher, and after each block of a journal or temporary file.
#define ODATA_TRAILER 32
/// Bytes before page 1 of a sealed main file.
#define ODATA_HEADER 8192
/// Plain bytes of a block of a journal or a temporary file.
#define ODATA_BLOCK 4096

/// Operations that a watch is told of.
#define ODATA_OPERATION_OPEN 1
#define ODATA_OPERATION_READ 2
#define ODATA_OPERATION_WRITE 3
#define ODATA_OPERATION_TRUNCATE 4
#define ODATA_OPERATION_SYNC 5
#define ODATA_OPERATION_DELETE 6

typedef struct odata_vfs odata_vfs;
typedef struct odata_vfs_file odata_vfs_file;

/// The keeper of the keys. Calls come from every thread that uses a connection.
typedef struct odata_vfs_cipher {
  void *_Nullable context;
  /// A main file was opened: the header is read, or written when the file is new. Returns SQLite's result code and sets
  /// the page size with `odata_file_set_page_size`.
  int (*_Nonnull attach)(
      void *_Nullable context, odata_vfs_file *_Nonnull file, const char *_Nonnull path, int may_create);
  /// Seals `count` bytes into `sealed`, and fills the trailer. Returns 1, or 0 when it cannot.
  int (*_Nonnull seal)(
      void *_Nullable context, int role, uint32_t page, int64_t offset, const uint8_t *_Nonnull plain,
      size_t count, uint8_t *_Nonnull sealed, uint8_t *_Nonnull trailer);
  /// The reverse. Returns 1, or 0 when the bytes are not what was sealed for this place.
  int (*_Nonnull open)(
      void *_Nullable context, int role, uint32_t page, int64_t offset, const uint8_t *_Nonnull sealed,
      size_t count, const uint8_t *_Nonnull trailer, uint8_t *_Nonnull plain);
  /// SQLite is about to get an input/output error, because a page is damaged.
  void (*_Nonnull refused)(void *_Nullable context, int role, uint32_t page, int64_t offset);
} odata_vfs_cipher;

/// Sees what reaches the system, and can refuse it.
typedef struct odata_vfs_watch {
  void *_Nullable context;
  /// Returns 0 to let the operation through, or the result code that it fails with.
  int (*_Nonnull before)(
      void *_Nullable context, int operation, int role, const char *_Nullable path, int64_t offset,
      int64_t count);
  /// The operation has succeeded; `bytes` are those of a write.
  void (*_Nonnull after)(
      void *_Nullable context, int operation, int role, const char *_Nullable path, int64_t offset,
      int64_t count, const uint8_t *_Nullable bytes);
} odata_vfs_watch;

/// Registers a VFS of this name, not as the default. NULL when there is no memory or no system VFS.
odata_vfs *_Nullable odata_vfs_register(
    const char *_Nonnull name, const odata_vfs_cipher *_Nullable cipher,
    const odata_vfs_watch *_Nullable watch);
/// Takes it out again and frees it. Returns 0 and leaves everything as it is when one of its files is open.
int odata_vfs_unregister(odata_vfs *_Nonnull vfs);

/// The name of the system's default VFS.
const char *_Nullable odata_vfs_root_name(void);
/// Reads the first bytes of a file through the system's VFS, so that locks of this process on the file survive.
/// Returns how many there are, or -1 when the file cannot be read.
int odata_vfs_peek(const char *_Nonnull path, uint8_t *_Nonnull bytes, int count);

/// The file behind what `SQLITE_FCNTL_FILE_POINTER` gives, when it is one of ours.
odata_vfs_file *_Nullable odata_file_of(void *_Nullable sqlite_file);

/// The file as it is on disk, header included. All return SQLite's result codes.
int odata_file_read(odata_vfs_file *_Nonnull file, uint8_t *_Nonnull bytes, int count, int64_t offset);
int odata_file_write(
    odata_vfs_file *_Nonnull file, const uint8_t *_Nonnull bytes, int count, int64_t offset);
int odata_file_sync(odata_vfs_file *_Nonnull file);
int odata_file_size(odata_vfs_file *_Nonnull file, int64_t *_Nonnull size);
int odata_file_truncate(odata_vfs_file *_Nonnull file, int64_t size);
/// Takes the file's exclusive lock from none, in SQLite's steps; `SQLITE_BUSY` leaves it unlocked.
int odata_file_lock(odata_vfs_file *_Nonnull file);
int odata_file_unlock(odata_vfs_file *_Nonnull file);
void odata_file_set_page_size(odata_vfs_file *_Nonnull file, int page_size);

#ifdef __cplusplus
}
#endif

#endif
