/**
 * Dates that are in no calendar. smol-toml takes 30 February for 2 March; a client that reads it strictly does not start with it.
 */
import { ParseError, parseTOML } from 'toml-eslint-parser';

/** What looks like such a date, maybe in a string; most files have none, and need not be read once more. */
const SUSPECT = /\d{4}-(?:02-(?:29|30|31)|(?:04|06|09|11)-31)/g;

export interface ImpossibleDate {
  readonly date: string;
  readonly offset: number;
}

/** The first date in a document that does not exist. */
export function impossibleDate(text: string): ImpossibleDate | undefined {
  if (text.search(SUSPECT) === -1) return undefined;
  try {
    parseTOML(text, { tomlVersion: '1.1' });
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof RangeError)) throw error;
    if (error.message !== 'Unexpected invalid date' || !(error instanceof ParseError)) return;
    // It has stopped at the end of the date, or of the time after it.
    const date = Array.from(text.slice(0, error.index + 1).matchAll(SUSPECT)).at(-1);
    if (date) return { date: date[0], offset: date.index };
  }
  return undefined;
}
