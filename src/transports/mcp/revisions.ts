/** The protocol revisions we speak, newest first, in the two eras that share one endpoint. */

/** Revisions that a client negotiates with `initialize`. */
export const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Revisions that every request names for itself. */
export const MODERN_REVISIONS = ['2026-07-28'] as const;

/** What `/version` reports. */
export const NEWEST_REVISION: string = MODERN_REVISIONS[0];

export function isHandshakeRevision(text: string): boolean {
  return HANDSHAKE_REVISIONS.some((revision) => revision === text);
}

/** Revisions are dates, so later ones that we do not know yet count as modern too. */
export function isModernRevision(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && text >= NEWEST_REVISION;
}
