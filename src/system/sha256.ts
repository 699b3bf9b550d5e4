/**
 * SHA-256 of a text, as 64 hexadecimal digits. `node:crypto` is loaded when it is first needed: that takes a sixth of the
 * time in which node starts, and most commands need no hash of this kind.
 */
export const sha256 = (text: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
