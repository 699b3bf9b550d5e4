/** What a server says when it wants somebody to sign in. */

import type { AuthProvider } from '@modelcontextprotocol/client';

export interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

type Refusal = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0];

export async function challengeIn({ response }: Refusal): Promise<Challenge> {
  const { extractWWWAuthenticateParams } = await import('../protocol/mcp-client.ts');
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope && { scope }) };
}
