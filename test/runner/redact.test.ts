// Secrets in a tool's input and output do not reach servers, logs or models, in any client.
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { wireOf } from '../../src/clients/contract.ts';
import { all, eachAsync, IDS } from '../support/runner/at-once.ts';
import { clientOf, MOMENTS } from '../support/runner/clients.ts';
import { bodies, filesIn, install } from '../support/runner/world.ts';
import { noise } from './forms.ts';

/** Clients whose runner keeps its words for the next runner. */
const REPEATING = IDS.filter((id) => wireOf(clientOf(id), MOMENTS.prompt[id].event).repeats);

const ROOT = join(import.meta.dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'redact-'));
afterAll(() => rmSync(place, { recursive: true }));
copyFileSync(join(ROOT, 'dist/templates/redact.cjs'), join(place, 'redact.cjs'));
copyFileSync(join(ROOT, 'dist/templates/secrets.cjs'), join(place, 'secrets.cjs'));

interface Masked {
  readonly values: readonly unknown[];
  readonly reason?: string;
}
type Mask = (values: readonly unknown[]) => Promise<Masked>;
const redact = createRequire(join(place, 'redact.cjs'))('./redact.cjs');
const masked: Mask = redact.masked;

test('a run of millions of characters is not an error', async () => {
  const blob = 'aB3'.repeat(4_000_000);
  const [value] = (await masked([blob])).values;
  expect(value === blob).toBe(true);
});

const one = async (value: unknown) => (await masked([value])).values[0];

const hex = (length: number) => noise(length, '0a1b2c3d4e5f6789');
const upper = (length: number) => noise(length, 'A2B3C4D5E6F7GHIJKLMN');
const base64 = (text: string) => Buffer.from(text).toString('base64url');
const jwt = [base64('{"alg":"HS256"}'), base64('{"sub":"1234567890"}'), noise(43)].join('.');
const pem = (kind: string) =>
  `-----BEGIN ${kind}-----\n${`${noise(64)}\n`.repeat(20)}-----END ${kind}-----`;

// More than those in forms.ts. They are put together here, so that tools that search for keys find none in these files.
const KEYS: Record<string, string> = {
  'AWS secret key in a file': `aws_secret_access_key = ${noise(40)}`,
  'AWS secret key in the environment': `AWS_SECRET_ACCESS_KEY=${noise(40)}`,
  'GitHub OAuth token': `gho_${noise(36)}`,
  'GitHub refresh token': `ghr_${noise(36)}`,
  'npm token in .npmrc': `//registry.npmjs.org/:_authToken=npm_${noise(36)}`,
  'Slack webhook': `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${noise(24)}`,
  'Anthropic key': `sk-ant-api03-${noise(93)}AA`,
  'OpenAI key': `sk-${noise(20)}T3BlbkFJ${noise(20)}`,
  'OpenAI project key': `sk-proj-${noise(64)}`,
  'Google service account': `{"type":"service_account","private_key":"${pem('PRIVATE KEY')}"}`,
  'JSON web token': jwt,
  'bearer token': `Authorization: Bearer ${noise(32)}`,
  'basic credentials': `Authorization: Basic ${base64('ann:correct-horse-9')}`,
  'RSA key': pem('RSA PRIVATE KEY'),
  'EC key': pem('EC PRIVATE KEY'),
  'OpenSSH key': pem('OPENSSH PRIVATE KEY'),
  'password in a Postgres address': `postgres://ann:${noise(12)}@db.example.com:5432/shop`,
  'password in a MongoDB address': `mongodb+srv://ann:${noise(12)}@cluster0.example.net/shop`,
  'password in a web address': `https://ann:${noise(12)}@example.com/repo.git`,
  'password in JSON': `{"user":"ann","password":"${noise(12)}"}`,
  'password in YAML': `password: "${noise(12)}"`,
  'client secret in TOML': `client_secret = "${noise(32)}"`,
  'API key in a .env file': `SHOP_API_KEY=${noise(24)}`,
  'exported token': `export DEPLOY_TOKEN=${noise(20)}`,
  'SendGrid key': `SG.${noise(22)}.${noise(43)}`,
  'Shopify token': `shpat_${hex(32)}`,
  'password in JSON in a text': `curl -d "{\\"password\\": \\"${noise(12)}\\"}"`,
  'password without quotes': `password: ${noise(12)}`,
  'password in a connection string': `Server=db;Password=${noise(12)};`,
  'password of curl': `curl -s -u ann:${noise(12)} https://example.com`,
  'password in a variable PASS': `DB_PASS=${noise(12)}`,
  'token in an option': `deploy --token=${noise(20)}`,
  'token in the word after an option': `deploy --auth-token ${noise(20)} --now`,
  'token in an address': `https://example.com/?token=${noise(20)}&page=2`,
  'API key in a header': `X-Api-Key: ${noise(24)}`,
  'another scheme of authorization': `Authorization: token ${noise(24)}`,
  'secret key in Python': `SECRET_KEY = '${noise(24)}'`,
  'password of words': 'password: "correct-horse-battery"',
  'secret of words': 'SESSION_SECRET=keyboardcatsandmice',
  'Linear key': `lin_api_${noise(40)}`,
  'bearer token of 16 characters': `bearer ${noise(16)}`,
  'passphrase in YAML': `passphrase: "${noise(12)}"`,
  'passwd in Python': `passwd="${noise(12)}"`,
  'access key in YAML': `access-key: "${noise(12)}"`,
  'credentials in Ruby': `credentials => '${noise(12)}'`,
  'long option of curl': `curl --user ann:${noise(12)} https://example.com`,
  'password that begins like a reference': 'password: "correct.horse-7battery"',
  ...Object.fromEntries(
    [
      ...['PASSWORD', 'PASSWD', 'PASS', 'PASSPHRASE', 'SECRET', 'TOKEN', 'CREDENTIALS'],
      ...['API_KEY', 'APIKEY', 'ACCESS_KEY', 'ACCESSKEY'],
    ].map((name) => [`words in a variable ${name}`, `MY_${name}=KeyboardCatsAndMice`]),
  ),
};

