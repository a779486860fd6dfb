/**
 * The error catalogue: every code that can reach a caller, once.
 *
 * A code is public surface: it keeps its meaning for good. Transports turn it into their own status and nothing else
 * in the code knows about statuses. `docs/errors.md` lists the same rows; a test compares both directions.
 *
 * `http` is the status when the code ends a plain HTTP request. Tool calls over MCP always answer inside the
 * protocol, so notebook codes carry the status that an HTTP twin of the tool would use. `jsonRpc` is set only for
 * codes that end a JSON-RPC request. `exit` is the command line's exit code.
 */
export interface ErrorEntry {
  readonly meaning: string;
  readonly http: number;
  readonly jsonRpc?: number;
  readonly exit: number;
  readonly retry: 'never' | 'after-change' | 'after-inspection' | 'later';
}

const entry = (
  meaning: string,
  http: number,
  exit: number,
  retry: ErrorEntry['retry'],
  jsonRpc?: number,
): ErrorEntry => (jsonRpc === undefined ? { meaning, http, exit, retry } : { meaning, http, exit, retry, jsonRpc });

export const errorCatalogue = {
  // The edge
  host_not_allowed: entry('The Host header names no address of this server.', 403, 1, 'never'),
  origin_not_allowed: entry('A web page of another origin sent the request.', 403, 1, 'never'),
  unauthorized: entry('The bearer token is missing or wrong.', 401, 3, 'after-change'),
  forbidden: entry('The caller may not do this.', 403, 3, 'never'),
  method_not_allowed: entry('The path exists, the method does not.', 405, 2, 'after-change'),
  request_timeout: entry('The request did not arrive in time.', 408, 4, 'later'),
  payload_too_large: entry('The body is larger than the limit of its route.', 413, 2, 'after-change'),
  unsupported_media_type: entry('The body is not application/json.', 415, 2, 'after-change'),
  rate_limited: entry('Too many requests or open streams from one caller.', 429, 4, 'later'),
  unavailable: entry('A part that is needed cannot be used at the moment.', 503, 4, 'later'),

  // JSON-RPC envelopes
  parse_error: entry('The message is not JSON.', 400, 2, 'after-change', -32700),
  invalid_envelope: entry('The message is not a JSON-RPC request object.', 400, 2, 'after-change', -32600),
  unknown_method: entry('The JSON-RPC method does not exist.', 200, 2, 'after-change', -32601),
  invalid_params: entry('Parameters or tool arguments are not an object.', 200, 2, 'after-change', -32602),
  unknown_tool: entry('No tool of this name is offered.', 200, 2, 'after-change', -32602),
  unknown_session: entry(
    'The MCP session does not exist, has expired or belongs to another caller.',
    404,
    3,
    'after-change',
    -32001,
  ),
  too_many_sessions: entry('All MCP sessions are in use.', 503, 4, 'later', -32000),

  // Requests of every door
  invalid_request: entry('The request is malformed or names an unknown argument.', 400, 2, 'after-change'),
  not_found: entry('What the request names does not exist.', 404, 5, 'after-inspection'),
  internal_error: entry('A fault of ours. Nothing is known to have changed.', 500, 70, 'later', -32603),

  // Notebook: arguments
  invalid_query: entry('The query is missing, blank or too long.', 422, 2, 'after-change'),
  invalid_scope: entry('The scope is none of the six.', 422, 2, 'after-change'),
  invalid_tags: entry('The tags are malformed, too many or repeated.', 422, 2, 'after-change'),
  invalid_namespace: entry('The namespace kind or id is not allowed.', 422, 2, 'after-change'),
  invalid_collection: entry('The collection is malformed or does not fit the record.', 422, 2, 'after-change'),
  invalid_kind: entry('The memory kind is unknown or not allowed in this scope.', 422, 2, 'after-change'),
  invalid_record: entry('A field of the record is missing, unknown or malformed.', 422, 2, 'after-change'),
  invalid_origin: entry('The origin is none that a caller may state.', 422, 2, 'after-change'),
  invalid_reference: entry('The reference is malformed.', 422, 2, 'after-change'),
  invalid_expected_revision: entry('The expected revision is not an integer of at least 1.', 422, 2, 'after-change'),
  invalid_page_size: entry('The page size is not an integer from 1 to 100.', 422, 2, 'after-change'),
  invalid_cursor: entry('The cursor is malformed or belongs to another selection.', 422, 2, 'after-change'),

  // Notebook: policy, state and storage
  disallowed_content: entry('The text has the shape of a secret or of a sensitive number.', 422, 6, 'after-change'),
  mutation_disabled: entry('The operator has not enabled this change.', 403, 3, 'never'),
  stale_cursor: entry('The listed records changed since the cursor was made.', 409, 7, 'after-change'),
  ambiguous_reference: entry('Several legacy records carry this id.', 409, 7, 'never'),
  revision_conflict: entry('The record is at another revision.', 409, 7, 'after-inspection'),
  write_conflict: entry('The record changed during the call.', 409, 7, 'after-inspection'),
  not_archived: entry('Only an archived record can be forgotten.', 409, 7, 'after-change'),
  candidate_limit_exceeded: entry('The container holds more candidate files than the limit.', 507, 8, 'after-change'),
  memory_source_unavailable: entry('The notebook cannot be read or written safely.', 503, 8, 'later'),
  creation_outcome_uncertain: entry('The record is visible, its durability unconfirmed.', 500, 9, 'after-inspection'),
  replacement_outcome_uncertain: entry(
    'The change may be visible, its durability is unconfirmed.',
    500,
    9,
    'after-inspection',
  ),
  deletion_outcome_uncertain: entry(
    'The record may be gone, the durability of that is unconfirmed.',
    500,
    9,
    'after-inspection',
  ),

  // Projects and jobs
  project_not_found: entry('No project has this id, or its folder is gone.', 404, 5, 'after-inspection'),
  job_not_found: entry('No job has this id, or it ended long ago.', 404, 5, 'after-inspection'),

  // Decisions
  memory_not_found: entry('No decision has this id.', 404, 5, 'after-inspection'),
  validation_error: entry('Fields of the request are missing, malformed or out of range.', 422, 2, 'after-change'),
  conflict: entry(
    'What the request would make exists already, or differs from what is there.',
    409,
    7,
    'after-inspection',
  ),
  precondition_failed: entry(
    'The decision changed since the state that the request names.',
    412,
    7,
    'after-inspection',
  ),

  // Code
  document_not_found: entry('No document of this path was added by hand.', 404, 5, 'after-inspection'),
  index_not_built: entry('Reserved: the code of the project is not indexed yet.', 409, 7, 'later'),

  // The process
  unsupported_node: entry('This version of Node cannot run the program.', 500, 1, 'after-change'),
  invalid_settings: entry('The settings are not exactly right, so nothing was started.', 500, 2, 'after-change'),
  bind_refused: entry('Only loopback addresses are served without server mode.', 500, 2, 'after-change'),
  usage: entry('The command line is not understood.', 500, 2, 'after-change'),
  port_in_use: entry('Another program listens on the port.', 500, 1, 'after-change'),
  already_running: entry('A daemon of this home is already running.', 500, 1, 'never'),
  not_running: entry('No daemon of this home is running.', 500, 1, 'after-change'),
  unsafe_home: entry('The daemon home or its token could be changed by others.', 500, 1, 'after-change'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** A failure on the way to a start or a command: told to the person at the terminal, with the code's exit code. */
export class ProcessError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProcessError';
    this.code = code;
  }

  get exitCode(): number {
    return errorCatalogue[this.code].exit;
  }
}
