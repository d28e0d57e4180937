import createFetch, { type FetchResponse, type HeadersOptions, type MaybeOptionalInit, mergeHeaders } from "openapi-fetch";
import type { PathsWithMethod, RequiredKeysOf } from "openapi-typescript-helpers";
import { notJson, PrecisError, refusal } from "./errors.js";
import { beforeNext, isRepeatable, named, RETRIES, type Retries } from "./retries.js";
import type { paths, TaskBody } from "./schema.js";

export type * from "./schema.js";
export { type Flaw, PrecisError } from "./errors.js";
export type { Retries } from "./retries.js";

type Method = "get" | "post" | "put" | "patch" | "delete";
type Json = "application/json";
/** An export and an import are lines of JSON: a text here. */
const LINES = "application/x-ndjson";
type InitParam<I> = RequiredKeysOf<I> extends never
  ? [(I & { [key: string]: unknown })?]
  : [I & { [key: string]: unknown }];
/** What a request is answered with; `parseAs: "stream"` or the like in its options `I` makes another thing of it. */
export type Answer<P extends keyof paths, M extends Method, I = object> = Extract<
  FetchResponse<paths[P][M] & Record<string, unknown>, I, Json | typeof LINES>,
  { error?: never }
>["data"];
type Ask<M extends Method> = <P extends PathsWithMethod<paths, M>, I extends MaybeOptionalInit<paths[P], M>>(
  path: P,
  ...init: InitParam<I>
) => Promise<Answer<P, M, I>>;
/** The lists that come in pages. */
type Paged = {
  [P in keyof paths]: Answer<P, "get"> extends { next_cursor: string | null } ? P : never;
}[keyof paths];
type Row<A> = { [K in keyof A]: A[K] extends readonly (infer R)[] ? R : never }[keyof A];
type Query<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? NonNullable<Q> : never;

export interface Options {
  /** The server's address; `/t/<key>/` may be a part of it. */
  baseUrl?: string;
  /** Made by `precis keys create`. */
  key?: string;
  /** Seconds until an answer must have come. */
  timeout?: number;
  retries?: Partial<Retries>;
  fetch?: (request: Request) => Promise<Response>;
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Calls precis. Answers and bodies have the types of the API; whatever goes wrong is a PrecisError. */
export class Precis {
  readonly get: Ask<"get"> = (path, ...init) => this.#ask("get", path, init[0]);
  readonly post: Ask<"post"> = (path, ...init) => this.#ask("post", path, init[0]);
  readonly put: Ask<"put"> = (path, ...init) => this.#ask("put", path, init[0]);
  readonly patch: Ask<"patch"> = (path, ...init) => this.#ask("patch", path, init[0]);
  readonly delete: Ask<"delete"> = (path, ...init) => this.#ask("delete", path, init[0]);
  readonly #http: ReturnType<typeof createFetch<paths>>;
  readonly #retries: Retries;
  readonly #timeout: number;

  constructor({ baseUrl = "http://127.0.0.1:8766", key, timeout = 60, retries, fetch }: Options = {}) {
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    this.#http = createFetch<paths>({ baseUrl: baseUrl.replace(/\/+$/, ""), headers, ...(fetch && { fetch }) });
    this.#retries = { ...RETRIES, ...retries };
    this.#timeout = timeout;
  }

  /** Every row of a list, page by page. */
  async *each<P extends Paged>(path: P, query?: Query<P>): AsyncGenerator<Row<Answer<P, "get">>> {
    let cursor: string | null = null;
    do {
      const init = { params: { query: { ...query, ...(cursor !== null && { cursor }) } } };
      const page = (await this.#ask("get", path, init)) as Record<string, unknown>;
      yield* Object.values(page).find(Array.isArray) as Row<Answer<P, "get">>[];
      cursor = page.next_cursor as string | null;
    } while (cursor !== null);
  }

  /** Ask how far a task is, until it has ended well; seconds. */
  async wait(task_id: string, { within = 600, interval = 0.5 } = {}): Promise<TaskBody> {
    for (const end = Date.now() + within * 1000; ; await pause(interval)) {
      const task = await this.get("/v1/tasks/{task_id}", { params: { path: { task_id } } });
      if (task.status === "success") return task;
      if (task.status === "failed") throw new PrecisError(task.error_message ?? "it failed", "task_failed");
      if (Date.now() > end) throw new PrecisError(`task ${task_id} goes on after ${within} seconds`, "task_goes_on");
    }
  }

  async #ask(method: Method, path: string, init: Record<string, unknown> = {}): Promise<never> {
    const repeatable = isRepeatable(method, path);
    const body = named(method, path, init["body"]);
    for (let attempt = 0; ; attempt++) {
      let seconds: number | undefined;
      try {
        const limit = AbortSignal.timeout(this.#timeout * 1000);
        const signal = init["signal"] ? AbortSignal.any([limit, init["signal"] as AbortSignal]) : limit;
        // Which body belongs to which path has been checked where it was asked.
        const request = { parseAs: "text", ...asSent(init, body), signal } as { signal: AbortSignal };
        const { data, error, response } = await this.#http.request(method as "get", path as "/healthz", request);
        if (response.ok) return ("parseAs" in init ? data : parsed(data, response)) as never;
        seconds = beforeNext(this.#retries, repeatable, attempt, response);
        if (seconds === undefined) throw refusal(response, error);
      } catch (error) {
        if (error instanceof PrecisError || (init["signal"] as AbortSignal | undefined)?.aborted) throw error;
        seconds = beforeNext(this.#retries, repeatable, attempt, error);
        if (seconds === undefined) {
          throw new PrecisError(`no answer came: ${error}`, "unreachable", undefined, undefined, undefined, [], {
            cause: error,
          });
        }
      }
      await pause(seconds);
    }
  }
}

/** The options with the body; one that is a text is lines of JSON already. */
function asSent(init: Record<string, unknown>, body: unknown): Record<string, unknown> {
  if (typeof body !== "string") return { ...init, body };
  const headers = mergeHeaders({ "Content-Type": LINES }, init["headers"] as HeadersOptions | undefined);
  return { bodySerializer: String, ...init, body, headers };
}

/** What the text of an answer says: lines stay as they are, anything else is JSON or nothing. */
function parsed(text: unknown, response: Response): unknown {
  if (typeof text !== "string" || response.headers.get("content-type")?.startsWith(LINES)) return text;
  try {
    return text ? JSON.parse(text) : undefined;
  } catch (error) {
    throw notJson(response, error);
  }
}
