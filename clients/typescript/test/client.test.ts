import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type MemoryInput, Precis, PrecisError } from "../src/index.js";
import { everyRoute } from "./routes.js";
import { type Server, start } from "./server.js";

const TEA = [
  "Vera drinks jasmine tea every morning.",
  "Vera keeps her oolong tea in a tin.",
  "Vera buys her tea at the harbor market.",
  "Vera never puts milk into tea.",
];
const memories = (): MemoryInput[] => TEA.map((text) => ({ user_id: "vera", text, type: "preference", key: "tea" }));
const refused = (error: unknown, fields: Partial<PrecisError>) => {
  assert(error instanceof PrecisError);
  for (const [name, value] of Object.entries(fields)) assert.equal(error[name as keyof PrecisError], value);
  return true;
};

describe("against a running server", () => {
  let server: Server;
  let precis: Precis;
  before(async () => {
    server = await start();
    precis = new Precis({ baseUrl: server.url, key: server.key });
  });
  after(() => server.stop());

  it("writes, lists, finds and summarizes", async () => {
    const written = await precis.post("/v1/memories", { body: { memories: memories() } });
    const ids = written.memories.map((memory) => memory.id);
    const rows = [];
    for await (const row of precis.each("/v1/memories", { user_id: "vera", is_summary: false, limit: 3 })) rows.push(row);
    assert.deepEqual(new Set(rows.map((row) => row.text)), new Set(TEA));
    const recalled = await precis.post("/v1/recall", { body: { query: "oolong in a tin", user_id: "vera" } });
    assert(recalled.results.some((result) => result.memory.id === ids[1]));
    const context = await precis.post("/v1/context", { body: { query: "Which tea?", user_id: "vera", token_budget: 200 } });
    assert.match(context.text, /tea/);
    const summary = await precis.get("/v1/summaries/{summary_id}", {
      params: { path: { summary_id: written.summaries[0]! } },
    });
    assert.deepEqual(new Set(summary.statements.flatMap((statement) => statement.source_ids)), new Set(ids));
  });

  it("forgets in words, and proves it", async () => {
    const body = { memories: [{ user_id: "vera", text: "Odile plays the cello." }] };
    const [memory] = (await precis.post("/v1/memories", { body })).memories;
    const shown = await precis.post("/v1/forget", { body: { what: "everything about Odile", user_id: "vera" } });
    assert("preview_id" in shown);
    assert.deepEqual(shown.forget.map((meant) => meant.id), [memory!.id]);
    const receipt = await precis.post("/v1/forget", { body: { preview_id: shown.preview_id } });
    assert("forgotten" in receipt);
    assert.deepEqual(receipt.forgotten, [memory!.id]);
    const begun = await precis.post("/v1/verify-forgotten", { body: { words: ["Odile"], wait: false } });
    assert("task_id" in begun);
    const task = await precis.wait(begun.task_id, { interval: 0.1 });
    assert.equal(task.result?.["found"], false);
  });

  it("keeps a conversation whose name has a slash", async () => {
    const messages = [{ role: "user", content: "Where is the ferry?" }];
    const path = { session_id: "a/b" };
    await precis.post("/v1/conversations/{session_id}/turns", { params: { path }, body: { user_id: "vera", messages } });
    const context = await precis.get("/v1/conversations/{session_id}/context", { params: { path } });
    assert.deepEqual(context.messages.map((message) => message.message["content"]), ["Where is the ferry?"]);
  });

  it("says what was wrong", async () => {
    const missing = precis.get("/v1/memories/{memory_id}", { params: { path: { memory_id: "none" } } });
    await assert.rejects(missing, (error) => refused(error, { status: 404, code: "not_found" }));
    await assert.rejects(missing, (error) => error instanceof PrecisError && Boolean(error.requestId));
    const wrong = precis.get("/v1/memories", { params: { query: { limit: 0 } } });
    await assert.rejects(wrong, (error) => refused(error, { status: 422, code: "invalid", field: "query.limit" }));
    const stranger = new Precis({ baseUrl: server.url, key: "none" }).get("/v1/memories");
    await assert.rejects(stranger, (error) => refused(error, { status: 401, code: "unauthorized" }));
    const nowhere = new Precis({ baseUrl: "http://127.0.0.1:1", retries: { first: 0 } }).get("/healthz");
    await assert.rejects(nowhere, (error) => refused(error, { code: "unreachable", status: undefined as never }));
  });

  it("carries a user out and in, as lines", async () => {
    const path = { user_id: "iris" };
    await precis.post("/v1/memories", { body: { memories: [{ user_id: "iris", text: "Iris keeps bees in Ghent." }] } });
    const lines: string = await precis.get("/v1/users/{user_id}/export", { params: { path } });
    assert.match(lines, /Iris keeps bees/);
    const stream = await precis.get("/v1/users/{user_id}/export", { params: { path }, parseAs: "stream" });
    assert.equal(await new Response(stream).text(), lines);
    await assert.rejects(precis.post("/v1/import", { body: lines }), { status: 409 });
    await precis.delete("/v1/users/{user_id}", { params: { path } });
    await assert.rejects(precis.post("/v1/import", { body: lines }), { status: 410 });
  });

  it("runs the program of the page", async () => {
    const env = { ...process.env, PRECIS_URL: server.url, KEY: server.key };
    const program = fileURLToPath(new URL("./page.js", import.meta.url));
    const printed = execFileSync(process.execPath, [program], { encoding: "utf-8", env });
    const page = await readFile(new URL("../../test/page.ts", import.meta.url), "utf-8");
    assert.equal(printed, JSON.parse(/PRINTED = (.*);/.exec(page)![1]!));
  });

  it("takes the key in the address", async () => {
    const page = await new Precis({ baseUrl: `${server.url}/t/${server.key}/` }).get("/v1/memories");
    assert(page.memories.length > 0);
  });

  it("writes once what it sends twice", async () => {
    let lost = 2;
    const losing = async (request: Request) => {
      const answer = await fetch(request);
      if (lost-- > 0) throw new TypeError("the connection was lost");
      return answer;
    };
    const unlucky = new Precis({ baseUrl: server.url, key: server.key, fetch: losing, retries: { first: 0 } });
    const body = { memories: [{ user_id: "otto", text: "Otto sails on Sundays." }] };
    const [memory] = (await unlucky.post("/v1/memories", { body })).memories;
    assert.equal(memory!.created, false);
    lost = 1;
    const path = { memory_id: memory!.id };
    await assert.rejects(unlucky.delete("/v1/memories/{memory_id}", { params: { path } }), { code: "unreachable" });
    assert.equal(lost, 0);
  });

  it("calls every route of the API, and gets an answer that the API names", async () => {
    const [memory] = (await precis.post("/v1/memories", { body: { memories: memories() } })).memories;
    const [summary] = (await precis.get("/v1/summaries")).summaries;
    const view = await precis.post("/v1/summary-views", { body: { source: "long_term", group_by: ["user_id"] } });
    const ids = { memory_id: memory!.id, summary_id: summary!.id, view_id: view.id, session_id: "a/b", user_id: "vera" };
    const routes = everyRoute({ ...ids, role: "user", what: "oolong", words: ["oolong"], group: { user_id: "vera" } });
    let answered = 0;
    for (const { method, path, init, statuses } of routes) {
      const ask = precis[method] as (path: string, init: object) => Promise<unknown>;
      const status = await ask(path, init).then(() => 200, (error: PrecisError) => error.status ?? error.code);
      assert(status === 200 || statuses.includes(status as number), `${method} ${path}: ${status}`);
      answered += Number(status === 200);
    }
    assert(answered > 0.75 * routes.length, `${answered} of ${routes.length} routes answered well`);
  });
});

