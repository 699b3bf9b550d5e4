// Sentences about trust for a made-up client: none may mention a real client.
import { expect, test } from 'vitest';
import type { TrustTrouble, WhyUnknown } from '../../src/clients/trust.ts';
import type { TrustMessage } from '../../src/diagnose/messages.ts';
import { sentence, troubleSentences } from '../../src/present/messages/sentence.ts';
import { trustMessages } from '../../src/present/messages/trust.ts';

const client = 'Acme';
const executable = 'acme';
const acme = { name: client, executable };
const trust = { reviewCommand: '/review', file: 'acme.toml' };
const asked = { client, program: 'acme serve', needed: '2.0.0' };
const hook = { client, native: 'AfterTool', path: '~/.acme/acme.toml', file: trust.file };
const HOOKS = 'AfterTool of Bash in ~/.acme/acme.toml';

const TROUBLE: readonly TrustTrouble[] = [
  { ...asked, code: 'ask-timeout', seconds: 20, said: 'waiting' },
  { ...asked, code: 'ask-ended-early', exitCode: 3 },
  { ...asked, code: 'ask-not-json' },
  { ...asked, code: 'ask-refused' },
  { ...asked, code: 'ask-not-started', executable, cause: 'ENOENT' },
  { ...asked, code: 'ask-not-started', executable, cause: 'EACCES' },
  { ...asked, code: 'ask-too-old' },
  { ...asked, code: 'ask-too-old', version: '1.9.0' },
  { ...asked, code: 'trust-not-taken' },
];
const UNKNOWN: readonly WhyUnknown[] = [
  { code: 'trust-file-unreadable', why: { code: 'nul-byte' } },
  { code: 'project-untrusted', client, executable },
  { code: 'hook-not-listed', client },
];
const TOLD: readonly TrustMessage[] = [
  { code: 'all-trusted', client },
  { code: 'nothing-to-trust', client },
  { code: 'start-before-trust', client },
  { ...hook, code: 'hook-trusted', from: 'client' },
  { ...hook, code: 'hook-untrusted', from: 'file', matcher: 'Bash' },
  { ...hook, code: 'hook-changed', from: 'client' },
  { ...hook, code: 'hook-disabled', from: 'client' },
  { ...hook, code: 'hook-unknown', from: 'client' },
  { code: 'why-unknown', why: { code: 'hook-not-listed', client } },
  { code: 'project-unread', client, project: '~/work' },
  { code: 'project-not-trusted' },
  { code: 'trust-project', executable },
  { code: 'trust-from-file', client, file: trust.file },
  { code: 'trust-by-hand', byHand: 'Start acme.', run: 'mcp-hooks trust annal' },
  { code: 'not-trusted' },
  { code: 'changed-since-trusted' },
  { code: 'switched-off-in', client },
  { code: 'switch-on', command: trust.reviewCommand, executable },
];

test('what doctor prints', () => {
  const said = [
    ...TROUBLE.map((one) => troubleSentences(one).join(' ')),
    ...[...UNKNOWN, ...TOLD].map(sentence),
  ];
  expect(said.join('\n')).toMatchInlineSnapshot(`
    "acme serve did not answer within 20 seconds and was ended (--timeout allows more). The end of its output: waiting
    acme serve ended (exit code 3) before it answered. It needs Acme 2.0.0 or newer.
    acme serve answered with something that is not JSON.
    acme serve refused.
    acme could not be started: command not found.
    acme could not be started: EACCES.
    This Acme cannot be asked about trust: 2.0.0 or newer is needed.
    This Acme (1.9.0) cannot be asked about trust: 2.0.0 or newer is needed.
    Acme was asked to trust the hooks, but still does not trust them.
    the file has a NUL byte
    Acme reads nothing of this project before you trust its folder: start acme in it and say yes
    Acme does not see it where it is written: hooks may be switched off, or the file is not read
    Acme trusts its hooks
    nothing to trust in Acme
    Acme has to start before it can trust anything
    Acme reports that you trust AfterTool in ~/.acme/acme.toml
    Acme's acme.toml shows that you have not trusted AfterTool of Bash in ~/.acme/acme.toml
    Acme reports that AfterTool in ~/.acme/acme.toml changed since you trusted it
    Acme reports that you switched off AfterTool in ~/.acme/acme.toml
    mcp-hooks cannot tell whether Acme runs AfterTool in ~/.acme/acme.toml
    Acme does not see it where it is written: hooks may be switched off, or the file is not read.
    Acme reads no hooks of ~/work until you trust it
    the project is not trusted
    Start acme in the project and trust its folder.
    The trust was read from Acme's acme.toml instead.
    mcp-hooks trust annal
    not trusted
    changed since you trusted them
    switched off in Acme
    To switch it on again, type /review in acme."
  `);
});

test('what install and uninstall print', () => {
  const said = [
    trustMessages.help([acme]),
    trustMessages.help([acme, acme]),
    trustMessages.timeoutHelp([acme]),
    trustMessages.doctorTimeoutHelp([acme]),
    trustMessages.orTrustNow,
    trustMessages.willTrust(acme, HOOKS),
    trustMessages.trustsByName(acme, HOOKS),
    trustMessages.asking(acme),
    trustMessages.question(acme),
    trustMessages.waiting(acme, HOOKS),
    trustMessages.trusts(acme, HOOKS),
    trustMessages.trustsAlready(acme, ['annal']),
    trustMessages.switchedOff(acme, trust, HOOKS),
    trustMessages.notThere(acme),
    trustMessages.notChosen([acme]),
    trustMessages.notChosen([acme, acme]),
    trustMessages.forgets(acme, 1),
    trustMessages.forgets(acme, 2),
    trustMessages.trustedInScratch(acme),
    trustMessages.looking([acme]),
    trustMessages.looking([acme, acme]),
  ];
  expect(said.join('\n')).toMatchInlineSnapshot(`
    "also trust these hooks in Acme
    also trust these hooks in Acme and Acme
    how long a server, or Acme, may take to answer
    how long Acme, or a server, may take
    Or add --trust.
    --trust: once this is written, Acme trusts these hooks: AfterTool of Bash in ~/.acme/acme.toml. Its trust in your other hooks does not change.
    Acme trusts hooks by their commands, which are those of what was installed under this name before: it runs these without asking (AfterTool of Bash in ~/.acme/acme.toml).
    Asking Acme which hooks it runs ...
    Trust these hooks in Acme?
    Acme runs these hooks only after you trust them: AfterTool of Bash in ~/.acme/acme.toml.
    Acme now trusts these hooks: AfterTool of Bash in ~/.acme/acme.toml. Its trust in your other hooks has not changed.
    Acme already trusts the hooks of annal.
    Left switched off in Acme: AfterTool of Bash in ~/.acme/acme.toml. To switch it on again, type /review in acme.
    acme is not on the PATH. Install Acme, or run this command where acme is on the PATH.
    Nothing to trust: Acme is not among the clients, and no other client asks for trust.
    Nothing to trust: Acme and Acme are not among the clients, and no other client asks for trust.
    Acme forgets that you trust the hook that is taken out.
    Acme forgets that you trust the 2 hooks that are taken out.
    Acme trusted the hooks in the scratch home only. Its trust in your home has not changed.
    Asking Acme; this can take a few seconds ...
    Asking Acme and Acme; this can take a few seconds ..."
  `);
});
