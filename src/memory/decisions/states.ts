/** The states of a store that can be read: the present and, rebuilt when they are asked for, past ones. */
import type { Clock } from '../../base/clock.ts';
import { basisOf, type Snapshot, snapshotAt } from './as-of.ts';
import { cursorKey } from './cursor.ts';
import { dayOf, type Instant, instantOf, isDay, latestOf } from './instant.ts';
import type { StoreFile } from './open-store.ts';
import { invalidField, ok, type Result } from './outcome.ts';
import type { View } from './view.ts';

/** Past states that are kept, since who asks for one often asks again. */
const snapshotsKept = 2;

export class States {
  readonly #file: StoreFile;
  readonly #clock: Clock;
  readonly #snapshots: { asOf: Instant; basis: string; snapshot: Promise<Snapshot> }[] = [];

  constructor(file: StoreFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  now(): View {
    const db = this.#file.reader();
    return { db, today: dayOf(instantOf(this.#clock.now())), cursorKey: cursorKey(db), asOf: null };
  }

  /** The present where `asOf` is undefined. With `searching`, the state can be searched. Fails: `validation_error`. */
  async at(asOf: string | undefined, searching: boolean): Promise<Result<View>> {
    const present = this.now();
    if (asOf === undefined) return ok(present);
    const now = instantOf(this.#clock.now());
    const asked = latestOf(asOf);
    if (asked === null) return invalidField(['as_of'], 'must be a day or a date and time', 'datetime_type');
    const future = isDay(asOf) ? asOf > dayOf(now) : asked > now;
    if (future) return invalidField(['as_of'], 'lies in the future', 'date_future');
    // Today as a day ends later than now.
    const instant = isDay(asOf) && asOf === dayOf(now) ? now : asked;
    const snapshot = await this.#snapshot(present.db, instant);
    if (searching) await snapshot.prepareSearch();
    return ok({ db: snapshot.db, today: dayOf(instant), cursorKey: present.cursorKey, asOf: asked });
  }

  async close(): Promise<void> {
    for (const { snapshot } of this.#snapshots.splice(0)) (await snapshot).db.close();
  }

  /** Two that ask for one state at the same time wait for one making of it. */
  #snapshot(live: View['db'], asOf: Instant): Promise<Snapshot> {
    const basis = basisOf(live, asOf);
    const index = this.#snapshots.findIndex((kept) => kept.asOf === asOf && kept.basis === basis);
    const known = index < 0 ? undefined : this.#snapshots.splice(index, 1)[0];
    const kept = known ?? { asOf, basis, snapshot: snapshotAt(live, asOf, this.#clock) };
    this.#snapshots.unshift(kept);
    // The garbage collector closes those that fall out; a search may still be reading one.
    this.#snapshots.splice(snapshotsKept);
    kept.snapshot.catch(() => {
      const failed = this.#snapshots.indexOf(kept);
      if (failed >= 0) this.#snapshots.splice(failed, 1);
    });
    return kept.snapshot;
  }
}