describe("when precis is busy", () => {
  it("says that something else answered", async () => {
    const precis = new Precis({ fetch: async () => new Response("<html>", { headers: { "Content-Type": "text/html" } }) });
    await assert.rejects(precis.get("/v1/memories"), { code: "unreachable", message: /text\/html/ });
  });

  const scripted = (...answers: [number, string?][]) => {
    const times: number[] = [];
    const fetch = async () => {
      times.push(Date.now());
      const [status, after] = answers.shift()!;
      return Response.json({ detail: "not now" }, { status, headers: after ? { "Retry-After": after } : {} });
    };
    return { times, precis: new Precis({ fetch, retries: { first: 0 } }) };
  };

  it("asks again when the server says so", async () => {
    const { times, precis } = scripted([503, "1"], [429, "0"], [200]);
    await precis.get("/v1/memories");
    assert.equal(times.length, 3);
    assert(times[1]! - times[0]! >= 990);
  });

  it("gives up where more patience is asked for, and after three times", async () => {
    await assert.rejects(scripted([503, "3600"]).precis.get("/v1/memories"), { status: 503, code: "unavailable" });
    await assert.rejects(scripted([503], [503], [503], [503]).precis.get("/v1/memories"), { status: 503 });
  });

  it("does not repeat what may have been done", async () => {
    const { times, precis } = scripted([503, "0"]);
    const path = { memory_id: "m1" };
    await assert.rejects(precis.delete("/v1/memories/{memory_id}", { params: { path } }), { status: 503 });
    assert.equal(times.length, 1);
  });
});

it("has the types of the API", () => {
  const precis = new Precis();
  const never = async () => {
    // @ts-expect-error there is no such route
    await precis.get("/v1/nothing");
    // @ts-expect-error a query is asked for
    await precis.post("/v1/recall", { body: { user_id: "vera" } });
    // @ts-expect-error there is no such tier
    const tier: "yearly" = (await precis.get("/v1/memories/{memory_id}", { params: { path: { memory_id: "m" } } })).tier;
    return tier;
  };
  assert.equal(typeof never, "function");
});
