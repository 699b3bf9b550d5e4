// Values whose names mark them as secrets are masked in any form, except for placeholders.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GIVEN } from './given.ts';

const load = createRequire(join(import.meta.dirname, '../../dist/templates/redact.cjs'));
const { masked, mayHoldSecrets } = load('./redact.cjs');
const one = async (value: unknown) => (await masked([value])).values[0];

describe.each(Object.entries(GIVEN))('%s', (_, texts) => {
  test.each(texts)('%s', async (text, secret) => {
    const shown = await one(`before\n${text}\nafter\n`);
    expect(shown).not.toContain(secret);
    expect(shown).toMatch(/^before\n[\s\S]*\*\*\*[\s\S]*\nafter\n$/);
  });
});

test('a list of variables', async () => {
  const list = (value: string) => [
    { name: 'DB_PASSWORD', value },
    { key: 'token', value: 'aB3dE6gH9jK2' },
    { name: 'LANG', value: 'C.UTF-8' },
  ];
  expect(await one({ env: list('correcthorse') })).toEqual({
    env: [
      { name: 'DB_PASSWORD', value: '***' },
      { key: 'token', value: '***' },
      { name: 'LANG', value: 'C.UTF-8' },
    ],
  });
});

test('a short word is masked only next to its name', async () => {
  expect(await one('password: keycloak\nkeycloak starts')).toBe('***\nkeycloak starts');
});

test('sentences and code are known to have no secret without a search', () => {
  const text = `Yes. No: this.r.s. Bypass the keys of two tokens; a password is passed on, basically.\n`;
  expect(mayHoldSecrets([{ text }])).toBe(false);
  expect(mayHoldSecrets([{ text: `${text}PASSWORD=correcthorse` }])).toBe(true);
});

/** Placeholders for secrets, places where they are, and mentions of them. */
const STANDING_IN = String.raw`
--token=$X --token=${'$'}{X} --token="$TOKEN" --password=$(pass x) --token=$env:TOKEN --token $env:TOKEN --api-key=env:API_KEY
--token=<your-token> --token=YOUR_TOKEN --token=your-token-here --api-key=******** --api-key=xxxxxxxx --api-key=API_KEY
  --password <password>  The password to use
  --token string   Authentication token
  --api-key API_KEY  the key
use --password followed by it, --token authentication, --password-stdin, --credentials-file a1b2c3d4
--password-file /run/secrets/x1y2z3 --token-file=/var/run/token1 password_file=/run/secrets/db_password
api_key: YOUR_API_KEY
X-Api-Key: your_api_key_here
X-Api-Key: <key>
X-Api-Key: string
X-Api-Key: header name of the key
Idempotency-Key: create-an-order
Surrogate-Key: product-page
api_key: undefined
password: true
password: required
password: null
password: string
password: "string"
password: !vault |
password: !Ref DbPassword
password: \${{ secrets.DB_PASSWORD }}
password: "{{ db_password }}"
token: ((my-token))
secret: /run/secrets/db_password
secret: my-secret-name
api_key: op://vault/item/field
token: github.token
GITHUB_TOKEN: github.token
API_KEY: z.string()
secretName: my-database-secret
secretKeyRef:
  name: my-secret
  key: password1
  token: string
  token: uint256
  secret: Uint8Array
  password: hashedPassword,
password: Joi.string().min(8)
password: z.string()
api_key: str = None
token: Optional[str] = None
password: process.env.PASSWORD
password=hashPassword(raw)
connect(user=user, password=entered, token=received)
const password=entered;
const password = req.body.password;
const SECRET_KEY = readFileSync(path)
const apiKey = config.apiKey;
apiKey: config.apiKey
token: TokenKind.Identifier
secret: crypto.randomBytes(32)
if (token === expected) {
document.querySelector("#password")
key: "token", value: "identifier"
params.append({"Key": "Password", "Value": share_password})
params.append({"Key": "password", "Value": module.params["share"]})
access_key = var.access_key
password = random_password.db.result
{ "password": "Enter your password", "secret": "This must be at least 8 characters!" }
tokens: 1200000 max_tokens=12345678 "token_type": "bearer"
<Password>Password</Password> <input type="password" value="password">
curl -u "$USER:$PASSWORD" -H "Authorization: Bearer $TOKEN" -H "Authorization: Token ${'$'}{TOKEN}"
zip -r x.zip folder1234; ssh-keygen -t ed25519 -f key12345; openssl dgst -sha256 file12345; mongosh --port 27017 shop1234
`;

/** Hashes and ids, which are not secret. */
const HASHES = `
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
index 83db48f..bf2a6a1 100644
"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
id: 3f2504e0-4f89-41d3-9a0c-0305e82c3301
ETag: "33a64df551425fcc55e4d42a148795d9f25f0d2a"
key: v1-node-modules-9fceb02d0ae598e95dc970b74767f19372d61af8
`;

test.each([
  ['a placeholder for a secret', STANDING_IN],
  ['hashes and ids', HASHES],
])('%s stays', async (_, text) => {
  const shown = String(await one(text)).split('\n');
  expect(text.split('\n').filter((line, at) => shown[at] !== line)).toEqual([]);
  expect(shown.join('\n')).toBe(text);
});
