import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A `precis serve` of its own, over a database that is gone at the end. PRECIS names the command. */
export interface Server {
  url: string;
  key: string;
  stop(): Promise<void>;
}

export async function start(command = process.env["PRECIS"] ?? "precis"): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "precis-client-"));
  chmodSync(folder, 0o755); // the database runs as another user where this is root
  const data = ["--data-dir", join(folder, "data")];
  const key = execFileSync(command, ["keys", "create", "--tenant", "client", ...data], { encoding: "utf-8", stdio: "pipe" });
  const process_ = spawn(command, ["serve", "--port", "0", ...data], { stdio: ["ignore", "inherit", "pipe"] });
  return {
    url: await address(process_),
    key: key.split("\n")[0]!,
    async stop() {
      const ended = new Promise((resolve) => process_.once("exit", resolve));
      process_.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function address(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    server.stderr!.on("data", (part) => {
      text += part;
      const url = /serves at (http:\/\/[^\s,]+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
    server.once("exit", (code) => reject(new Error(`precis serve ended with ${code}: ${text}`)));
  });
}
