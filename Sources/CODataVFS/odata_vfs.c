#include "odata_vfs_internal.h"

// The methods that SQLite calls: plain files pass through, sealed ones go by their role. Locks, shared memory and names
// are the system's, so several processes see each other as they do without this VFS.

static const sqlite3_io_methods methods;

// MARK: What reaches the system

static int before(odata_vfs_file *file, int operation, int64_t offset, int64_t count) {
  const odata_vfs *vfs = file->vfs;
  if (!vfs->has_watch) return SQLITE_OK;
  return vfs->watch.before(vfs->watch.context, operation, file->role, file->path, offset, count);
}

static void after(
    odata_vfs_file *file, int operation, int64_t offset, int64_t count, const uint8_t *bytes) {
  const odata_vfs *vfs = file->vfs;
  if (!vfs->has_watch) return;
  vfs->watch.after(
      vfs->watch.context, operation, file->role, file->path, offset, count, bytes);
}

int odata_file_read(odata_vfs_file *file, uint8_t *bytes, int count, int64_t offset) {
  int rc = before(file, ODATA_OPERATION_READ, offset, count);
  if (rc != SQLITE_OK) return rc;
  return odata_root(file)->pMethods->xRead(odata_root(file), bytes, count, offset);
}

int odata_file_write(odata_vfs_file *file, const uint8_t *bytes, int count, int64_t offset) {
  int rc = before(file, ODATA_OPERATION_WRITE, offset, count);
  if (rc != SQLITE_OK) return rc;
  rc = odata_root(file)->pMethods->xWrite(odata_root(file), bytes, count, offset);
  if (rc == SQLITE_OK) after(file, ODATA_OPERATION_WRITE, offset, count, bytes);
  return rc;
}

static int sync_file(odata_vfs_file *file, int flags) {
  int rc = before(file, ODATA_OPERATION_SYNC, 0, 0);
  if (rc != SQLITE_OK) return rc;
  rc = odata_root(file)->pMethods->xSync(odata_root(file), flags);
  if (rc == SQLITE_OK) after(file, ODATA_OPERATION_SYNC, 0, 0, NULL);
  return rc;
}

int odata_file_sync(odata_vfs_file *file) { return sync_file(file, SQLITE_SYNC_NORMAL); }

int odata_file_size(odata_vfs_file *file, int64_t *size) {
  sqlite3_int64 found = 0;
  int rc = odata_root(file)->pMethods->xFileSize(odata_root(file), &found);
  *size = found;
  return rc;
}

int odata_file_truncate(odata_vfs_file *file, int64_t size) {
  int rc = before(file, ODATA_OPERATION_TRUNCATE, size, 0);
  if (rc != SQLITE_OK) return rc;
  rc = odata_root(file)->pMethods->xTruncate(odata_root(file), size);
  if (rc == SQLITE_OK) after(file, ODATA_OPERATION_TRUNCATE, size, 0, NULL);
  return rc;
}

int odata_file_lock(odata_vfs_file *file) {
  static const int steps[] = {SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE};
  for (int step = 0; step < 3; step++) {
    int rc = odata_root(file)->pMethods->xLock(odata_root(file), steps[step]);
    if (rc != SQLITE_OK) {
      (void)odata_file_unlock(file);
      return rc;
    }
  }
  return SQLITE_OK;
}

int odata_file_unlock(odata_vfs_file *file) {
  return odata_root(file)->pMethods->xUnlock(odata_root(file), SQLITE_LOCK_NONE);
}

void odata_file_set_page_size(odata_vfs_file *file, int page_size) {
  file->page_size = page_size;
  atomic_store(&file->vfs->page_size, page_size);
}

odata_vfs_file *odata_file_of(void *sqlite_file) {
  sqlite3_file *file = sqlite_file;
  return file != NULL && file->pMethods == &methods ? (odata_vfs_file *)file : NULL;
}