/** The part of a key that must not appear: its longest run that does not consist of words. */
const secretIn = (key: string) =>
  (key.match(/[\w+/=-]{8,}/g) ?? [])
    .filter((run) => /\d/.test(run))
    .sort((a, b) => b.length - a.length)[0] ?? key;

describe('a secret is masked', () => {
  test.each(Object.entries(KEYS))('%s', async (_, key) => {
    const text = `$ cat notes\nbefore\n${key}\nafter\n`;
    const shown = String(await one(text));
    expect(shown).toContain('***');
    expect(shown).not.toContain(secretIn(key));
    expect(shown).toMatch(/^\$ cat notes\nbefore\n[\s\S]*\nafter\n$/);
  });

  test.each(
    Object.entries({
      'mysql -pS3cretPw123 -u root': 'S3cretPw123',
      "mysqldump -u root -p'S3cret Pw!' shop": 'S3cret Pw!',
      'mariadb -uroot \\\n  -pS3cretPw123': 'S3cretPw123',
      'sshpass -p S3cretPw1 ssh ann@host': 'S3cretPw1',
      "sshpass -p 'correct horse' ssh ann@host": 'correct horse',
      'redis-cli -h cache -a S3cretPw1 ping': 'S3cretPw1',
      'docker login -u ann -p S3cretPw1 registry.example': 'S3cretPw1',
      'az login --service-principal -p S3cr~etPw1x --tenant t': 'S3cr~etPw1x',
      'az ad app update --client-secret keyboard~cats': 'keyboard~cats',
      [`aws configure set aws_secret_access_key ${noise(40)}`]: noise(40),
      'openssl rsa -passin pass:S3cretPw1': 'S3cretPw1',
      'curl -sSfu ann:correcthorse https://example.com': 'correcthorse',
      'PGPASSWORD=correcthorse psql -h db': 'correcthorse',
      'PASSWORD=ab[cd]ef12': 'ab[cd]ef12',
      'MYSQL_PWD=correcthorse mysql': 'correcthorse',
      'password=hunter2hunter': 'hunter2hunter',
      'db.password: ab(cd)ef12': 'ab(cd)ef12',
      '{"password": "ab\\"cd{ef}"}': 'cd{ef}',
      "password = 'pa<ss>wo$rd1'": 'pa<ss>wo$rd1',
      'Cookie: theme=dark; sid=s%3Aabcd1234.XYZ': 'abcd1234',
      'Set-Cookie: sid=Zx81kd92jsls; Path=/; HttpOnly': 'Zx81kd92jsls',
      "curl -s -b 'a=b; sid=Zx81kd92jsls' https://example.com": 'Zx81kd92jsls',
      'curl --cookie sid=Zx81kd92jsls https://example.com': 'Zx81kd92jsls',
      'https://ann:p@ss!w0rd#$x@example.com/x': 'ss!w0rd#$x',
      'https://3f2504e04f8941d39a0c@example.com/x': '3f2504e04f8941d39a0c',
      'Authorization: Basic YW5uOnB3': 'YW5uOnB3',
      '//npm.example/:_auth=YW5uOnB3MTIz': 'YW5uOnB3MTIz',
      'X-Vault-Token: hvs.CAESIJabcdef0123456789': 'CAESIJabcdef0123456789',
      'machine example.com login ann password S3cretPw1': 'S3cretPw1',
      'machine example.com\n  login ann\n  password correcthorse': 'correcthorse',
    }),
  )('%s', async (text, secret) => {
    const shown = await one(`before\n${text}\nafter\n`);
    expect(shown).not.toContain(secret);
    expect(shown).toMatch(/^before\n[\s\S]*\*\*\*[\s\S]*\nafter\n$/);
  });

  test('in a list of arguments', async () => {
    expect(
      await one({
        argv: ['sshpass', '-p', 'correct horse', 'ssh', '-p', '22222222', 'host'],
        run: [['deploy', '--auth-token', noise(20)]],
      }),
    ).toEqual({
      argv: ['sshpass', '-p', '***', 'ssh', '-p', '22222222', 'host'],
      run: [['deploy', '--auth-token', '***']],
    });
  });

  test('under a key that says so, with any characters', async () => {
    const login = {
      db_password: 'a "b" (c) {d}',
      clientSecret: "it's <mine>",
      password: '$PASSWORD',
    };
    expect(await one([login])).toEqual([
      { db_password: '***', clientSecret: '***', password: '$PASSWORD' },
    ]);
  });

  test('in an object by the name of its key, and everywhere else', async () => {
    const password = noise(12);
    expect(
      await one({
        command: `login --as ann ${password}`,
        env: { DB_PASSWORD: password, LANG: 'C' },
        list: [{ token: `ghp_${noise(36)}` }, 7, null, true],
      }),
    ).toEqual({
      command: 'login --as ann ***',
      env: { DB_PASSWORD: '***', LANG: 'C' },
      list: [{ token: '***' }, 7, null, true],
    });
  });

  test('completely, even if it begins with another one', async () => {
    const short = noise(10);
    const text = `password: "${short}"\npassword: "${short}-and-more"`;
    expect(await one(text)).toBe('password: "***"\npassword: "***"');
  });

  test('in the output if the input names it, and the other way round', async () => {
    const token = noise(20);
    const { values } = await masked([{ command: `export A_TOKEN=${token}` }, `said ${token}`]);
    expect(values).toEqual([{ command: 'export A_TOKEN=***' }, 'said ***']);
  });
});

