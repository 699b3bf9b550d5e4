/** What `require` returns for files and modules that are loaded late, because not every firing needs them. */

// Each name has its own signature: for a union of names, TypeScript would first match node's signature, which returns `any`.
declare namespace NodeJS {
  interface Require {
    (id: './answer.cjs'): typeof import('./answer.cjs');
    (id: './budget.cjs'): typeof import('./budget.cjs');
    (id: './call.cjs'): typeof import('./call.cjs');
    (id: '../call.cjs'): typeof import('./call.cjs');
    (id: './chain.cjs'): typeof import('./chain.cjs');
    (id: './clock.cjs'): typeof import('./clock.cjs');
    (id: './command.cjs'): typeof import('./command.cjs');
    (id: '../command.cjs'): typeof import('./command.cjs');
    (id: './conditions.cjs'): typeof import('./conditions.cjs');
    (id: './configured.cjs'): typeof import('./configured.cjs');
    (id: '../configured.cjs'): typeof import('./configured.cjs');
    (id: './counts.cjs'): typeof import('./counts.cjs');
    (id: './one-answer.cjs'): typeof import('./one-answer.cjs');
    (id: './failure.cjs'): typeof import('./failure.cjs');
    (id: './history.cjs'): typeof import('./history.cjs');
    (id: '../history.cjs'): typeof import('./history.cjs');
    (id: './files.cjs'): typeof import('./files.cjs');
    (id: '../files.cjs'): typeof import('./files.cjs');
    (id: './hook-results.cjs'): typeof import('./hook-results.cjs');
    (id: './http.cjs'): typeof import('./http.cjs');
    (id: '../installs.cjs'): typeof import('./installs.cjs');
    (id: './json.cjs'): typeof import('./json.cjs');
    (id: '../json.cjs'): typeof import('./json.cjs');
    (id: './lifetime.cjs'): typeof import('./lifetime.cjs');
    (id: './lock.cjs'): typeof import('./lock.cjs');
    (id: './paths.cjs'): typeof import('./paths.cjs');
    (id: './policy.cjs'): typeof import('./policy.cjs');
    (id: './process-tree.cjs'): typeof import('./process-tree.cjs');
    (id: './redact.cjs'): typeof import('./redact.cjs');
    (id: '../redact.cjs'): typeof import('./redact.cjs');
    (id: './repetitions.cjs'): typeof import('./repetitions.cjs');
    (id: './repository.cjs'): typeof import('./repository.cjs');
    (id: './runner.cjs'): typeof import('./runner.cjs');
    (id: './secrets.cjs'): typeof import('./secrets.cjs');
    (id: './session-facts.cjs'): typeof import('./session-facts.cjs');
    (id: './stdio.cjs'): typeof import('./stdio.cjs');
    (id: './steering.cjs'): typeof import('./steering.cjs');
    (id: '../steering.cjs'): typeof import('./steering.cjs');
    (id: './texts.cjs'): typeof import('./texts.cjs');
    (id: '../texts.cjs'): typeof import('./texts.cjs');
    (id: './tidy.cjs'): typeof import('./tidy.cjs');
    (id: '../tidy.cjs'): typeof import('./tidy.cjs');
    (id: './tokens.cjs'): typeof import('./tokens.cjs');
    (id: './toml.cjs'): typeof import('./toml.cjs');
    (id: './unreadable.cjs'): typeof import('./unreadable.cjs');
    (id: './values.cjs'): typeof import('./values.cjs');
    (id: '../values.cjs'): typeof import('./values.cjs');
    (id: '../vocabulary.cjs'): typeof import('./vocabulary.cjs');
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