int odata_make_scratch(odata_vfs_file *file, int size) {
  if (file->scratch == NULL)
    file->scratch = sqlite3_malloc64(2 * ((sqlite3_uint64)size + ODATA_TRAILER));
  return file->scratch == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

int odata_refuse(odata_vfs_file *file, uint32_t page, int64_t offset) {
  file->vfs->cipher.refused(file->vfs->cipher.context, file->role, page, offset);
  return SQLITE_IOERR_DATA;
}

// MARK: Methods of a file

static int x_close(sqlite3_file *base) {
  odata_vfs_file *file = (odata_vfs_file *)base;
  sqlite3_free(file->scratch);
  file->scratch = NULL;
  int rc = odata_root(file)->pMethods->xClose(odata_root(file));
  atomic_fetch_sub(&file->vfs->open_files, 1);
  return rc;
}

static int x_read(sqlite3_file *base, void *out, int count, sqlite3_int64 offset) {
  odata_vfs_file *file = (odata_vfs_file *)base;
  if (!file->sealed) return odata_file_read(file, out, count, offset);
  switch (file->role) {
    case ODATA_ROLE_MAIN: return odata_main_read(file, out, count, offset);
    case ODATA_ROLE_WAL: return odata_wal_read(file, out, count, offset);
    default: return odata_block_read(file, out, count, offset);
  }
}

static int x_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  odata_vfs_file *file = (odata_vfs_file *)base;
  if (!file->sealed) return odata_file_write(file, bytes, count, offset);
  switch (file->role) {
    case ODATA_ROLE_MAIN: return odata_main_write(file, bytes, count, offset);
    case ODATA_ROLE_WAL: return odata_wal_write(file, bytes, count, offset);
    default: return odata_block_write(file, bytes, count, offset);
  }
}

static int x_truncate(sqlite3_file *base, sqlite3_int64 size) {
  odata_vfs_file *file = (odata_vfs_file *)base;
  if (!file->sealed || file->role == ODATA_ROLE_WAL) {
    file->frame_offset = -1;
    return odata_file_truncate(file, size);
  }
  if (file->role == ODATA_ROLE_MAIN) return odata_file_truncate(file, size + ODATA_HEADER);
  return odata_block_truncate(file, size);
}

static int x_sync(sqlite3_file *base, int flags) {
  return sync_file((odata_vfs_file *)base, flags);
}

static int x_file_size(sqlite3_file *base, sqlite3_int64 *size) {
  odata_vfs_file *file = (odata_vfs_file *)base;
  int64_t found = 0;
  int rc = file->sealed && file->role >= ODATA_ROLE_JOURNAL ? odata_block_size(file, &found)
                                                            : odata_file_size(file, &found);
  if (file->sealed && file->role == ODATA_ROLE_MAIN)
    found = found > ODATA_HEADER ? found - ODATA_HEADER : 0;
  *size = found;
  return rc;
}

static int x_lock(sqlite3_file *base, int level) {
  sqlite3_file *root = odata_root((odata_vfs_file *)base);
  return root->pMethods->xLock(root, level);
}

static int x_unlock(sqlite3_file *base, int level) {
  sqlite3_file *root = odata_root((odata_vfs_file *)base);
  return root->pMethods->xUnlock(root, level);
}

static int x_check_reserved(sqlite3_file *base, int *found) {
  sqlite3_file *root = odata_root((odata_vfs_file *)base);
  return root->pMethods->xCheckReservedLock(root, found);
}

static int x_file_control(sqlite3_file *base, int operation, void *argument) {
  odata_vfs_file *file = (odata_vfs_file *)base;
  sqlite3_file *root = odata_root(file);
  switch (operation) {
    case SQLITE_FCNTL_MMAP_SIZE: return SQLITE_NOTFOUND;
    case SQLITE_FCNTL_SIZE_HINT:
    case SQLITE_FCNTL_CHUNK_SIZE:
      // Room ahead of the content would be pages without a tag.
      if (file->sealed) return SQLITE_OK;
      break;
    default: break;
  }
  int rc = root->pMethods->xFileControl(root, operation, argument);
  if (operation == SQLITE_FCNTL_VFSNAME && rc == SQLITE_OK)
    *(char **)argument = sqlite3_mprintf("%s/%z", file->vfs->base.zName, *(char **)argument);
  return rc;
}

static int x_sector_size(sqlite3_file *base) {
  sqlite3_file *root = odata_root((odata_vfs_file *)base);
  return root->pMethods->xSectorSize(root);
}

static int x_characteristics(sqlite3_file *base) {
  sqlite3_file *root = odata_root((odata_vfs_file *)base);
  return root->pMethods->xDeviceCharacteristics(root) & SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int x_shm_map(sqlite3_file *base, int page, int size, int extend, void volatile **out) {
  sqlite3_file *root = odata_root((odata_vfs_file *)base);
  return root->pMethods->xShmMap(root, page, size, extend, out);
}

static int x_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  sqlite3_file *root = odata_root((odata_vfs_file *)base);
  return root->pMethods->xShmLock(root, offset, count, flags);
}

