/** What the reader types and chooses. */

import samples from 'mcp-hooks:samples';
import { element, labelled, option } from './dom.ts';
import { messages } from './messages.ts';
import type { Choices, Question } from './protocol.ts';

/** Milliseconds after the last key before the declaration is tried. */
const PAUSE = 150;

export interface Form {
  readonly elements: readonly HTMLElement[];
  readonly question: () => Question;
  /** Puts a question into the controls. */
  readonly show: (question: Question) => void;
  /** Fills in what there is to choose from. */
  readonly offer: (choices: Choices) => void;
  /** The events of the declaration, which come first, and the one that happens if none is chosen. */
  readonly prefer: (events: readonly string[], usual: string) => void;
}

const EMPTY: Question = {
  ...{ text: '', event: '', tool: '', input: '', prompt: '', failed: false, times: 1, allow: [] },
};

/** For a page that was opened without a link. */
export const FIRST: Question = {
  ...EMPTY,
  text: samples['commit-reminder.json'] ?? Object.values(samples)[0] ?? '',
};

/**
 * @param onTyped Called with every change.
 * @param onPause Called when something is to be tried, soon after the last change.
 */
export function makeForm(onTyped: () => void, onPause: () => void): Form {
  const plain = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' };
  const sample = element('select');
  const text = element('textarea', { ...plain, rows: '20', wrap: 'off' });
  const event = element('select');
  const tool = element('input', { ...plain, type: 'text', placeholder: 'Bash' });
  const input = element('input', { ...plain, type: 'text', placeholder: '{"command":"git push"}' });
  const prompt = element('input', { ...plain, type: 'text' });
  const failed = element('input', { type: 'checkbox' });
  const times = element('input', { type: 'number', min: '1', max: '50', value: '1' });
  const grants = element('fieldset', {}, element('legend', {}, messages.allowed));
  const boxes = new Map<string, HTMLInputElement>();
  let choices: Choices | undefined;
  let wished = EMPTY;

  sample.append(option('', messages.ownText), ...Object.keys(samples).map((name) => option(name)));
  const ofCall = [
    labelled(tool, messages.tool, messages.toolHelp),
    labelled(input, messages.input),
    labelled(failed, messages.failed),
  ];
  const ofPrompt = [labelled(prompt, messages.prompt)];

  const question = (): Question => ({
    ...{ text: text.value, event: event.value, tool: tool.value.trim() },
    ...{ input: input.value.trim(), prompt: prompt.value, failed: failed.checked },
    times: Math.min(50, Math.max(1, Math.trunc(Number(times.value)) || 1)),
    allow: choices
      ? [...boxes].flatMap(([grant, box]) => (box.checked ? [grant] : []))
      : wished.allow,
  });
  const show = (next: Question) => {
    wished = next;
    text.value = next.text;
    [tool.value, input.value, prompt.value] = [next.tool, next.input, next.prompt];
    failed.checked = next.failed;
    times.value = String(next.times);
    for (const [grant, box] of boxes) box.checked = next.allow.includes(grant);
    if (![...event.options].some(({ value }) => value === next.event))
      event.append(option(next.event));
    event.value = next.event;
    const [name] = Object.entries(samples).find(([, one]) => one === next.text) ?? [''];
    sample.value = name;
    fit();
  };
  /** Hides what the event has nothing to do with. */
  const fit = () => {
    const about = event.value || usually;
    for (const one of ofCall) one.hidden = !(choices?.toolEvents.includes(about) ?? true);
    for (const one of ofPrompt) one.hidden = !(choices?.promptEvents.includes(about) ?? false);
  };
  let preferred: readonly string[] = [];
  let usually = '';
  const listEvents = () => {
    const chosen = event.value;
    const others = choices?.events.filter((one) => !preferred.includes(one)) ?? [];
    const all = [...preferred, ...others];
    event.replaceChildren(option('', messages.firstEvent), ...all.map((one) => option(one)));
    event.value = all.includes(chosen) ? chosen : '';
    fit();
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    fit();
    onTyped();
    timer = setTimeout(onPause, PAUSE);
  };
  for (const one of [text, event, tool, input, prompt, failed, times])
    one.addEventListener('input', soon);
  text.addEventListener('input', () => {
    sample.value = '';
  });
  grants.addEventListener('input', soon);
  sample.addEventListener('input', () => {
    const chosen = samples[sample.value];
    if (chosen === undefined) return;
    show({ ...EMPTY, text: chosen });
    soon();
  });

  return {
    elements: [
      labelled(sample, messages.sample),
      labelled(text, messages.declaration, messages.declarationHelp),
      element(
        'fieldset',
        {},
        element('legend', {}, messages.happens),
        labelled(event, messages.event),
        ...ofCall,
        ...ofPrompt,
        labelled(times, messages.times),
      ),
      grants,
    ],
    question,
    show,
    offer: (offered) => {
      if (choices) return;
      choices = offered;
      for (const grant of offered.grants) {
        const box = element('input', { type: 'checkbox' });
        box.checked = wished.allow.includes(grant);
        boxes.set(grant, box);
        grants.append(labelled(box, grant));
      }
      grants.append(element('small', {}, messages.allowedHelp));
      listEvents();
    },
    prefer: (events, usual) => {
      preferred = events;
      usually = usual;
      listEvents();
    },
  };
}
