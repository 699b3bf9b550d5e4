// Plays a sound with a program of the system.
import { spawnSync } from 'node:child_process';

const SOUNDS = '/usr/share/sounds/freedesktop/stereo';
const PLAYERS = {
  darwin: [['afplay', '/System/Library/Sounds/Glass.aiff']],
  win32: [['powershell', '-NoProfile', '-Command', '[console]::beep(880, 300)']],
  linux: [
    ['canberra-gtk-play', '--id=complete'],
    ['pw-play', `${SOUNDS}/complete.oga`],
    ['paplay', `${SOUNDS}/complete.oga`],
    ['aplay', '--quiet', '/usr/share/sounds/alsa/Front_Center.wav'],
  ],
};
for (const [program, ...args] of PLAYERS[process.platform] ?? PLAYERS.linux)
  if (spawnSync(program, args, { stdio: 'ignore', timeout: 4000 }).status === 0) break;