describe.each(['password', 'passwd', 'passphrase', 'secret'])('a value of a %s', (name) => {
  test.each([
    ['with brackets, after a colon', `${name}: "Tr0ub{4}dor"`, `${name}: "***"`],
    ['with brackets, after an arrow', `${name} => 'Tr0ub{4}dor'`, `${name} => '***'`],
    ['of an option', `run --${name} aB3dE6gH9jK2 now`, `run --${name} *** now`],
  ])('%s', async (_, text, seen) => {
    expect(await one(text)).toBe(seen);
  });
});

/** Real files that agents read all day. */
const ORDINARY: Record<string, () => string> = {
  'a lock file with hashes': () => read('package-lock.json'),
  'a manifest of a package': () => read('package.json'),
  'source of TypeScript': () => readAll('src/sources/oauth'),
  'source that masks secrets': () => read('src/install/consent/grants.ts'),
  'source of a parser': () => read('node_modules/jsonc-parser/lib/esm/impl/scanner.js'),
  'types of node': () => read('node_modules/@types/node/crypto.d.ts'),
  'a change log': () => read('CHANGELOG.md'),
  'a log of git': () =>
    Array.from(
      { length: 40 },
      (_, at) => `commit ${hex(40)}\nAuthor: Ann <a@b.example>\n ${at}`,
    ).join('\n\n'),
  ids: () => Array.from({ length: 9 }, () => '3f2504e0-4f89-41d3-9a0c-0305e82c3301').join('\n'),
  'a picture': () => `data:image/png;base64,${noise(4000)}`,
  'code about tokens': () =>
    [
      'const token = await nextToken(tokens, index1);',
      'if (password === undefined) throw new Error("no password given");',
      'interface Auth { readonly token: string; readonly apiKey?: string }',
      'SECRET_KEY = os.environ["SECRET_KEY"]',
      `token: \${{ secrets.GITHUB_TOKEN }}`,
      'export API_KEY=$(pass show api1)',
      'password = getpass.getpass("Password: ")',
      "fetch(address, { credentials: 'same-origin' });",
      'link.crossOrigin = credentials = "use-credentials"',
      "type Token = 'identifier' | 'string_literal'; const token = 'identifier';",
      '<input type="password" name="password" id="password" data-password="password">',
      'const aliases = { password: "[type=password]" };',
      'run(VULTR_API_KEY=parser.get("default", "key"), AZURE_TOKEN=response["token"])',
      "const names = { tokens: 'budget.usedTokens', secret: 'config.app.secret' };",
      'const token = nextToken12(base64, sha256); let password = utf8Password; tokens: 1200in/400out',
      'git push -u https://example.com/a1b2/c3d4 --token-file a1b2c3d4 -u root:root',
      'authorization: authorizationHeader1, secret: Buffer64Reader | string, token_count=12345678',
      'mkdir -p /x/y1/z2/long && cp -p file12345 x && ssh -p 22222222 host && psql -p 54325432',
      'docker run -p 8080:80 nginx; mysql -p shop1234; mysqldump -p"$DB_PASSWORD" && mysql shop1 && ssh -pv22222222 host && sshpass -p $PASSWORD ssh',
      'docker login --password-stdin; redis-cli -a "$(cat /run/secrets/redis1)"; sshpass -e ssh -p 22222222 host',
      'curl -b cookies1.txt -c cookies1.txt https://example.com:8080?to=ann@example.com',
      'Set-Cookie: theme=dark; Path=/app/v1/start; Max-Age=31536000; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
      `https://\${user}:\${password}@example.com https://user:password@example.com`,
      '{"output_token": "NextToken"} password: "{utf8(password1)}" password=hash(password1, 12)',
      'Authorization: Basic authentication, _auth = createAuth2(options), machine learning password1',
      'basic configuration-options, bearer authentication.Scheme',
      'COMPASS=northnorthwest curl --url=https://example.com/index.html',
      'unexpected token 3fa85f64 at line 12; password: 2026-11-23',
    ].join('\n'),
};

