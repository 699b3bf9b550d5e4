/** Implementations of events that several clients share, with their own native names. */
import { byEvent } from '../declaration/declaration.ts';
import type {
  Binding,
  Client,
  DecisionLowering,
  EventLowering,
  Grade,
  Lowering,
} from './contract.ts';

/** The native events on which a declared event's text may be shown, in any of its forms. */
export const bindingsOf = (cell: EventLowering | null): Binding[] =>
  [cell?.text, cell?.tool, cell?.actNow].flatMap((one) => one?.on ?? []);

const WITH_NEXT = "together with the user's next prompt in the session";

/** Why a text does not come at the end of its turn. */
export const COSTS_A_TURN =
  'showing it at the end of each turn would cost one more turn of the model each time';

const tell = (native: readonly string[]): Binding[] =>
  native.map((name) => ({ native: name, act: 'tell' }));

/** The text is read on these events. */
const on = (
  bindings: readonly Binding[],
  grade: Lowering['grade'],
  when: string,
  more: Omit<Lowering, 'grade' | 'when' | 'on'> = {},
): EventLowering => ({ text: { grade, when, on: bindings, ...more } });

/** At the start: on every native event at which the model begins with an empty history. */
export const atStart = (...native: string[]): EventLowering =>
  on(
    tell(native),
    'exact',
    'before the first request of a session, again after /clear and after compaction, in each subagent, and in a resumed session that has not seen it',
  );

/** With each prompt. @param except The client's limitation. */
export const withPrompt = (prompt: string, except?: string): EventLowering =>
  on(tell([prompt]), 'exact', 'together with each prompt of the user', { except });

/** Before a call, for a client that shows the model nothing until there is a result. */
export const beforeCall = (client: string, native: string): EventLowering =>
  on(
    tell([native]),
    'late',
    `together with the result of the call: ${client} shows the model nothing between a call and its result`,
  );

/** After a call. @param failed The native event of a failed call. */
export const afterCall = (
  native: string,
  failed?: string,
  except?: string,
  more: Pick<Lowering, 'exceptOf'> = {},
): EventLowering => {
  const also = failed === undefined ? [] : [failed];
  const when = `together with the result of the call${failed === undefined ? '' : ', also of a failed one'}`;
  return on(tell([native, ...also]), 'exact', when, { except, ...more });
};

/**
 * After a turn: with the next prompt, or right away if the user accepts the cost. A tool always runs at the end of the turn.
 */
export const afterTurn = (end: string, prompt: string, except?: string): EventLowering => ({
  ...on([{ native: end, act: 'mark' }, marked(prompt)], 'late', `${WITH_NEXT}: ${COSTS_A_TURN}`, {
    sooner: true,
    except,
  }),
  tool: {
    grade: 'late',
    when: `${WITH_NEXT}: the tool runs at the end of each turn, and showing its reply there would cost one more turn of the model each time`,
    sooner: true,
    except,
    on: [{ native: end, act: 'keep' }, marked(prompt)],
  },
  actNow: {
    grade: 'exact',
    when: 'at the end of each turn, which costs one more turn of the model each time',
    on: [{ native: end, act: 'ask' }],
    extraTurn: true,
  },
});

export const IN_SUBAGENT_TOO = 'It also runs at the end of a subagent.';

/**
 * The end of a turn or a session, for a client that sends its event at the end of a subagent, too. @param read What that means
 * for a text. @param ran The same for a tool or a program.
 */
export const orOfSubagent = (
  { text, tool, actNow, ...cell }: EventLowering,
  read?: string,
  ran: string = IN_SUBAGENT_TOO,
): EventLowering => ({
  ...cell,
  text: { ...text, ...(read !== undefined && { except: read }) },
  ...(tool && { tool: { ...tool, except: ran } }),
  ...(actNow && {
    actNow: { ...actNow, except: 'At the end of a subagent, it is shown to the subagent.' },
  }),
});

/**
 * Before the end of a session. No client lets a model read the text of a hook when a session ends.
 *
 * @param called When a tool is called, if that is not simply when the session ends.
 */
export const beforeEnd = (
  end: string,
  sessionEnd: string,
  called = 'the tool is called when the session ends',
): EventLowering => ({
  ...on(
    [{ native: end, act: 'ask', once: true }],
    'adapted',
    'at the end of the first turn of each session, which costs one turn of the model: no text at the end of a session reaches a model',
    { extraTurn: true },
  ),
  tool: {
    grade: 'adapted',
    when: `nothing: ${called}; its reply is not shown`,
    on: [{ native: sessionEnd, act: 'call' }],
  },
});

export const marked = (native: string): Binding => ({ native, act: 'tell', marked: true });

/** On events that accept no text: the text waits for an event that does. @param next The binding that shows it. */
export const waiting = (
  natives: readonly string[],
  next: Binding,
  when: string,
  more: Omit<Lowering, 'grade' | 'when' | 'on'> = {},
): EventLowering => {
  const late = (act: Binding['act']): Lowering => ({
    grade: 'late',
    when,
    on: [...natives.map((native) => ({ native, act })), next],
    ...more,
  });
  return { text: late('mark'), tool: late('keep') };
};

/** Based on a client's documentation, without any test. */
export const documented = (lowering: Client['lowering']): Client['lowering'] =>
  byEvent((event) => {
    const cell = lowering[event];
    return (
      cell && {
        ...cell,
        text: { ...cell.text, ...DOCUMENTED },
        ...(cell.tool && { tool: { ...cell.tool, ...DOCUMENTED } }),
        ...(cell.actNow && { actNow: { ...cell.actNow, ...DOCUMENTED } }),
        ...(cell.waitsFor && {
          waitsFor: Object.fromEntries(
            Object.entries(cell.waitsFor).map(([one, way]) => [one, { ...way, ...DOCUMENTED }]),
          ),
        }),
      }
    );
  });

