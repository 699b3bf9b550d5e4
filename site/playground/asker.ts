/** Asks a worker one question at a time, and ends it if it does not answer: a pattern may keep a browser busy for ever. */

import { type Choices, LAST, type Message, type Question, type Step } from './protocol.ts';

/** Milliseconds for each step of an answer. */
export const PATIENCE = 5000;

/** What becomes of a question. */
export interface Listener {
  ready(choices: Choices): void;
  step(step: Step): void;
  /** The worker was ended, and another one takes its place. */
  stopped(): void;
  failed(error: string): void;
}

export class Asker {
  readonly #address: URL;
  readonly #listener: Listener;
  #worker: Worker;
  #isReady = false;
  #isBusy = false;
  /** The question that is asked next. Only the last one counts. */
  #next: Question | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(address: URL, listener: Listener) {
    this.#address = address;
    this.#listener = listener;
    this.#worker = this.#start();
  }

  ask(question: Question): void {
    this.#next = question;
    this.#askNext();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#address, { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data));
    worker.addEventListener('error', ({ message }) => this.#listener.failed(message));
    return worker;
  }

  #askNext(): void {
    if (!this.#isReady || this.#isBusy || this.#next === undefined) return;
    this.#worker.postMessage(this.#next);
    this.#next = undefined;
    this.#isBusy = true;
    this.#wait();
  }

  #hear(message: Message): void {
    if (message.step === 'ready') {
      this.#isReady = true;
      this.#listener.ready(message.choices);
      this.#askNext();
      return;
    }
    if (message.step === 'failed') this.#listener.failed(message.error);
    // The answer to a question that nobody asks any more is not shown.
    else if (this.#next === undefined) this.#listener.step(message);
    if (message.step !== LAST && message.step !== 'failed') {
      this.#wait();
      return;
    }
    clearTimeout(this.#timer);
    this.#isBusy = false;
    this.#askNext();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop(), PATIENCE);
  }

  #stop(): void {
    this.#worker.terminate();
    this.#isReady = false;
    this.#isBusy = false;
    this.#listener.stopped();
    this.#worker = this.#start();
  }
}
