/**
 * The library's server with our checks between it and its transport, on every leg alike.
 *
 * Inwards, a request that the gate refuses is answered before the library sees it, and parameters that a method ignores
 * are taken away. Outwards, error texts that the library or a thrown error produced are replaced by fixed ones: they
 * can hold validation dumps, paths or pieces of the request.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
  type Transport,
} from '@modelcontextprotocol/server';
import { checkCall, type Offer } from './gate.ts';
import { INTERNAL_ERROR_TEXT, INVALID_PARAMS_TEXT, toSdkError } from './json-rpc.ts';

/** Called for faults of ours, without content: where, and the class name of the error. Must not throw. */
export type FaultSink = (place: string, errorName: string) => void;

export class GuardedServer extends Server {
  readonly #offer: Offer;
  readonly #onFault: FaultSink;

  constructor(name: string, version: string, options: ServerOptions, offer: Offer, onFault: FaultSink) {
    super({ name, version }, options);
    this.#offer = offer;
    this.#onFault = onFault;
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(this.#withFixedText(message), options);
    await super.connect(transport);
    const deliver = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if (!isJSONRPCRequest(message)) {
        deliver?.(message, extra);
        return;
      }
      const answer = this.#answerAtOnce(message);
      if (answer === undefined) deliver?.(withoutIgnoredParams(message), extra);
      else send(answer).catch((error: unknown) => this.#onFault('mcp send', errorName(error)));
    };
  }

  #answerAtOnce(request: JSONRPCRequest): JSONRPCMessage | undefined {
    const refusal = checkCall(request, this.#offer);
    if (refusal !== undefined) return toSdkError(refusal);
    // A notification that was sent as a request. There is nothing to do, and nothing wrong with saying so.
    if (request.method === 'notifications/initialized') return { jsonrpc: '2.0', id: request.id, result: {} };
    return undefined;
  }

  #withFixedText(message: JSONRPCMessage): JSONRPCMessage {
    if (!isJSONRPCErrorResponse(message)) return message;
    const { code } = message.error;
    switch (code) {
      case ProtocolErrorCode.MethodNotFound:
      case ProtocolErrorCode.UnsupportedProtocolVersion:
      case ProtocolErrorCode.MissingRequiredClientCapability:
        return message;
      case ProtocolErrorCode.InvalidParams:
        return { ...message, error: { code, message: INVALID_PARAMS_TEXT } };
      default:
        this.#onFault('mcp handler', `JSON-RPC ${code}`);
        return { ...message, error: { code: ProtocolErrorCode.InternalError, message: INTERNAL_ERROR_TEXT } };
    }
  }
}

export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** `tools/list` has one page and `tools/call` no tasks: what a client says about either changes nothing. */
const READ_PARAMS: Readonly<Record<string, readonly string[]>> = {
  'tools/list': ['_meta'],
  'tools/call': ['_meta', 'name', 'arguments', 'inputResponses', 'requestState'],
};

function withoutIgnoredParams(request: JSONRPCRequest): JSONRPCRequest {
  const keys = READ_PARAMS[request.method];
  if (keys === undefined || request.params === undefined) return request;
  const { _meta, ...others } = request.params;
  const kept = Object.entries(others).filter(([key]) => keys.includes(key));
  return {
    ...request,
    params: { ...Object.fromEntries(kept), ...(_meta === undefined ? {} : { _meta }) },
  };
}
