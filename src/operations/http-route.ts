/** How a row of the table answers under `/v1`: its path, where each input travels, and what success looks like. */
import type { z } from 'zod';
import type { JsonValue } from '../base/json.ts';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** How the text of a query parameter is read. Text that cannot be read so is a malformed request (400). */
export type QueryType = 'text' | 'integer' | 'number' | 'boolean' | 'texts';

export interface HttpRoute {
  readonly method: HttpMethod;
  /** `/v1/projects/{project_id}`: each name in braces is an input. */
  readonly path: string;
  /** Needs no token. */
  readonly open?: true;
  /** Inputs that travel in the query string. `texts` may be repeated. */
  readonly query?: Readonly<Record<string, QueryType>>;
  /** Inputs that travel in a request header, header name in lower case first. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether all other inputs travel in a JSON body. An absent body counts as `{}`. */
  readonly body: boolean;
  /** The largest body, where it is not that of the door. */
  readonly bodyBytesMax?: number;
  /** Every status of success, with what it means. */
  readonly success: Readonly<Partial<Record<200 | 201 | 202 | 204, string>>>;
  /** The input without path parameters, as validated; made into the document. */
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Success answers that are text instead of JSON: media type, then an example of such a text. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Set once another route should be used: the day (UTC, `2027-01-31`) from which, and the path of the other one. */
  readonly deprecated?: { readonly since: string; readonly successor: string };
  /** The answer to a success value; by default the first status of `success` with the value as JSON. */
  respond?(value: JsonValue): HttpSuccess;
}

export interface HttpSuccess {
  readonly status: 200 | 201 | 202 | 204;
  /** Replaces the value as the body. Text is sent as it is, with `contentType`. */
  readonly body?: JsonValue;
  readonly contentType?: string;
  readonly location?: string;
  readonly etag?: string;
  /** Set when the answer repeats an earlier one. */
  readonly replayed?: true;
}