const DOCUMENTED = { documented: true } as const;

// The extended vocabulary.

/**
 * Before a compaction, at which no client lets a hook add a text. So the text is shown with what comes after it.
 *
 * @param next The event that shows it to the model. @param when The same in words.
 */
export const beforeCompaction = (
  compaction: string,
  next: string,
  when: string,
  except?: string,
): EventLowering =>
  waiting(
    [compaction],
    marked(next),
    `${when}: no text of a hook before a compaction reaches the model`,
    {
      except,
    },
  );

/** After a compaction. @param compaction An event that comes with each one, before `next`. */
export const afterCompaction = (
  grade: Exclude<Grade, 'none'>,
  compaction: string,
  next: string,
  when: string,
  except?: string,
): EventLowering =>
  on([{ native: compaction, act: 'mark' }, marked(next)], grade, when, { except });

/** After a failed call. @param native The events after the call; `wire.failed` defines which of them count. */
export const afterFailure = (
  native: readonly string[],
  except?: string,
  more: Pick<Lowering, 'exceptOf'> = {},
): EventLowering =>
  on(tell(native), 'exact', 'together with the result of the call that failed', {
    except,
    ...more,
  });

/** An exception: the model reads nothing of hooks after a failed call. */
export const NOT_AFTER_FAILURE = 'Not after a failed call.';

/** In a subagent: shown to the subagent itself. */
export const inSubagent = (native: string): EventLowering =>
  on(tell([native]), 'exact', 'in the subagent, before its first request');

/** After a subagent: shown to the agent that started it. @param next The next events that can show the model something. */
export const afterSubagent = (end: string, next: readonly string[]): EventLowering => ({
  ...on(
    [{ native: end, act: 'mark' }, ...next.map(marked)],
    'late',
    'with the result of the next call, or with the next prompt: showing it when a subagent ends would cost the subagent one more turn',
    {
      sooner: true,
      except: 'Where several subagents are at work, another of them may read it instead.',
    },
  ),
  actNow: {
    grade: 'adapted',
    when: 'in the subagent itself when it ends, which costs it one more turn of the model',
    on: [{ native: end, act: 'ask' }],
    extraTurn: true,
  },
});

/** No client has an event for it, so the usage of a session is read from the client's own files. */
const ESTIMATED = 'the tokens are estimated from the transcript';

/** Over a budget. @param native The events that can show the model something. */
export const overBudget = (...native: readonly string[]): EventLowering =>
  on(
    tell(native),
    'adapted',
    `with the next result of a call or the next prompt after that: ${ESTIMATED}`,
  );

/** The same, if only the end of a turn names the record. */
export const overBudgetAfterTurn = (end: string, prompt: string, except: string): EventLowering =>
  on(
    [{ native: end, act: 'keep' }, marked(prompt)],
    'late',
    `with the next prompt: ${ESTIMATED} at the end of each turn`,
    { except },
  );

/**
 * A notification. A client without an event for waiting waits after each turn.
 *
 * @param ways The native events. @param except Other limitations of the client.
 */
export const notified = (
  ways: { readonly permission?: string; readonly prompt?: string; readonly turn?: string },
  except?: string,
): EventLowering => {
  const way = (native: string | undefined, grade: Lowering['grade'], when: string): Lowering[] =>
    native === undefined ? [] : [{ grade, when, on: [{ native, act: 'call' }] }];
  const asked = way(ways.permission, 'exact', 'when you are asked for a permission');
  const waited = [
    ...way(ways.prompt, 'exact', 'when the client waits for your next prompt'),
    ...way(ways.turn, 'adapted', 'at the end of each turn, in place of an event for waiting'),
  ];
  const together = (all: readonly Lowering[], isWhole: boolean, except?: string): Lowering => ({
    grade: isWhole && all.every(({ grade }) => grade === 'exact') ? 'exact' : 'adapted',
    when: `to no model; it runs ${all.map(({ when }) => when).join(', and ')}`,
    on: all.flatMap(({ on }) => on).filter(({ native }, at, on) => on[at - 1]?.native !== native),
    except,
  });
  const isWhole = asked.length > 0;
  const missing = isWhole ? [] : ['Not when you are asked for a permission.'];
  const exceptions = [...missing, ...(except === undefined ? [] : [except])].join(' ');
  return {
    text: together([...asked, ...waited], isWhole, exceptions || undefined),
    waitsFor: {
      ...(isWhole && { permission: together(asked, true) }),
      prompt: together(waited, true, except),
    },
  };
};

// The effects of decisions: the ends of "a block ...", "a changed input ..." and "a changed output ...".

/** As declared. @param on The native event, if it differs from the one that shows texts. */
export const decided = (on?: string): DecisionLowering => ({ grade: 'exact', on });

export const blockedPrompt = (on?: string): DecisionLowering => ({
  ...decided(on),
  when: 'ends the prompt: the model does not read it, and you are shown the reason',
});

/** The same for a budget, which the session has already exceeded. */
export const blockedOverBudget = (prompt: string): DecisionLowering => ({
  grade: 'adapted',
  when: `ends the next prompt, once: ${ESTIMATED}`,
  on: prompt,
});

/** After the fact. @param when What the model reads then. */
export const blockedAfterwards = (when: string): DecisionLowering => ({
  grade: 'adapted',
  when: `comes after the call: ${when}`,
});

/** Makes the turn continue. @param who The model, or a subagent. */
export const blockedEnd = (on: string, who: string): DecisionLowering => ({
  ...decided(on),
  when: `continues ${who} with the reason, for one more turn`,
  extraTurn: true,
});
