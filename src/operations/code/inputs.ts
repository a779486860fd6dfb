/** Inputs that several rows take, and what their logs tell. */
import { z } from 'zod';
import type { JsonValue } from '../../base/json.ts';
import { codeRequestLimits } from '../../base/limits.ts';
import type { EventFields } from '../operation.ts';

/** Where an agent reads on. */
export const offset = z.int().min(0).max(codeRequestLimits.offsetMax).optional();

/** The same for the schema of a tool, where every byte counts and bounds are left to the server. */
export const readOn = z.int().optional();

export function count(name: string, value: JsonValue | undefined): EventFields {
  return typeof value === 'number' ? { [name]: value } : {};
}
