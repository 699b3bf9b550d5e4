/** A plan as `install` and `uninstall` print it, for programs that show it to their users. */

import { type Plan, sourceInWords } from '../../install/plan.ts';
import { PLAIN_COLUMNS, type Terminal } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { librarySentence } from '../messages/sentence.ts';
import { showDeclared } from './declared.ts';
import { headed } from './lines.ts';
import { showPlan, summary } from './plan.ts';

const PLAIN: Terminal = {
  out: () => {},
  err: () => {},
  colour: false,
  tty: false,
  interactive: false,
  columns: PLAIN_COLUMNS,
  errColumns: undefined,
};

/** Everything that a user must see before the plan is carried out. */
export function described(plan: Plan): string {
  const { declared } = plan;
  const selection = { clients: [], found: {}, missing: [] };
  const shown = { plan, selection, say: librarySentence, ...(declared && { declared }) };
  const parts = [...replacement(plan), ...introduction(plan), showPlan(PLAIN, shown)];
  return [...parts, summary(shown, false)].filter(Boolean).join('\n\n');
}

const introduction = ({ declared, grants, clients }: Plan): string[] =>
  declared && grants ? [showDeclared(PLAIN, declared, { grants, clients }, librarySentence)] : [];

function replacement({ label, replaces, declared }: Plan): string[] {
  if (!replaces || !declared) return [];
  const now = inLine(sourceInWords(declared.source));
  const words = messages.replaces(label, inLine(replaces.source), now);
  return [headed(PLAIN, 'yellow', 'another source', words)];
}
