/*
 * In place of PowerShell, which cannot be had here: runs the first `& 'program' 'script' client event` of its command, as our
 * entries have it, with its own streams. It proves nothing about PowerShell's syntax. Its command line goes to a file.
 */
#include <stdio.h>
#include <wchar.h>
#include <windows.h>

static wchar_t line[32768];

/* Copies a word in apostrophes, of which two in a row mean one, as a word for CreateProcess. */
static wchar_t *word(wchar_t *from, wchar_t *to) {
  wcscat(to, L"\"");
  wchar_t *end = to + wcslen(to);
  for (from++; *from; from++) {
    if (*from == L'\'' && *++from != L'\'') break;
    *end++ = *from;
  }
  wcscpy(end, L"\"");
  return from;
}

int main(void) {
  wchar_t *command = GetCommandLineW();
  FILE *log = fopen("C:\\powershell.log", "ab"); /* a client's environment may name no place */
  static char text[131072];
  if (log && WideCharToMultiByte(CP_UTF8, 0, command, -1, text, sizeof text, 0, 0) > 0)
    fprintf(log, "%s\n", text);
  if (log) fclose(log);
  wchar_t *at = wcsstr(command, L"& '");
  if (!at) return 0;
  wchar_t *rest = word(at + 2, line);
  while (*rest == L' ') rest++;
  wcscat(line, L" ");
  rest = word(rest, line);
  wchar_t *end = wcschr(rest, L'}');
  if (end) *end = 0;
  wcscat(line, rest);
  STARTUPINFOW start = {sizeof start};
  PROCESS_INFORMATION process;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  if (!CreateProcessW(0, line, 0, 0, TRUE, 0, 0, 0, &start, &process)) return 1;
  WaitForSingleObject(process.hProcess, INFINITE);
  return 0;
}
