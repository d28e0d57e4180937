/** How often a request is sent again, and after how long: as the server says, or twice as long each time. */
export interface Retries {
  times: number;
  /** Seconds. */
  first: number;
  /** Seconds. Where the server asks for more patience, its refusal is thrown instead. */
  longest: number;
}

export const RETRIES: Retries = { times: 3, first: 0.5, longest: 30 };

/** Posts that change nothing. */
const READING = new Set(["/v1/recall", "/v1/context", "/v1/summarize", "/v1/check", "/v1/verify-forgotten"]);
/** Posts whose rows have ids, so that what is sent twice is written once. */
const NAMED: Record<string, string> = {
  "/v1/memories": "memories",
  "/v1/conversations/{session_id}/turns": "messages",
};
const NOT_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** Whether sending it twice does what sending it once does, and answers the same. */
export function isRepeatable(method: string, path: string): boolean {
  return method === "get" || (method === "post" && (READING.has(path) || path in NAMED));
}

/** The body with an id in each row that is written. */
export function named(method: string, path: string, body: unknown): unknown {
  const field = method === "post" ? NAMED[path] : undefined;
  if (field === undefined) return body;
  const rows = (body as Record<string, { id?: string | null }[]>)[field] ?? [];
  return { ...(body as object), [field]: rows.map((row) => ({ ...row, id: row.id ?? crypto.randomUUID() })) };
}

/** Seconds until the same is sent again; undefined where it is not. */
export function beforeNext(retries: Retries, repeatable: boolean, attempt: number, outcome: unknown): number | undefined {
  if (attempt >= retries.times) return undefined;
  if (!(outcome instanceof Response)) {
    const code = ((outcome as Error).cause as { code?: string } | undefined)?.code ?? "";
    return repeatable || NOT_SENT.has(code) ? Math.min(retries.first * 2 ** attempt, retries.longest) : undefined;
  }
  // 429 is answered at the door, before anything is done.
  if (outcome.status !== 429 && !(outcome.status === 503 && repeatable)) return undefined;
  const after = Number(outcome.headers.get("retry-after") ?? Math.min(retries.first * 2 ** attempt, retries.longest));
  return after <= retries.longest ? after : undefined;
}
