import { mergeConfig } from 'vitest/config';
import servers from '../real-servers/vitest.config.ts';

// The servers of the catalogue that npm has. Each test installs one of them, which may take minutes, so no CI runs this.
const HERE = import.meta.dirname;

export default mergeConfig(servers, {
  test: { root: HERE, env: { HOME: HERE }, testTimeout: 600_000 },
});