static void x_shm_barrier(sqlite3_file *base) {
  sqlite3_file *root = odata_root((odata_vfs_file *)base);
  root->pMethods->xShmBarrier(root);
}

static int x_shm_unmap(sqlite3_file *base, int remove) {
  sqlite3_file *root = odata_root((odata_vfs_file *)base);
  return root->pMethods->xShmUnmap(root, remove);
}

// Version 2: with shared memory, without memory mapping.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = x_close,
    .xRead = x_read,
    .xWrite = x_write,
    .xTruncate = x_truncate,
    .xSync = x_sync,
    .xFileSize = x_file_size,
    .xLock = x_lock,
    .xUnlock = x_unlock,
    .xCheckReservedLock = x_check_reserved,
    .xFileControl = x_file_control,
    .xSectorSize = x_sector_size,
    .xDeviceCharacteristics = x_characteristics,
    .xShmMap = x_shm_map,
    .xShmLock = x_shm_lock,
    .xShmBarrier = x_shm_barrier,
    .xShmUnmap = x_shm_unmap,
};

// MARK: Methods of the VFS

static sqlite3_vfs *root_of(sqlite3_vfs *base) { return ((odata_vfs *)base)->root; }

static int role_of(int flags) {
  if (flags & SQLITE_OPEN_MAIN_DB) return ODATA_ROLE_MAIN;
  if (flags & SQLITE_OPEN_WAL) return ODATA_ROLE_WAL;
  if (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL)) return ODATA_ROLE_JOURNAL;
  return ODATA_ROLE_TEMPORARY;
}

static int x_open(
    sqlite3_vfs *base, const char *name, sqlite3_file *out, int flags, int *out_flags) {
  odata_vfs *vfs = (odata_vfs *)base;
  odata_vfs_file *file = (odata_vfs_file *)out;
  memset(file, 0, (size_t)vfs->base.szOsFile);
  file->vfs = vfs;
  file->role = role_of(flags);
  file->sealed = vfs->has_cipher;
  file->path = name;
  file->frame_offset = -1;
  file->page_size = atomic_load(&vfs->page_size);
  if (file->role == ODATA_ROLE_TEMPORARY) file->number = atomic_fetch_add(&vfs->next_file, 1) + 1;
  int rc = before(file, ODATA_OPERATION_OPEN, 0, 0);
  if (rc != SQLITE_OK) return rc;
  rc = vfs->root->xOpen(vfs->root, name, odata_root(file), flags, out_flags);
  if (rc == SQLITE_OK && file->sealed && file->role == ODATA_ROLE_MAIN) {
    const int may_create = (flags & SQLITE_OPEN_READWRITE) && (flags & SQLITE_OPEN_CREATE);
    rc = name == NULL ? SQLITE_CANTOPEN
                      : vfs->cipher.attach(vfs->cipher.context, file, name, may_create);
  }
  if (rc != SQLITE_OK) {
    if (odata_root(file)->pMethods != NULL) odata_root(file)->pMethods->xClose(odata_root(file));
    return rc;
  }
  after(file, ODATA_OPERATION_OPEN, 0, 0, NULL);
  atomic_fetch_add(&vfs->open_files, 1);
  file->base.pMethods = &methods;
  return SQLITE_OK;
}

static int x_delete(sqlite3_vfs *base, const char *name, int sync) {
  odata_vfs *vfs = (odata_vfs *)base;
  if (vfs->has_watch) {
    int rc = vfs->watch.before(vfs->watch.context, ODATA_OPERATION_DELETE, 0, name, 0, 0);
    if (rc != SQLITE_OK) return rc;
  }
  int rc = vfs->root->xDelete(vfs->root, name, sync);
  if (rc == SQLITE_OK && vfs->has_watch)
    vfs->watch.after(vfs->watch.context, ODATA_OPERATION_DELETE, 0, name, 0, 0, NULL);
  return rc;
}

static int x_access(sqlite3_vfs *base, const char *name, int flags, int *out) {
  return root_of(base)->xAccess(root_of(base), name, flags, out);
}

static int x_full_path(sqlite3_vfs *base, const char *name, int count, char *out) {
  return root_of(base)->xFullPathname(root_of(base), name, count, out);
}

