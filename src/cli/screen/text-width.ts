/**
 * How wide a text is in a terminal, and text that is safe to show there.
 *
 * What people stored may hold anything: control characters could move the cursor or change the window, so they are
 * shown as `�`. Chinese, Japanese and Korean characters and emoji take two columns, combining marks none.
 */

/** Made when it is needed: that takes longer than most commands. */
let segmenter: Intl.Segmenter | undefined;
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6])/u;
const invisible = /^[\p{Mark}\p{Cf}]+$/u;

/** In columns. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + columnsOf(grapheme), 0);
}

export function graphemes(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function columnsOf(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

/** `text` with line breaks and tabs, and without any other character that a terminal would obey. */
export function safeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text).replace(/\s*[\n\t\u2028\u2029]+\s*/g, ' ');
}

/** JSON in which no character acts on a terminal; it reads back as the same value. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
