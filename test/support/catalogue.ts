/** Shared by the catalogue's tests: which tools of its server an entry names. */
import type { CatalogueEntry } from '../../src/sources/catalogue/catalogue.ts';

export interface NamedTool {
  readonly name: string;
  /** Present where a hook calls it. */
  readonly args?: Readonly<Record<string, unknown>>;
}

/** The file recorded from a real server, or from its source. */
export interface RecordedTools {
  /** As in the catalogue: `read` means read and not run. */
  readonly how: CatalogueEntry['checked']['how'];
  /** With the commit, where it was not installed from a registry. */
  readonly source: string;
  /** The library that was replaced by an empty one when it was asked. Its tools do not depend on it. */
  readonly standIn?: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema?: unknown }[];
}

interface Declared {
  readonly context?: string;
  readonly context_tool?: string;
  readonly context_tool_args?: Readonly<Record<string, unknown>>;
  readonly matcher?: { readonly tool_name?: string };
}

export const toolsNamed = ({ hooks }: CatalogueEntry): NamedTool[] =>
  hooks.declarations.flatMap((hook: Declared) => {
    const { context = '', context_tool: name, context_tool_args: args = {}, matcher } = hook;
    const text = `${context} ${matcher?.tool_name ?? ''}`;
    return [
      ...Array.from(text.matchAll(/mcp__\{server\}__([\w-]+)/g), ([, tool = '']) => ({
        name: tool,
      })),
      ...(name === undefined ? [] : [{ name, args }]),
    ];
  });
