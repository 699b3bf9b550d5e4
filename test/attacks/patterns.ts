/**
 * Every regular expression of the project: literals and `new RegExp` in the code, parsed by TypeScript itself; those that the rules
 * for secrets make when they are loaded; and strings in the clients' data that become expressions.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from '@typescript/typescript6';
import { CLIENTS } from '../../src/clients/registry.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly where: string;
}

/** Replaces a part of an expression that is known only at run time: escaped text, or the inside of `[]`. */
const UNKNOWN = 'a-z';

export function patterns(): Pattern[] {
  const all = [
    ...filesIn('src').flatMap(inCode),
    ...filesIn('templates').flatMap(inCode),
    ...made('templates/secrets.cts'),
    ...inData(),
  ];
  const seen = new Map<string, Pattern>();
  for (const one of all) {
    const key = keyOf(one);
    const other = seen.get(key);
    const isKnown = other?.where.split(', ').includes(one.where);
    const where = other && !isKnown ? `${other.where}, ${one.where}` : one.where;
    seen.set(key, { ...one, where });
  }
  return [...seen.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

export const keyOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`;

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|cts|cjs)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function inCode(file: string): Pattern[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  const found: Pattern[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
    ts.forEachChild(node, collect);
  };
  collect(tree);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), where: file });
    }
    if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === 'RegExp'
    ) {
      const [pattern, flags] = node.arguments ?? [];
      const source = textIn(pattern, constants);
      const known = flags && ts.isStringLiteralLike(flags) ? flags.text : '';
      if (source !== UNKNOWN) found.push({ source, flags: known, where: file });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found.filter(isValid);
}

/** The parts of a text that are known before the code runs. */
function textIn(
  node: ts.Expression | undefined,
  constants: ReadonlyMap<string, ts.Expression>,
  depth = 0,
): string {
  const value = (one: ts.Expression) => textIn(one, constants, depth + 1);
  if (node === undefined || depth > 9) return UNKNOWN;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map((span) => value(span.expression) + span.literal.text).join('')
    );
  if (ts.isTaggedTemplateExpression(node) && ts.isNoSubstitutionTemplateLiteral(node.template))
    return node.template.rawText ?? node.template.text;
  if (ts.isParenthesizedExpression(node)) return value(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return value(node.left) + value(node.right);
  if (ts.isIdentifier(node)) {
    const known = constants.get(node.text);
    return known === undefined ? UNKNOWN : value(known);
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') {
    const of = ts.isIdentifier(node.expression) ? constants.get(node.expression.text) : undefined;
    if (of && ts.isRegularExpressionLiteral(of)) return of.text.slice(1, of.text.lastIndexOf('/'));
  }
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'join' &&
    ts.isArrayLiteralExpression(node.expression.expression)
  )
    return node.expression.expression.elements.map(value).join(value(node.arguments[0] ?? node));
  return UNKNOWN;
}

/** The expressions that a module makes when it is loaded. */
function made(file: string): Pattern[] {
  const found: Pattern[] = [];
  class Seen extends RegExp {
    constructor(source: string | RegExp, flags?: string) {
      super(source, flags);
      found.push({ source: this.source, flags: this.flags, where: file });
    }
  }
  const built = join(ROOT, 'dist', file.replace(/cts$/, 'cjs'));
  const text = readFileSync(built, 'utf8');
  new Function('module', 'exports', 'require', 'RegExp', text)(
    { exports: {} },
    {},
    undefined,
    Seen,
  );
  return found;
}

/** Strings in the data that could be used as an expression. */
function inData(): Pattern[] {
  const found: Pattern[] = [];
  const visit = (value: unknown, where: string): void => {
    if (typeof value === 'string' && /[\\[(*+?^$]/.test(value))
      found.push({ source: value, flags: '', where });
    if (value instanceof RegExp) found.push({ source: value.source, flags: value.flags, where });
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) visit(inner, where);
  };
  for (const client of Object.values(CLIENTS)) visit(client, `src/clients/${client.id}`);
  return found.filter(isValid);
}

function isValid({ source, flags }: Pattern): boolean {
  try {
    return new RegExp(source, flags).source !== '';
  } catch {
    return false;
  }
}
