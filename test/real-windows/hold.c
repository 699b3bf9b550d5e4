/*
 * Holds a file open, as a virus scanner does: others may read it, and nobody may replace it. Makes a file to say that it does.
 * Ends when that is removed, or, with a third word, a moment after a temporary file appears next to the one that it holds.
 */
#include <windows.h>

static int is_there(const wchar_t *pattern) {
  WIN32_FIND_DATAW found;
  HANDLE search = FindFirstFileW(pattern, &found);
  if (search == INVALID_HANDLE_VALUE) return 0;
  FindClose(search);
  return 1;
}

int wmain(int count, wchar_t **words) {
  static wchar_t beside[32768];
  HANDLE held = CreateFileW(words[1], GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
  if (held == INVALID_HANDLE_VALUE) return 1;
  wcscat(wcscpy(beside, words[1]), L".mcp-hooks-*");
  CloseHandle(CreateFileW(words[2], GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL));
  while (is_there(words[2])) {
    if (count > 3 && is_there(beside)) {
      Sleep(300);
      break;
    }
    Sleep(1);
  }
  CloseHandle(held);
  DeleteFileW(words[2]);
  return 0;
}
