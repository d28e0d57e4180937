import { readFileSync } from "node:fs";

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  type?: string;
  enum?: unknown[];
  const?: unknown;
  minItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}
/** One request of the API, with the least that it takes. */
export interface Route {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  init: { params: object; body?: unknown };
  /** The statuses that the API names. */
  statuses: number[];
}

const file = new URL("../../../openapi.json", import.meta.url);
const api = JSON.parse(readFileSync(file, "utf-8")) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Every route; `known` has values by the names of parameters and fields. What deletes comes last. */
export function everyRoute(known: Record<string, unknown>): Route[] {
  const routes = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => route(method as Route["method"], path, operation, known)),
  );
  return routes.sort((a, b) => Number(a.method === "delete") - Number(b.method === "delete"));
}

function route(method: Route["method"], path: string, operation: Operation, known: Record<string, unknown>): Route {
  const params: Record<string, Record<string, unknown>> = {};
  for (const { name, in: place, required, schema } of operation.parameters ?? []) {
    if (required) (params[place] ??= {})[name] = known[name] ?? least(schema, known);
  }
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const init = { params, ...(schema && { body: least(schema, known) }) };
  return { method, path, init, statuses: Object.keys(operation.responses).map(Number) };
}

/** The least that a schema allows. */
function least(schema: Schema, known: Record<string, unknown>): unknown {
  if (schema.$ref) return least(api.components.schemas[schema.$ref.split("/").at(-1)!]!, known);
  if (schema.anyOf) return least(schema.anyOf[0]!, known);
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => least(schema.items!, known));
  if (schema.type !== "object") return { string: "tea", integer: 1, number: 1, boolean: false }[schema.type!];
  const fields = (schema.required ?? []).map((name) => [name, known[name] ?? least(schema.properties![name]!, known)]);
  return Object.fromEntries(fields);
}
