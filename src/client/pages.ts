/** A list that comes in pages, fetched while it is read. */
import { listOf, numberOrNull, type RawObject, textOrNull, unexpected } from './raw.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
  /** How many there are on all pages; null when the server does not say. */
  readonly total: number | null;
  readonly raw: RawObject;
}

/** Reading it twice fetches it twice. */
export interface Pages<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
  /** All items of all pages. */
  toArray(): Promise<readonly Item[]>;
}

/** `fetchPage` gets null for the first page, then the cursor of the page before. */
export function pagesOf<Item>(fetchPage: (cursor: string | null) => Promise<Page<Item>>): Pages<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: Page<Item> = await fetchPage(cursor);
      yield page;
      if (page.nextCursor !== null && page.nextCursor === cursor) throw unexpected('a page that names itself as next');
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.items;
  }
  return {
    [Symbol.asyncIterator]: items,
    pages,
    async toArray() {
      const all: Item[] = [];
      for await (const item of items()) all.push(item);
      return all;
    },
  };
}

export function readPage<Item>(raw: RawObject, read: (item: RawObject) => Item): Page<Item> {
  return Object.freeze({
    items: Object.freeze(listOf(raw, 'items', read)),
    nextCursor: textOrNull(raw, 'next_cursor'),
    total: numberOrNull(raw, 'total'),
    raw,
  });
}
