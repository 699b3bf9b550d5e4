/** The texts of `build`. */

import { count, listed } from '../../system/plurals.ts';

export const built = {
  heading: (label: string, name: string, version: string) => `${label}, as ${name} ${version}`,
  isBuilt: (noun: string, folder: string, files: number) =>
    files === 0
      ? `no ${noun}: none of the hooks can be shipped`
      : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}, in ${folder}/ (${count(files, 'file')})`,
  otherwise: (note: string) => `Note: ${note}.`,
  withoutFragment: (kind: string, why: string) => `no ${kind}: ${why}`,
  toMerge: (file: string) => `to be merged into your ${file}`,
  isFleet: (folder: string, files: number) =>
    `an Ansible role, in ${folder}/ (${count(files, 'file')})`,
  inFleet: (name: string, shown: number, all: number, place: string) =>
    shown === 0
      ? `${name}: none of the hooks`
      : `${name}: ${shown} of ${count(all, 'hook')}, in ${place}`,
  notInFleet: (names: readonly string[]) =>
    `mcp-hooks does not know where an administrator puts hooks for ${listed(names, 'or')}.`,
  allowFleet: (grants: readonly string[]) =>
    `Hooks that need a grant are allowed for all users if you give the role mcp_hooks_allow: [${grants.join(', ')}].`,
  playFleet: (playbook: string) => `ansible-playbook -i <inventory> ${playbook}`,
  checked: (out: string, stale: number) =>
    stale === 0
      ? `${out} is up to date.`
      : `${out} is stale: ${count(stale, 'file')} ${stale === 1 ? 'differs' : 'differ'}. Build it again, without --check.`,
  done: (label: string, out: string, changed: number) =>
    changed === 0
      ? `Nothing to do: ${out} is up to date.`
      : `Built: ${label}; ${count(changed, 'file')} changed in ${out}.`,
};
