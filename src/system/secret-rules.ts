/** Finds secrets in a text with secretlint's rules. In a file of its own, which the hook runner loads if there may be a secret. */

import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

const rules = [{ id: 'recommended', rule: creator, options: {} }];

/** The secrets themselves, each as it is in the text. @throws when a rule fails. */
export async function find(text: string): Promise<string[]> {
  const { messages } = await lintSource({
    source: { filePath: 'text', content: text, contentType: 'text' },
    options: { config: { rules }, noPhysicFilePath: true },
  });
  return messages.flatMap(({ data, range: [from, to] }) => {
    const found = Object.entries(data ?? {}).flatMap(([name, value]) =>
      // The names of kinds are in lower case, such as `typeName`.
      typeof value === 'string' && /^[A-Z]/.test(name) ? [value] : [],
    );
    return found.length > 0 ? found : [text.slice(from, to)];
  });
}
