/**
 * Points in time as decisions keep them: UTC text of one fixed length, so that text order is time order.
 *
 * `2026-10-02T12:00:00.000000Z` is the form of every record, event and answer. The database keeps the same digits
 * with `+00:00` at the end, as the first version of the format did. A day is `YYYY-MM-DD` and always a day in UTC.
 */
declare const instantBrand: unique symbol;
export type Instant = string & { readonly [instantBrand]: true };

const shape =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?$/;
const dayShape = /^(\d{4})-(\d\d)-(\d\d)$/;

export function instantOf(date: Date): Instant {
  return form(date.getTime(), 0);
}

/**
 * Reads an ISO-8601 date and time. Offsets are honoured, a time without one is UTC, digits beyond microseconds are
 * dropped. Null for anything else, for days that do not exist and for years before 1000.
 */
export function parseInstant(text: string): Instant | null {
  const match = shape.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second = '00', fraction = '', , sign, offsetHour, offsetMinute = '00'] =
    match;
  if (!isDay(`${year}-${month}-${day}`)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (sign !== undefined && (Number(offsetHour) > 23 || Number(offsetMinute) > 59)) return null;
  const digits = fraction.padEnd(6, '0').slice(0, 6);
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const offsetMinutes =
    sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const ms = local - offsetMinutes * 60_000 + Number(digits.slice(0, 3));
  const utcYear = new Date(ms).getUTCFullYear();
  return utcYear < 1000 || utcYear > 9999 ? null : form(ms, Number(digits.slice(3)));
}

/** Whether the text is `YYYY-MM-DD` and a day that exists. */
export function isDay(text: string): boolean {
  const match = dayShape.exec(text);
  if (match === null || Number(match[1]) < 1000) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

/** The first instant of a day, or of the instant itself. Null when the text is neither. */
export function earliestOf(text: string): Instant | null {
  return isDay(text) ? parseInstant(`${text}T00:00:00Z`) : parseInstant(text);
}

/** The last instant of a day, or the instant itself. Null when the text is neither. */
export function latestOf(text: string): Instant | null {
  return isDay(text) ? parseInstant(`${text}T23:59:59.999999Z`) : parseInstant(text);
}

export function dayOf(instant: Instant): string {
  return instant.slice(0, 10);
}

/**
 * The time of the next change of a record: now, or one microsecond after its last change when the clock has not
 * moved or was set back. Two states of one record never carry the same time.
 */
export function nextAfter(previous: Instant, now: Instant): Instant {
  if (now > previous) return now;
  const micros = Number(previous.slice(23, 26)) + 1;
  const ms = millis(previous);
  return micros > 999 ? form(ms + 1, 0) : form(ms, micros);
}

/** A clock whose readings differ and rise, also within one millisecond; a step back of a second or more is followed. */
export function risingClock(read: () => Date): () => Instant {
  let last: Instant | null = null;
  return () => {
    const now = instantOf(read());
    const close = last !== null && millis(last) - millis(now) < 1_000;
    last = last !== null && close ? nextAfter(last, now) : now;
    return last;
  };
}

export function daysBefore(instant: Instant, days: number): Instant {
  return form(millis(instant) - days * 86_400_000, Number(instant.slice(23, 26)));
}

export function toStored(instant: Instant): string {
  return `${instant.slice(0, -1)}+00:00`;
}

/** Reads the stored form, in the exact width or as older files have it. Throws on text that is no time. */
export function fromStored(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new Error('a stored time is not readable');
  return instant;
}

function millis(instant: Instant): number {
  return Date.parse(`${instant.slice(0, 23)}Z`);
}

function form(ms: number, micros: number): Instant {
  return `${new Date(ms).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z` as Instant;
}
