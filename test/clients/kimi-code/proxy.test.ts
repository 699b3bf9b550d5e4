// What Kimi Code 2.1.0 gives its servers behind a proxy, as recorded: a server wrote down its variables.
import { expect, test } from 'vitest';
import { runnerCode } from '../../../src/system/runner-code.ts';
import { clientOf } from '../../support/runner/clients.ts';

const ONE = 'http://127.0.0.1:9';
const LOOPBACK = 'localhost,127.0.0.1,::1,[::1]';
const http = { HTTP_PROXY: ONE, http_proxy: ONE };
const https = { HTTPS_PROXY: ONE, https_proxy: ONE };
const except = (hosts: string) => ({ NO_PROXY: hosts, no_proxy: hosts, NODE_USE_ENV_PROXY: '1' });

test.each<[environment: Record<string, string>, given: Record<string, string>]>([
  [{}, {}],
  [{ http_proxy: ONE }, { ...http, ...except(LOOPBACK) }],
  [
    { HTTPS_PROXY: ONE, NO_PROXY: '127.0.0.1,localhost' },
    { ...https, ...except('127.0.0.1,localhost,::1,[::1]') },
  ],
  [
    { HTTPS_PROXY: 'http://other', https_proxy: ONE },
    { ...https, ...except(LOOPBACK) },
  ],
  [
    { HTTPS_PROXY: '  ', HTTP_PROXY: ONE },
    { ...http, HTTPS_PROXY: '  ', ...except(LOOPBACK) },
  ],
  [{ ALL_PROXY: ONE }, { ALL_PROXY: ONE, ...http, ...https, ...except(LOOPBACK) }],
  [
    { all_proxy: 'socks5://127.0.0.1:7', NO_PROXY: 'x, y ,' },
    { all_proxy: 'socks5://127.0.0.1:7', NO_PROXY: 'x, y ,' },
  ],
  [
    { HTTPS_PROXY: ONE, NO_PROXY: '*' },
    { ...https, ...except('*') },
  ],
  [
    { HTTPS_PROXY: ONE, NO_PROXY: 'up', no_proxy: 'low' },
    { ...https, ...except(`low,${LOOPBACK}`) },
  ],
])('%j', (environment, given) => {
  const { givenToServers } = clientOf('kimi-code');
  expect(runnerCode('./call.cjs').variablesFor(givenToServers, environment, '/').inherited).toEqual(
    given,
  );
});
