/* Preloaded: of the file whose path contains $SHORT_FILE the first write takes half of the bytes. What the next one
   does is said by $SHORT_NEXT: "full", there is no more room; else it goes on as if nothing had been. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int short_ones;

static int is_ours(int fd) {
  const char *part = getenv("SHORT_FILE");
  char link[64], path[4096];
  ssize_t length;
  if (!part || fd < 3) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, part) != NULL;
}

/* How many bytes this write may take; -1: none, the disk is full. */
static ssize_t room(int fd, size_t count) {
  const char *next = getenv("SHORT_NEXT");
  if (count < 2 || !is_ours(fd)) return (ssize_t)count;
  if (short_ones++ == 0) return (ssize_t)(count / 2);
  if (!next || strcmp(next, "full") != 0) return (ssize_t)count;
  errno = ENOSPC;
  return -1;
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  ssize_t some = room(fd, count);
  if (!real) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return some < 0 ? some : real(fd, bytes, (size_t)some);
}

static ssize_t at(const char *name, int fd, const void *bytes, size_t count, off_t offset) {
  ssize_t (*real)(int, const void *, size_t, off_t) =
      (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, name);
  ssize_t some = room(fd, count);
  return some < 0 ? some : real(fd, bytes, (size_t)some, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  return at("pwrite", fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
  return at("pwrite64", fd, bytes, count, offset);
}
