// Writes test/page.ts: the program of docs/howto/clients.md, for a server whose address PRECIS_URL has.
import { readFile, writeFile } from "node:fs/promises";

const page = await readFile(new URL("../../docs/howto/clients.md", import.meta.url), "utf-8");
const [, program, printed] = /```typescript[^\n]*\n(.*?)```\n\n```text\n(.*?)```/s.exec(page);
const code = program.replace('"http://127.0.0.1:8766"', 'process.env["PRECIS_URL"]!');
const text = `${code}\nexport const PRINTED = ${JSON.stringify(printed)};\n`;
await writeFile(new URL("test/page.ts", import.meta.url), text);
