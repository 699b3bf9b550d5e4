/** Ways to make an event happen that several clients share, under their own native names. */
import type { Binding, EventLowering, Lowering } from './contract.ts';

/** On what native events a declared event may come to be told, by whichever of its ways. */
export const bindingsOf = (cell: EventLowering | null): Binding[] =>
  [cell?.text, cell?.tool, cell?.actNow].flatMap((one) => one?.on ?? []);

const tell = (native: readonly string[]): Binding[] =>
  native.map((name) => ({ native: name, act: 'tell' }));

/** At the start: on every native event at which the model begins with an empty history. */
export const atStart = (...native: string[]): EventLowering => ({
  text: {
    grade: 'exact',
    when: 'before the first request of a session, again after /clear and after compaction, in each subagent, and in a resumed session that has not seen it',
    on: tell(native),
  },
});

/** With each prompt. @param except What the client cannot do of it. */
export const withPrompt = (prompt: string, except?: string): EventLowering => ({
  text: {
    grade: 'exact',
    when: 'together with each prompt of the user',
    ...(except !== undefined && { except }),
    on: tell([prompt]),
  },
});

/** Before a call, as a client does it that shows the model nothing until there is a result. */
export const beforeCall = (client: string, native: string): EventLowering => ({
  text: {
    grade: 'late',
    when: `together with the result of the call: ${client} shows the model nothing between a call and its result`,
    on: tell([native]),
  },
});

/** After a call. @param failed The native event of one that failed. */
export const afterCall = (
  native: string,
  failed?: string,
  except?: string,
  more: Pick<Lowering, 'exceptIsMcp'> = {},
): EventLowering => ({
  text: {
    ...more,
    grade: 'exact',
    when: `together with the result of the call${failed === undefined ? '' : ', also of a failed one'}`,
    ...(except !== undefined && { except }),
    on: tell([native, ...(failed === undefined ? [] : [failed])]),
  },
});

/** After a turn: with the prompt that follows it, or at once when the user pays for it. */
export const afterTurn = (end: string, prompt: string, except?: string): EventLowering => ({
  text: {
    grade: 'late',
    when: "together with the user's next prompt in the session: to tell it at the end of each turn would cost one more turn of the model each time (--act-now does that)",
    ...(except !== undefined && { except }),
    on: [
      { native: end, act: 'mark' },
      { native: prompt, act: 'tell', marked: true },
    ],
  },
  actNow: {
    grade: 'exact',
    when: 'at the end of each turn, which costs one more turn of the model each time',
    on: [{ native: end, act: 'ask' }],
    extraTurn: true,
  },
});

/** Before it is over: nothing that a hook says when a session ends reaches a model in any client. */
export const beforeEnd = (end: string, sessionEnd: string): EventLowering => ({
  text: {
    grade: 'adapted',
    when: 'at the end of the first turn of each session, which costs one turn of the model: nothing that is said when a session ends reaches a model',
    on: [{ native: end, act: 'ask', once: true }],
    extraTurn: true,
  },
  tool: {
    grade: 'adapted',
    when: 'nothing: the tool is called when the session ends, and what it returns reaches no model',
    on: [{ native: sessionEnd, act: 'call', once: true }],
  },
});
