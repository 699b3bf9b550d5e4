/** The playground: fills the page's `<div id="playground">`. Its files are next to this one. */

import { Asker, PATIENCE } from './asker.ts';
import { element } from './dom.ts';
import { FIRST, makeForm } from './form.ts';
import { fromLink, toLink } from './link.ts';
import { messages } from './messages.ts';
import { type Step, LAST } from './protocol.ts';
import { makeResults } from './results.ts';

const STEPS: readonly Step['step'][] = ['checked', 'planned', LAST];

function start(place: HTMLElement): void {
  const status = element('p', { role: 'status', class: 'status' }, messages.loading);
  const copied = element('span', { role: 'status' });
  const copy = element('button', { type: 'button' }, messages.copy);
  const results = makeResults();
  const found = { valid: false, hooks: 0, clients: 0 };
  /** The step that is waited for. */
  let next: Step['step'] = 'checked';
  const say = (text: string) => {
    status.textContent = text;
  };

  const asker = new Asker(new URL('./worker.js', import.meta.url), {
    ready: (choices) => form.offer(choices),
    step: (step) => {
      results.show(step);
      next = STEPS[STEPS.indexOf(step.step) + 1] ?? 'checked';
      if (step.step === 'checked')
        Object.assign(found, { valid: step.checked.valid, hooks: step.checked.hooks });
      if (step.step === 'planned') {
        found.clients = step.planned.clients.length;
        form.prefer(step.planned.events);
      }
      if (step.step === LAST) say(messages.done(found.hooks, found.valid, found.clients));
      place.dataset.step = step.step;
    },
    stopped: () => {
      const why = messages.stopped(PATIENCE / 1000);
      results.stop(next, why);
      say(why);
      place.dataset.step = 'stopped';
    },
    failed: (error) => {
      results.stop(next, messages.broken(error));
      say(messages.broken(error));
      place.dataset.step = 'failed';
    },
  });
  const ask = () => {
    next = 'checked';
    say(messages.working);
    place.dataset.step = 'asked';
    asker.ask(form.question());
  };
  const form = makeForm(ask);

  copy.addEventListener('click', async () => {
    const link = await toLink(form.question());
    if (link === undefined) {
      copied.textContent = messages.linkTooLong;
      return;
    }
    history.replaceState(null, '', link);
    // A browser may not let the page write to the clipboard.
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    copied.textContent = isCopied ? messages.copied : messages.inAddress;
  });

  /** @param question What to try if the link holds nothing. */
  const open = async () => {
    const link = await fromLink(location.hash);
    if (link.kind === 'too long') copied.textContent = messages.linkLong;
    if (link.kind === 'broken') copied.textContent = messages.linkBroken;
    form.show(link.kind === 'found' ? link.question : FIRST);
    ask();
  };
  addEventListener('hashchange', open);

  const typed = element(
    'form',
    { class: 'typed' },
    ...form.elements,
    element('p', {}, copy, ' ', copied),
  );
  typed.addEventListener('submit', (event) => event.preventDefault());
  place.replaceChildren(typed, element('div', {}, status, results.element));
  open();
}

const place = document.getElementById('playground');
if (place) start(place);
