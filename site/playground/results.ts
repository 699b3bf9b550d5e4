/** What was found out, as elements. */

import { block, element, folded } from './dom.ts';
import { messages } from './messages.ts';
import type {
  Checked,
  Fired,
  FiredClient,
  Firing,
  Planned,
  PlannedClient,
  PlannedHook,
  Step,
} from './protocol.ts';

export interface Results {
  readonly element: HTMLElement;
  readonly show: (step: Step) => void;
  /** Puts a sentence in place of the steps from this one on: what is there belongs to an earlier question. */
  readonly stop: (step: Step['step'], why: string) => void;
}

export function makeResults(): Results {
  const checked = element('section', { class: 'checked' });
  const planned = element('section', { class: 'planned' });
  const fired = element('section', { class: 'fired' });
  /** Where a client's texts go. */
  const texts = new Map<string, HTMLElement>();
  const showTexts = ({ clients }: Fired) => {
    for (const one of clients) texts.get(one.id)?.replaceChildren(...textsOf(one));
  };
  return {
    element: element('div', { class: 'results' }, checked, planned, fired),
    show: (step) => {
      if (step.step === 'checked') checked.replaceChildren(...checkedParts(step.checked));
      else if (step.step === 'planned') {
        const open = openIn(planned);
        planned.replaceChildren(...plannedParts(step.planned, texts));
        for (const one of planned.querySelectorAll('details')) one.open = open.has(nameOf(one));
      } else {
        if (step.fired) showTexts(step.fired);
        fired.replaceChildren(...(step.fired ? [...errorsIn(step.fired), jsonOf(step.fired)] : []));
      }
    },
    stop: (step, why) => {
      const sentence = () => element('p', { class: 'error' }, why);
      for (const one of texts.values()) one.replaceChildren();
      fired.replaceChildren(sentence());
      if (step === 'checked') checked.replaceChildren();
      if (step !== 'fired') planned.replaceChildren();
    },
  };
}

const nameOf = (part: HTMLDetailsElement): string =>
  part.querySelector('summary')?.textContent ?? '';

/** What the reader has opened, which stays open when it is shown anew. */
const openIn = (part: HTMLElement): Set<string> =>
  new Set([...part.querySelectorAll('details')].filter(({ open }) => open).map(nameOf));

const heading = (text: string): HTMLElement => element('h2', {}, text);

const errorsIn = ({ errors }: { readonly errors: readonly string[] }): HTMLElement[] =>
  errors.map((one) => element('p', { class: 'error' }, one));

const jsonOf = ({ command, json }: { readonly command: string; readonly json: string }) =>
  folded(messages.asJson(command), block(json, command));

function checkedParts(checked: Checked): HTMLElement[] {
  const { problems, errors, hidden } = checked;
  const found = problems.map(({ level, place, message }) =>
    element(
      'li',
      { class: level },
      ...[element('b', {}, level), ' ', element('span', { class: 'place' }, place), ` ${message}`],
    ),
  );
  const isFine = found.length + errors.length === 0;
  return [
    heading(messages.validate),
    ...errorsIn(checked),
    ...(isFine ? [element('p', {}, messages.valid)] : []),
    ...(found.length > 0 ? [element('ul', { class: 'problems' }, ...found)] : []),
    ...hidden.flatMap(({ line, text }) => [
      element('p', {}, messages.hidden(line)),
      block(text, messages.hidden(line)),
    ]),
    jsonOf(checked),
  ];
}

function plannedParts(planned: Planned, texts: Map<string, HTMLElement>): HTMLElement[] {
  const { clients } = planned;
  texts.clear();
  return [
    heading(messages.clients),
    ...errorsIn(planned),
    ...(clients.length > 0
      ? [
          element('p', {}, messages.needs(planned)),
          ...(planned.asks ? [element('p', {}, messages.notHere)] : []),
        ]
      : []),
    ...clients.map((client) => {
      const read = element('div', { class: 'read' });
      texts.set(client.id, read);
      return clientPart(client, read);
    }),
    jsonOf(planned),
  ];
}

const clientPart = ({ id, name, hooks, file, diff }: PlannedClient, read: HTMLElement) =>
  element(
    'section',
    { class: 'client', 'data-client': id, 'aria-label': name },
    element('h3', {}, name),
    element('ul', { class: 'hooks' }, ...hooks.map(hookPart)),
    read,
    diff === ''
      ? element('p', {}, messages.noEntry)
      : folded(messages.entry(file), block(diff, messages.entry(file))),
  );

const hookPart = ({ number, event, grade, when, notes }: PlannedHook): HTMLElement =>
  element(
    'li',
    {},
    element('b', { class: `grade ${grade}` }, grade),
    ` ${messages.hook(number)}, `,
    element('code', {}, event),
    `: ${when}`,
    ...notes.map((note) => element('small', {}, note)),
  );

function textsOf({ name, firings, obstacles }: FiredClient): HTMLElement[] {
  return [
    ...firings.flatMap((one) => firingParts(one, name)),
    ...obstacles.map((one) => element('p', { class: 'why' }, one)),
  ];
}

function firingParts(firing: Firing, client: string): HTMLElement[] {
  const { text, decided, why } = firing;
  const label = `${client}: ${messages.modelReads}`;
  return [
    element('h4', {}, messages.fired(firing)),
    ...(decided?.how === 'blocked'
      ? [element('p', {}, messages.isBlocked), block(decided.reason, messages.isBlocked)]
      : []),
    ...(decided && decided.how !== 'blocked' ? [element('p', {}, messages.isChanged)] : []),
    ...(text !== undefined && text !== decided?.reason
      ? [element('p', {}, `${messages.modelReads}:`), block(text, label)]
      : []),
    ...(text === undefined && !decided ? [element('p', {}, messages.nothingRead)] : []),
    ...why.map(({ number, message }) =>
      element('p', { class: 'why' }, messages.because(number, message)),
    ),
  ];
}
