/** What `require` returns for files and modules that are loaded late, because not every firing needs them. */

declare namespace NodeJS {
  interface Require {
    (id: './answer.cjs'): typeof import('./answer.cjs');
    (id: './budget.cjs'): typeof import('./budget.cjs');
    (id: './call.cjs'): typeof import('./call.cjs');
    (id: './chain.cjs'): typeof import('./chain.cjs');
    (id: './clock.cjs'): typeof import('./clock.cjs');
    (id: './command.cjs'): typeof import('./command.cjs');
    (id: './conditions.cjs'): typeof import('./conditions.cjs');
    (id: './configured.cjs'): typeof import('./configured.cjs');
    (id: './counts.cjs'): typeof import('./counts.cjs');
    (id: './each.cjs'): typeof import('./each.cjs');
    (id: './failure.cjs'): typeof import('./failure.cjs');
    (id: './family.cjs'): typeof import('./family.cjs');
    (id: './history.cjs'): typeof import('./history.cjs');
    (id: '../history.cjs'): typeof import('./history.cjs');
    (id: './json.cjs'): typeof import('./json.cjs');
    (id: '../json.cjs'): typeof import('./json.cjs');
    (id: './lock.cjs'): typeof import('./lock.cjs');
    (id: './policy.cjs'): typeof import('./policy.cjs');
    (id: './record.cjs'): typeof import('./record.cjs');
    (id: './redact.cjs'): typeof import('./redact.cjs');
    (id: './repeats.cjs'): typeof import('./repeats.cjs');
    (id: './runner.cjs'): typeof import('./runner.cjs');
    (id: './secrets.cjs'): typeof import('./secrets.cjs');
    (id: './steering.cjs'): typeof import('./steering.cjs');
    (id: './texts.cjs'): typeof import('./texts.cjs');
    (id: '../texts.cjs'): typeof import('./texts.cjs');
    (id: './tidy.cjs'): typeof import('./tidy.cjs');
    (id: '../tidy.cjs'): typeof import('./tidy.cjs');
    (id: './tokens.cjs'): typeof import('./tokens.cjs');
    (id: './toml.cjs'): typeof import('./toml.cjs');
    (id: './unread.cjs'): typeof import('./unread.cjs');
    (id: './values.cjs'): typeof import('./values.cjs');
    (id: '../values.cjs'): typeof import('./values.cjs');
    (id: './words.cjs'): typeof import('./words.cjs');
    (id: 'node:child_process'): typeof import('node:child_process');
    (id: 'node:crypto'): typeof import('node:crypto');
    (id: 'node:dns'): typeof import('node:dns');
    (id: 'node:os'): typeof import('node:os');
    (id: 'node:path'): typeof import('node:path');
    (id: 'node:v8'): typeof import('node:v8');
    (id: 'node:vm'): typeof import('node:vm');
  }
}
