/**
 * The findings of `validate` as code scanning reads them: SARIF 2.1.0.
 *
 * Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */

import { pathToFileURL } from 'node:url';
import type { Problem } from '../../declaration/declared.ts';
import { isInside, pathIn } from '../../system/files.ts';
import { inLine } from '../../system/visible.ts';
import { helpFor, titleOf } from '../messages/codes.ts';
import { sentence } from '../messages/sentence.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const HOME = 'https://github.com/mcp-hooks/mcp-hooks';

interface SarifOptions {
  /** Absolute path of the file. */
  readonly file: string;
  readonly cwd: string;
  /** The version of mcp-hooks. */
  readonly version: string;
}

export function sarif(problems: readonly Problem[], { file, cwd, version }: SarifOptions): object {
  const codes = [...new Set(problems.map(({ message }) => message.code))].sort();
  const uri = addressOf(file, cwd);
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'mcp-hooks',
            version,
            informationUri: HOME,
            rules: codes.map((code) => ({
              id: code,
              shortDescription: { text: titleOf(code) },
              helpUri: helpFor(code),
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: problems.map(({ level, message, line, column }) => ({
          ruleId: message.code,
          ruleIndex: codes.indexOf(message.code),
          level,
          message: { text: inLine(sentence(message), Infinity) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri },
                ...(line !== undefined && {
                  region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
                }),
              },
            },
          ],
        })),
      },
    ],
  };
}

/** Relative to the working directory, which in CI is the repository. Files elsewhere get a full URL. */
function addressOf(file: string, cwd: string): string {
  if (!isInside(file, cwd)) return pathToFileURL(file).href;
  return pathIn(file, cwd).split('/').map(encodeURIComponent).join('/');
}
