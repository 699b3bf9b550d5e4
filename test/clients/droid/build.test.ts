import { test } from '../../support/world.ts';

// 0.215.0 refuses another marketplace in a folder of the same name: "is already registered from a different source".
test('build says that a second marketplace needs a folder of another name', async ({
  world,
  expect,
}) => {
  const declarations = [{ event: 'pre_request', context: 'Hello.', priority: 'suggestion' }];
  await world.write('annal.json', JSON.stringify({ name: 'annal', hooks: { declarations } }));
  const { code, out } = await world.run('build annal.json --out out --target droid');
  expect(code).toBe(0);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'Note: it names a marketplace after its folder, and takes only one of each name',
  );
});
