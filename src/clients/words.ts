/** Splits a long list of names, written as text with white space between them. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

export const identityMap = (text: string): Record<string, string> =>
  Object.fromEntries(words(text).map((name) => [name, name]));
