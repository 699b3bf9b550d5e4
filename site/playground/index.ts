/** The playground: fills the page's `<div id="playground">`. Its files are next to this one. */

import { Asker, PATIENCE } from './asker.ts';
import { element } from './dom.ts';
import { FIRST, makeForm } from './form.ts';
import { fromLink, toLink } from './link.ts';
import { messages } from './messages.ts';
import { LAST, type Step } from './protocol.ts';
import { makeResults } from './results.ts';

const STEPS: readonly Step['step'][] = ['checked', 'planned', LAST];

/** What is shown: `typed` and `asked` while it belongs to an earlier question. */
type State = 'typed' | 'asked' | 'stopped' | 'failed' | Step['step'];

const beside = (name: string): URL => new URL(name, import.meta.url);

function start(place: HTMLElement): void {
  const status = element('p', { role: 'status', class: 'status' }, messages.loading);
  const copied = element('span', { role: 'status' });
  const copy = element('button', { type: 'button' }, messages.copy);
  const results = makeResults();
  const found = { valid: false, hooks: 0, clients: 0 };
  let state: State = 'asked';
  /** The step that is waited for. */
  let next: Step['step'] = 'checked';
  const become = (now: State, sentence?: string) => {
    state = now;
    place.dataset.state = now;
    if (sentence !== undefined) status.textContent = sentence;
  };
  const end = (now: State, why: string) => {
    results.stop(next, why);
    become(now, why);
  };

  const asker = new Asker(beside('worker.js'), {
    ready: (choices) => form.offer(choices),
    step: (step) => {
      if (state === 'typed') return; // it is asked anew in a moment
      results.show(step);
      next = STEPS[STEPS.indexOf(step.step) + 1] ?? 'checked';
      if (step.step === 'checked') {
        found.valid = step.checked.valid;
        found.hooks = step.checked.hooks;
      }
      if (step.step === 'planned') {
        found.clients = step.planned.clients.length;
        form.prefer(step.planned.events, step.planned.usual);
      }
      const isLast = step.step === LAST;
      become(
        step.step,
        isLast ? messages.done(found.hooks, found.valid, found.clients) : undefined,
      );
    },
    stopped: () => end('stopped', messages.stopped(PATIENCE / 1000)),
    failed: (error) => end('failed', messages.broken(error)),
  });
  const ask = () => {
    next = 'checked';
    become('asked', messages.working);
    asker.ask(form.question());
  };
  const form = makeForm(() => become('typed'), ask);

  copy.addEventListener('click', async () => {
    const link = await toLink(form.question());
    if (link === undefined) {
      copied.textContent = messages.linkTooLong;
      return;
    }
    history.replaceState(history.state, '', link);
    // A browser may not let the page write to the clipboard.
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    copied.textContent = isCopied ? messages.copied : messages.inAddress;
  });

  const open = async () => {
    const link = await fromLink(location.hash);
    if (link.kind === 'too long') copied.textContent = messages.linkLong;
    if (link.kind === 'broken') copied.textContent = messages.linkBroken;
    form.show(link.kind === 'found' ? link.question : FIRST);
    ask();
  };
  addEventListener('hashchange', open);

  // The page around it may take it away without leaving.
  const watch = new MutationObserver(() => {
    if (place.isConnected) return;
    watch.disconnect();
    removeEventListener('hashchange', open);
    asker.end();
  });
  watch.observe(document.body, { childList: true, subtree: true });

  const typed = element(
    'form',
    { class: 'typed' },
    ...form.elements,
    element('p', {}, copy, ' ', copied),
  );
  typed.addEventListener('submit', (event) => event.preventDefault());
  const style = element('link', { rel: 'stylesheet', href: beside('style.css').href });
  place.replaceChildren(style, typed, element('div', {}, status, results.element));
  open();
}

const place = document.getElementById('playground');
if (place) start(place);
