/* Makes calls of the operating system fail for files of a store, as file systems without locks and failing disks do. Each variable of the environment
 * holds the errno of one kind of call; 0 or nothing leaves it alone. For Linux: cc -shared -fPIC -o faults.so faults.c -ldl, then LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int fails(const char *call, int fd, const char *file) {
  char link[64], path[4096];
  const char *wanted = getenv(call);
  if (wanted == NULL || atoi(wanted) == 0 || fd < 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strstr(path, file) == NULL) return 0;
  errno = atoi(wanted);
  return 1;
}

#define REAL(name, type) static __typeof__(type) real; if (!real) real = (__typeof__(type)) dlsym(RTLD_NEXT, name)

#define LOCK(name) int name(int fd, int command, ...) { \
  REAL(#name, int (*)(int, int, ...)); \
  va_list rest; va_start(rest, command); void *value = va_arg(rest, void *); va_end(rest); \
  int isLock = command == F_SETLK || command == F_SETLKW || command == F_GETLK; \
  if (isLock && (fails("FAULT_SHARED_LOCK", fd, "-shm") || fails("FAULT_LOCK", fd, ".sqlite"))) return -1; \
  return real(fd, command, value); }
LOCK(fcntl)
LOCK(fcntl64)

#define MAP(name, offset) void *name(void *at, size_t length, int access, int flags, int fd, offset from) { \
  REAL(#name, void *(*)(void *, size_t, int, int, int, offset)); \
  return fails("FAULT_MAP", fd, "-shm") ? MAP_FAILED : real(at, length, access, flags, fd, from); }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

#define MOVE(name, bytes, offset, call) ssize_t name(int fd, bytes data, size_t count, offset at) { \
  REAL(#name, ssize_t (*)(int, bytes, size_t, offset)); \
  return fails(call, fd, ".sqlite") ? -1 : real(fd, data, count, at); }
MOVE(pwrite, const void *, off_t, "FAULT_WRITE")
MOVE(pwrite64, const void *, off64_t, "FAULT_WRITE")
MOVE(pread, void *, off_t, "FAULT_READ")
MOVE(pread64, void *, off64_t, "FAULT_READ")

#define SYNC(name) int name(int fd) { \
  REAL(#name, int (*)(int)); \
  return fails("FAULT_SYNC", fd, ".sqlite") ? -1 : real(fd); }
SYNC(fsync)
SYNC(fdatasync)
