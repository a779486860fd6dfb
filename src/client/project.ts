/** A registered project: what the server says of it, and the door to its decisions. */
import type { Connection } from './connection.ts';
import { Memories } from './memories.ts';
import { boolean, type RawObject, text } from './raw.ts';

export class Project {
  /** Opaque, stable for one folder. */
  readonly id: string;
  /** The name of its folder. */
  readonly name: string;
  /** Absolute, on the machine of the server. */
  readonly path: string;
  /** Whether the code is indexed. */
  readonly built: boolean;
  /** Whether the server has it open. */
  readonly warm: boolean;
  /** Whether its folder has been moved or deleted. */
  readonly missing: boolean;
  readonly memories: Memories;
  /** As answered when this handle was made. */
  readonly raw: RawObject;

  constructor(connection: Connection, raw: RawObject) {
    this.id = text(raw, 'id');
    this.name = text(raw, 'name');
    this.path = text(raw, 'path');
    this.built = boolean(raw, 'built');
    this.warm = boolean(raw, 'warm');
    this.missing = raw['missing'] === true;
    this.memories = new Memories(connection, this.id);
    this.raw = raw;
    Object.freeze(this);
  }
}