static void *x_dl_open(sqlite3_vfs *base, const char *name) {
  return root_of(base)->xDlOpen(root_of(base), name);
}

static void x_dl_error(sqlite3_vfs *base, int count, char *out) {
  root_of(base)->xDlError(root_of(base), count, out);
}

static void (*x_dl_symbol(sqlite3_vfs *base, void *library, const char *name))(void) {
  return root_of(base)->xDlSym(root_of(base), library, name);
}

static void x_dl_close(sqlite3_vfs *base, void *library) {
  root_of(base)->xDlClose(root_of(base), library);
}

static int x_randomness(sqlite3_vfs *base, int count, char *out) {
  return root_of(base)->xRandomness(root_of(base), count, out);
}

static int x_sleep(sqlite3_vfs *base, int microseconds) {
  return root_of(base)->xSleep(root_of(base), microseconds);
}

static int x_time(sqlite3_vfs *base, double *out) {
  return root_of(base)->xCurrentTime(root_of(base), out);
}

static int x_last_error(sqlite3_vfs *base, int count, char *out) {
  return root_of(base)->xGetLastError(root_of(base), count, out);
}

static int x_time_int64(sqlite3_vfs *base, sqlite3_int64 *out) {
  return root_of(base)->xCurrentTimeInt64(root_of(base), out);
}

// MARK: Registration

odata_vfs *odata_vfs_register(
    const char *name, const odata_vfs_cipher *cipher, const odata_vfs_watch *watch) {
  sqlite3_vfs *root = sqlite3_vfs_find(NULL);
  if (root == NULL || root->iVersion < 2) return NULL;
  const size_t length = strlen(name) + 1;
  odata_vfs *vfs = sqlite3_malloc64(sizeof(odata_vfs) + length);
  if (vfs == NULL) return NULL;
  memset(vfs, 0, sizeof(odata_vfs));
  memcpy(vfs + 1, name, length);
  vfs->root = root;
  if (cipher != NULL) {
    vfs->has_cipher = 1;
    vfs->cipher = *cipher;
  }
  if (watch != NULL) {
    vfs->has_watch = 1;
    vfs->watch = *watch;
  }
  vfs->base = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(odata_vfs_file) + root->szOsFile,
      .mxPathname = root->mxPathname,
      .zName = (const char *)(vfs + 1),
      .xOpen = x_open,
      .xDelete = x_delete,
      .xAccess = x_access,
      .xFullPathname = x_full_path,
      .xDlOpen = x_dl_open,
      .xDlError = x_dl_error,
      .xDlSym = x_dl_symbol,
      .xDlClose = x_dl_close,
      .xRandomness = x_randomness,
      .xSleep = x_sleep,
      .xCurrentTime = x_time,
      .xGetLastError = x_last_error,
      .xCurrentTimeInt64 = x_time_int64,
  };
  if (sqlite3_vfs_register(&vfs->base, 0) != SQLITE_OK) {
    sqlite3_free(vfs);
    return NULL;
  }
  return vfs;
}

int odata_vfs_unregister(odata_vfs *vfs) {
  if (atomic_load(&vfs->open_files) != 0) return 0;
  sqlite3_vfs_unregister(&vfs->base);
  sqlite3_free(vfs);
  return 1;
}

const char *odata_vfs_root_name(void) {
  sqlite3_vfs *root = sqlite3_vfs_find(NULL);
  return root == NULL ? NULL : root->zName;
}

int odata_vfs_peek(const char *path, uint8_t *bytes, int count) {
  sqlite3_vfs *root = sqlite3_vfs_find(NULL);
  if (root == NULL) return -1;
  sqlite3_file *file = sqlite3_malloc(root->szOsFile);
  char *name = (char *)(uintptr_t)sqlite3_create_filename(path, "", "", 0, NULL);
  int found = -1;
  if (file != NULL && name != NULL) {
    memset(file, 0, (size_t)root->szOsFile);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    if (root->xOpen(root, name, file, flags, &flags) == SQLITE_OK) {
      sqlite3_int64 size = 0;
      if (file->pMethods->xFileSize(file, &size) == SQLITE_OK) {
        found = size < count ? (int)size : count;
        if (found > 0 && file->pMethods->xRead(file, bytes, found, 0) != SQLITE_OK) found = -1;
      }
    }
    if (file->pMethods != NULL) file->pMethods->xClose(file);
  }
  sqlite3_free_filename(name);
  sqlite3_free(file);
  return found;
}
