/** `node:http` and `node:https` for the runner: the page asks no server, as if there were no network. */

export class Agent {
  destroy(): void {}
}

export function request({ host = '' }: { readonly host?: string } = {}): never {
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
    ...{ code: 'ENOTFOUND', syscall: 'getaddrinfo' },
  });
}

export default { Agent, request };
