/** The codes that a route can answer before its row is asked, and how each looks. */
import { type ErrorCode, errorCatalogue } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { type ErrorBody, errorBody } from '../error-answer.ts';
import type { ApiOperation } from './api-routes.ts';

/** Those of the row and those of the door, in the order of the catalogue. */
export function routeErrors(row: ApiOperation): readonly ErrorCode[] {
  const codes: ReadonlySet<ErrorCode> = new Set([...row.errors, ...edgeErrors(row)]);
  return catalogueOrder.filter((code) => codes.has(code));
}

function edgeErrors(row: ApiOperation): readonly ErrorCode[] {
  return [
    'host_not_allowed',
    'origin_not_allowed',
    ...(row.http.open === true ? [] : (['unauthorized', 'forbidden'] as const)),
    ...(takesBody(row)
      ? (['request_timeout', 'payload_too_large', 'unsupported_media_type', 'validation_error'] as const)
      : []),
    ...(readsInputs(row) ? (['invalid_request'] as const) : []),
    'internal_error',
  ];
}

function readsInputs(row: ApiOperation): boolean {
  return takesBody(row) || row.http.query !== undefined || row.http.headers !== undefined;
}

/** Whether a body that is sent to the route is read; what it says counts only where the row takes one. */
export function takesBody(row: ApiOperation): boolean {
  return row.http.method !== 'GET';
}

/** An answer with this code, for the document. */
export function errorExample(code: ErrorCode): ErrorBody {
  const details = detailsOf(code);
  return errorBody(code, 'a1b2c3', details === undefined ? {} : { details });
}

function detailsOf(code: ErrorCode): JsonObject | undefined {
  switch (code) {
    case 'validation_error':
      return { errors: [{ loc: ['title'], msg: 'Field required', type: 'missing' }] };
    case 'internal_error':
      return { exception: 'TypeError' };
    default:
      return undefined;
  }
}

const catalogueOrder = Object.keys(errorCatalogue).filter((code): code is ErrorCode =>
  Object.hasOwn(errorCatalogue, code),
);