describe('text without a secret stays unchanged', () => {
  test.each(Object.entries(ORDINARY))('%s', async (_, text) => {
    expect(await one(text())).toBe(text());
  });

  test('values that are not text, and no values', async () => {
    const values = [undefined, null, 7, true, [], {}, { a: [1, { b: null }] }];
    expect((await masked(values)).values).toEqual(values);
  });
});

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const readAll = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .map((name) => read(`${folder}/${name}`))
    .join('\n');

test('if the rules cannot be loaded, nothing is passed on', async () => {
  const alone = mkdtempSync(join(tmpdir(), 'redact-'));
  try {
    copyFileSync(join(ROOT, 'dist/templates/redact.cjs'), join(alone, 'redact.cjs'));
    const mask: Mask = createRequire(join(alone, 'redact.cjs'))('./redact.cjs').masked;
    const text = `x ${noise(40)}`;
    expect(await mask([text, undefined])).toEqual({
      values: ['***', undefined],
      reason: 'unmasked',
    });
  } finally {
    rmSync(alone, { recursive: true });
  }
});

test('a megabyte of text that is slow to search is searched in bounded time', async () => {
  const slow = [
    'a1'.repeat(500_000),
    'password="'.repeat(100_000),
    '://a:'.repeat(200_000),
    `-----BEGIN ${'A'.repeat(1_000_000)}`,
    'eyJ'.repeat(300_000),
    'token='.repeat(150_000),
    `token=${'1'.repeat(100)}${'-'.repeat(100)}`.repeat(5000),
    `--${'token'.repeat(200_000)}`,
    'curl -u a'.repeat(100_000),
    'authorization:'.repeat(70_000),
    'mysql -pa '.repeat(100_000),
    'curl -b a='.repeat(100_000),
    'machine a login '.repeat(60_000),
    'password="\\\\"'.repeat(90_000),
    'cookie: a='.repeat(100_000),
  ];
  for (const text of slow) expect(String(await one(text)).length).toBeLessThanOrEqual(text.length);
});

