/**
 * Texts that give the model orders. Clients train their models to treat such a text from a server as an injection, so it
 * achieves less than a note. Only wording that can hardly mean anything else is reported, because a false alarm would cost an
 * author more.
 */

/** Verbs that follow "always" and "never" in an order, but hardly in a description. */
const VERBS =
  'add|answer|ask|begin|call|check|commit|consult|create|delete|do|edit|execute|follow|forget|include|invoke|load|log|make|mention|note|obey|open|prefer|push|query|read|record|remember|reply|report|respond|run|save|say|search|show|skip|start|stop|store|tell|update|use|verify|wait|write';

/** The words for earlier instructions, as used by people who give a model orders. */
const TOLD = 'instructions?|prompts?|rules?|messages?|guidelines?|directions?|context|guidance';

/** Things that must be done, or must always or never be done. */
const RULES: readonly RegExp[] = [
  // Addressed to "you" or to the model. "What you must know" is no order: it says where to find it.
  /(?:(?<!\b(?:what|whatever|everything|anything|all)\s)|(?!you\s+(?:must|have to)\s+(?:know|understand)\b))\b(?:you|the (?:model|assistant|agent|ai))\s+(?:(?:absolutely|always)\s+)?(?:must|shall|have to|are (?:required|obliged|instructed|ordered|forbidden) to|are not allowed to|need to always)\b/i,
  new RegExp(
    `(?:^|[.!?:;\\n]\\s{0,9}|\\b(?:and|but|please|then|so),?\\s{1,9})(?:always|never)\\s+(?:${VERBS})\\b`,
    'i',
  ),
  // Shouted.
  /\b(?:IMPORTANT|CRITICAL|MANDATORY|URGENT|REQUIRED|OBLIGATORY)\b\s*[:!]/,
  /\b(?:MUST|SHALL|ALWAYS|NEVER|DO NOT|DON'T)\b/,
];

/** What only the user or the client may say. */
const INTRUSIONS: readonly RegExp[] = [
  // Against earlier instructions, or against the user.
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|overrule)\\b[^.!?\\n]{0,40}?\\b(?:previous|prior|above|earlier|preceding|all|any|other|system|your)\\b[^.!?\\n]{0,30}?\\b(?:${TOLD})\\b`,
    'i',
  ),
  /\bignore (?:all |everything )?(?:the )?(?:previous|above)(?=\s*(?:[.,;:!?]|$|\band\b))/i,
  /\b(?:do not|don't|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|ask(?:ing)?|mention(?:ing)?(?: (?:this|it|that))? to|show(?:ing)? (?:this|it|that) to|reveal(?:ing)?(?: (?:this|it|that))? to)\s+(?:the |your )?users?\b/i,
  /\b(?:from now on|you are now|act as (?:if|an?|the)|pretend (?:to be|that)|your new (?:task|instructions?|role|goal))\b/i,
  /\b(?:new|system|real|actual|hidden)\s+(?:instructions?|prompt)\s*:/i,
  // Pretends that somebody else is speaking, with a tag. A tag in the middle of a sentence is only mentioned.
  /<\/?(?:system|system-reminder)\b[^>\n]{0,40}>|(?:^[ \t]{0,9}<|<\/)(?:instructions?|important|assistant|user|developer)\b[^>\n]{0,40}>/im,
  /\[\/?(?:INST|SYSTEM)\]|^[ \t]{0,9}(?:system|developer|assistant|user)\s*:/im,
];

/** How many characters of the order to show. */
const SHOWN = 60;

/**
 * The first words of a text that give an order.
 *
 * @param isReason The text says why something was stopped. A rule belongs there, and has been enforced already.
 */
export function orderIn(text: string, isReason = false): string | undefined {
  const [first] = (isReason ? INTRUSIONS : [...RULES, ...INTRUSIONS])
    .flatMap((pattern) => {
      const match = pattern.exec(text);
      return match ? [{ words: match[0], index: match.index }] : [];
    })
    .sort((one, other) => one.index - other.index);
  if (!first) return undefined;
  return first.words
    .replace(/^[\s.!?:;]+/, '')
    .slice(0, SHOWN)
    .trim();
}
