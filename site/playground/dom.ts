/** Elements made of text: nothing here reads HTML, so no text can become an element. */

type Child = Node | string;

/** An element with attributes and children. Text stays text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

let last = 0;

/** A control with its label, and perhaps a sentence about it. */
export function labelled<Control extends HTMLElement>(
  control: Control,
  label: string,
  help?: string,
): HTMLElement {
  last += 1;
  control.id = `playground-${last}`;
  const isBox = control.getAttribute('type') === 'checkbox';
  const name = element('label', { for: control.id }, label);
  const about = help === undefined ? [] : [element('small', { id: `${control.id}-help` }, help)];
  if (about.length > 0) control.setAttribute('aria-describedby', `${control.id}-help`);
  const parts = isBox ? [control, name] : [name, control];
  return element('div', { class: isBox ? 'box' : 'field' }, ...parts, ...about);
}

export const option = (value: string, text = value): HTMLOptionElement =>
  element('option', { value }, text);

/** A part that opens when it is asked for. */
export const folded = (summary: string, ...children: readonly Child[]): HTMLDetailsElement =>
  element('details', {}, element('summary', {}, summary), ...children);

/** A text as it is, that the keyboard can scroll. */
export const block = (text: string, label: string): HTMLElement =>
  element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, text);