describe('a secret that a hook handles', () => {
  const token = `ghp_${noise(36)}`;
  const changes = { tool_input: { command: `login ${token}` }, toolOutput: `as ${token}` };

  test('is not read by the model', async () => {
    const context = 'in {tool_input} {input.command} out {tool_output}';
    const world = install({ whole: true, hooks: [{ event: 'post_tool_use', context }] });
    const texts = await eachAsync(async (id) => bodies(await world.told(id, 'after', changes)));
    expect(JSON.stringify(texts)).not.toContain(token);
    expect(texts).toEqual(
      all([expect.stringMatching(/^in .*login \*\*\*.* .*login \*\*\*.* out .*as \*\*\*/)]),
    );
  });

  test('is still found by a matcher', async () => {
    const world = install({
      whole: true,
      hooks: [
        {
          event: 'post_tool_use',
          matcher: { input_contains: token },
          context: 'out {tool_output}',
        },
      ],
    });
    const texts = await eachAsync(async (id) => bodies(await world.told(id, 'after', changes)));
    expect(texts).toEqual(all([expect.stringContaining('as ***')]));
  });

  test("is not given to a hook's server", async () => {
    const server = join(ROOT, 'test/support/runner/server.cjs');
    const world = install({
      whole: true,
      hooks: [
        {
          event: 'post_tool_use',
          context_tool: 'recall',
          context_tool_args: { said: 'got {tool_output}' },
        },
      ],
      server: { command: process.execPath, args: [server, '{}'] },
    });
    const texts = await eachAsync(async (id) => bodies(await world.told(id, 'after', changes)));
    expect(texts).toEqual(all([expect.stringContaining('as ***')]));
  });

  test("is masked in a tool's reply for the model and for other runners", async () => {
    const server = join(ROOT, 'test/support/runner/server.cjs');
    const world = install({
      whole: true,
      hooks: [
        {
          event: 'pre_request',
          context_tool: 'recall',
          context_tool_args: { 'the-key-is': token },
        },
      ],
      server: { command: process.execPath, args: [server, '{}'] },
    });
    const texts = await eachAsync(async (id) => bodies(await world.told(id, 'prompt')));
    expect(texts).toEqual(all([expect.stringMatching(/the-key-is.*\*\*\*/)]));
    expect(JSON.stringify(texts)).not.toContain(token);
    const kept = Object.entries(filesIn(world.state)).filter(([path]) => path.includes('.said-'));
    expect(kept.map(([, text]) => text)).toEqual(
      REPEATING.map(() => expect.stringMatching(/the-key-is.*\*\*\*/)),
    );
    expect(kept.join()).not.toContain(token);
  });

  test('is not kept in part if a reply is cut', async () => {
    const server = join(ROOT, 'test/support/runner/server.cjs');
    for (const before of [150, 160, 170]) {
      const world = install({
        whole: true,
        hooks: [
          {
            event: 'pre_request',
            context_tool: 'recall',
            context_tool_args: { said: `${'x'.repeat(before)} ${token}` },
          },
        ],
        server: { command: process.execPath, args: [server, '{}'] },
      });
      writeFileSync(join(world.state, 'policy.json'), '{ "charactersPerHook": 200 }');
      for (const id of REPEATING) await world.told(id, 'prompt');
      const kept = Object.entries(filesIn(world.state)).filter(([path]) => path.includes('.said-'));
      expect(kept.map(([, text]) => text)).toEqual(
        REPEATING.map(() => expect.stringContaining('xxx')),
      );
      expect(kept.join(), `${before}`).not.toContain(token.slice(0, 6));
    }
  });

  test('is passed on if the policy switches masking off', async () => {
    const server = join(ROOT, 'test/support/runner/server.cjs');
    const world = install({
      hooks: [
        { event: 'post_tool_use', context: '{tool_output}' },
        { event: 'pre_request', context_tool: 'recall', context_tool_args: { key: token } },
      ],
      server: { command: process.execPath, args: [server, '{}'] },
    });
    writeFileSync(join(world.state, 'policy.json'), '{ "redact": false }');
    for (const [moment, given] of [
      ['after', changes],
      ['prompt', {}],
    ] as const) {
      const texts = await eachAsync(async (id) => bodies(await world.told(id, moment, given)));
      expect(texts).toEqual(all([expect.stringContaining(token)]));
    }
  });
});
