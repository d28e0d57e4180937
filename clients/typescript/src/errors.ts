/** What a status is called; another one is `refused` or, from 500 on, `failed`. */
const CODES: Record<number, string> = {
  400: "bad_request",
  401: "unauthorized",
  402: "over_ceiling",
  403: "foreign_page",
  404: "not_found",
  405: "method_not_allowed",
  408: "too_slow",
  409: "conflict",
  410: "forgotten",
  412: "changed",
  413: "too_large",
  415: "not_json",
  421: "foreign_host",
  422: "invalid",
  429: "too_many_attempts",
  503: "unavailable",
};

export interface Flaw {
  type: string;
  loc: (string | number)[];
  msg: string;
}

/** precis refused a request, could not be reached (`unreachable`), or a task failed (`task_failed`). */
export class PrecisError extends Error {
  override name = "PrecisError";

  constructor(
    message: string,
    readonly code: string,
    /** That of HTTP; absent where no answer came, or a task failed. */
    readonly status?: number,
    /** Names the request in the server's log. */
    readonly requestId?: string,
    /** What was wrong of the request, where the server says so. */
    readonly field?: string,
    readonly flaws: Flaw[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error for an answer; `body` is what it says, if that is JSON. */
export function refusal(response: Response, body: unknown): PrecisError {
  const { detail = response.statusText, field } = (typeof body === "object" && body ? body : {}) as {
    detail?: string | Flaw[];
    field?: string;
  };
  const flaws = Array.isArray(detail) ? detail : [];
  const places = flaws.map((flaw) => flaw.loc.join("."));
  const message = flaws.length ? flaws.map((flaw, i) => `${places[i]}: ${flaw.msg}`).join("; ") : String(detail);
  const code = CODES[response.status] ?? (response.status < 500 ? "refused" : "failed");
  const id = response.headers.get("x-request-id") ?? undefined;
  return new PrecisError(message, code, response.status, id, field ?? places[0], flaws);
}

/** Something else answered in precis's place. */
export function notJson(response: Response, cause: unknown): PrecisError {
  const kind = response.headers.get("content-type") ?? "no content type";
  const message = `the answer of ${response.url} is not JSON (${kind}): is this the address of precis?`;
  return new PrecisError(message, "unreachable", undefined, undefined, undefined, [], { cause });
}
