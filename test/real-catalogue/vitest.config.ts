import { mergeConfig } from 'vitest/config';
import servers from '../real-servers/vitest.config.ts';

// The catalogue servers that npm has. Each test installs one of them, which may take minutes, so CI does not run them.
const HERE = import.meta.dirname;

export default mergeConfig(servers, {
  test: { root: HERE, env: { HOME: HERE }, testTimeout: 600_000 },
});
