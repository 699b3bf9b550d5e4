/** `node:events`: what the reader of the command line is made from. */

type Listener = (...given: unknown[]) => void;

export class EventEmitter {
  readonly #listeners = new Map<string, Listener[]>();

  on(event: string, listener: Listener): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this;
  }

  emit(event: string, ...given: unknown[]): boolean {
    const all = this.#listeners.get(event) ?? [];
    for (const listener of all) listener.apply(this, given);
    return all.length > 0;
  }

  listenerCount(event: string): number {
    return this.#listeners.get(event)?.length ?? 0;
  }
}
