// Writes src/schema.ts from ../openapi.json: `make client`.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const source = await readFile(new URL("../openapi.json", import.meta.url));
const document = JSON.parse(source);
const digest = createHash("sha256").update(source).digest("hex");
const banner = `// Written by \`make client\` from openapi.json (sha256 ${digest}): change the server instead.\n\n`;

// Errors look alike everywhere: each is written once.
const shared = (document.components.responses = {});
for (const operation of Object.values(document.paths).flatMap(Object.values)) {
  for (const status of Object.keys(operation.responses).filter((status) => status >= "400")) {
    const name = `Error${status}`;
    shared[name] ??= { ...operation.responses[status], description: `Status ${status}.` };
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}
const types = astToString(await openapiTS(document, { defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true }));
await writeFile(new URL("src/schema.ts", import.meta.url), banner + types);
