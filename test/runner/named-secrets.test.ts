// Values whose names say that they are secrets: masked whatever they look like, unless they only stand for one.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const load = createRequire(join(import.meta.dirname, '../../dist/templates/redact.cjs'));
const { masked, mayHoldSecrets } = load('./redact.cjs');
const one = async (value: unknown) => (await masked([value])).values[0];

/** Texts, each with the secret in it. They are written as programs, formats and shells want them. */
const GIVEN: Record<string, readonly (readonly [text: string, secret: string])[]> = {
  'an option': [
    ['deploy --token=abcDEF123456789', 'abcDEF123456789'],
    ['deploy --token=correcthorsebattery', 'correcthorsebattery'],
    ['deploy --api-key=correcthorsebattery', 'correcthorsebattery'],
    ['wget --password=S3cretpass https://example.com', 'S3cretpass'],
    ['wget --http-password=correcthorse https://example.com', 'correcthorse'],
    ['mysql --password=hunter2', 'hunter2'],
    ['x --password=Tr0ub4dor&3x', '3x'],
    ["x --password='Tr0ub4dor&3x'", '3x'],
    ["x --password 'Tr0ub4dor&3x y'", '3x y'],
    ['x --password "correct horse"', 'correct horse'],
    ['x --password correcthorse', 'correcthorse'],
    ["x --password=$'Tr0ub4dor3x'", 'Tr0ub4dor3x'],
    [String.raw`x --password=\"Tr0ub4dor&3x\"`, '3x'],
    ['java -Dspring.datasource.password=correcthorse -jar x', 'correcthorse'],
    ['keytool -list -storepass correcthorse', 'correcthorse'],
    ['gpg --batch --passphrase correcthorse -c x', 'correcthorse'],
    ['terraform apply -var db_password=correcthorse', 'correcthorse'],
    ['helm install x --set auth.password=correcthorse', 'correcthorse'],
    ['kubectl create secret generic x --from-literal=password=correcthorse', 'correcthorse'],
    ["Connect-It -Password 'Correct1horse'", 'Correct1horse'],
  ],
  'an option of one program': [
    ['curl -u ann:hunter2 https://example.com', 'hunter2'],
    ['curl --proxy-user ann:correcthorse https://example.com', 'correcthorse'],
    ['curl -U ann:correcthorse https://example.com', 'correcthorse'],
    ['curl --oauth2-bearer abcDEF123456789 https://example.com', 'abcDEF123456789'],
    ['http -a ann:correcthorse https://example.com', 'correcthorse'],
    ['openssl enc -k correcthorse -in x', 'correcthorse'],
    ['ssh-keygen -t ed25519 -N correcthorse -f x', 'correcthorse'],
    ['ldapsearch -D cn=x -w correcthorse -b dc=x', 'correcthorse'],
    ['smbclient -U ann%correcthorse //host/share', 'correcthorse'],
    ['mongosh -u ann -p correcthorse', 'correcthorse'],
    ['sqlcmd -S db -U sa -P Correct1horse', 'Correct1horse'],
    ['7z a -pcorrecthorse x.7z', 'correcthorse'],
    ['zip -P correcthorse x.zip y', 'correcthorse'],
    ['htpasswd -b file ann correcthorse', 'correcthorse'],
    ['vault login correcthorse1234', 'correcthorse1234'],
    ['setx API_KEY correcthorsebattery', 'correcthorsebattery'],
    ["ConvertTo-SecureString 'Correct Horse' -AsPlainText -Force", 'Correct Horse'],
    ['docker run x \\\n  curl -u ann:correcthorse https://example.com', 'correcthorse'],
  ],
  'a header': [
    ['X-Api-Key: NameOfSomething', 'NameOfSomething'],
    ['X-Api-Key: correcthorsebattery', 'correcthorsebattery'],
    ["curl -H 'X-Api-Key: correcthorsebattery' https://x", 'correcthorsebattery'],
    ['curl -H "PRIVATE-TOKEN: abcdefghijklmnop" https://x', 'abcdefghijklmnop'],
    ['Authorization: Bearer correcthorsebatterystaple', 'correcthorsebatterystaple'],
    ['Authorization: Bearer abc123', 'abc123'],
    ['curl x \\\n  -H "Authorization: Token abcdefghij1234567"', 'abcdefghij1234567'],
    ['Proxy-Authorization: Basic YW5uOnB3', 'YW5uOnB3'],
    ['Cookie: session=abcdefghijklmnop', 'abcdefghijklmnop'],
    ['document.cookie = "sid=Zx81kd92jsls"', 'Zx81kd92jsls'],
  ],
  'an address, a form or a connection': [
    ['https://example.com/?password=hunter2hunter&x=1', 'hunter2hunter'],
    ['https://example.com/?api_key=hunter2hunter&x=1', 'hunter2hunter'],
    ['https://example.com/?access_token=abcDEF123456789', 'abcDEF123456789'],
    ['https://example.com/?key=AbcDEF123456789zz&x=1', 'AbcDEF123456789zz'],
    ['https://example.com/?a=1&client_secret=correcthorsebattery', 'correcthorsebattery'],
    ['grant_type=password&username=ann&password=S3cr%26tpw', 'S3cr%26tpw'],
    ["curl -d 'password=correct%20horse1' https://x", 'correct%20horse1'],
    ['next=%2F%3Fpassword%3DTr0ub4dor3x', 'Tr0ub4dor3x'],
    ["psql 'host=db user=ann password=correcthorse dbname=x'", 'correcthorse'],
    ['jdbc:mysql://db/x?user=ann&password=correcthorse', 'correcthorse'],
    ['jdbc:sqlserver://db;user=sa;password=Correct1.Horse;', 'Correct1.Horse'],
  ],
  'a variable': [
    ["PGPASSWORD='correct horse' psql", 'correct horse'],
    ['export PGPASSWORD="correct horse"', 'correct horse'],
    [`export DB_PASSWORD='it is a "long" one'`, 'it is a "long" one'],
    ["JWT_SECRET='correct horse battery'", 'correct horse battery'],
    ['SECRET_KEY_BASE=0123456789abcdef0123456789abcdef', '0123456789abcdef'],
    ["$env:API_KEY = 'correcthorsebattery'", 'correcthorsebattery'],
    ['set API_KEY=correcthorsebattery', 'correcthorsebattery'],
    [`cat > .env <<'EOF'\nTOKEN="it's mine"\nEOF`, "it's mine"],
    ['docker run -e POSTGRES_PASSWORD=root1 postgres', 'root1'],
  ],
  settings: [
    ['api_key: hunter2abc', 'hunter2abc'],
    ['api-key: correcthorse1', 'correcthorse1'],
    ['Password: correcthorse', 'correcthorse'],
    ['password: Tr0ub4dor&3x # of the database', '3x'],
    ['stringData:\n  password: correcthorse', 'correcthorse'],
    ['password: |\n  correcthorse\nuser: x', 'correcthorse'],
    ['API_TOKEN: correcthorsebattery', 'correcthorsebattery'],
    ['+api_key: hunter2abc', 'hunter2abc'],
    ['- name: DB_PASSWORD\n  value: correcthorse', 'correcthorse'],
    ['{"name":"DB_PASSWORD","value":"correcthorse"}', 'correcthorse'],
    ['<password>correcthorse</password>', 'correcthorse'],
    ['<apiKey>abcDEF123456789</apiKey>', 'abcDEF123456789'],
    ['<add key="Password" value="correcthorse" />', 'correcthorse'],
    ['{"password":"correct horse battery"}', 'correct horse battery'],
    [String.raw`{"password":"it's \"mine\" 1"}`, 'mine'],
    ['"pass": "Tr0ub4dor3x"', 'Tr0ub4dor3x'],
    ['pwd=Tr0ub4dor3x;', 'Tr0ub4dor3x'],
  ],
};

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

test('sentences and code are known to have none without a search', () => {
  const text = `Yes. No: this.r.s. Bypass the keys of two tokens; a password is passed on, basically.\n`;
  expect(mayHoldSecrets([{ text }])).toBe(false);
  expect(mayHoldSecrets([{ text: `${text}PASSWORD=correcthorse` }])).toBe(true);
});

/** What only stands for a secret, says where it is, or speaks of one. */
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

/** Hashes and ids, which say nothing. */
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
  ['what stands for a secret', STANDING_IN],
  ['hashes and ids', HASHES],
])('%s stays', async (_, text) => {
  const shown = String(await one(text)).split('\n');
  expect(text.split('\n').filter((line, at) => shown[at] !== line)).toEqual([]);
  expect(shown.join('\n')).toBe(text);
});
