// What the browser's tests share: a browser of its own, what is true of every page, and getting about by the keyboard.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const SIZES = [
  { name: "1280 light", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { name: "390 dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
];
/** How often somebody looked. */
export const looks = { number: 0 };

/** A browser of its own; whatever goes wrong on any of its pages is in `faults`. */
export async function open(browser, base, options, faults) {
  const context = await browser.newContext({ ...options, baseURL: base, reducedMotion: "reduce" });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  page.on("console", (message) => {
    const expected = /status of 4\d\d/.test(message.text());
    if (message.type() === "error" && !expected) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => {
    if (!request.url().startsWith(base)) faults.push(`another host: ${request.url()}`);
  });
  return { context, page };
}

/** The page as it stands: nobody's script ran, nothing sticks out, and axe has nothing to say. */
export async function check(page, where, { axe = true } = {}) {
  looks.number += 1;
  assert.notEqual(await page.title(), "owned", where);
  const [inner, full] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  assert.ok(full <= inner, `${where}: it is ${full} wide in ${inner}`);
  assert.equal(await page.locator("h1").count(), 1, `${where}: one heading`);
  const signedOut = page.url().endsWith("/sign-in") || (await page.locator("h1").textContent()) === "Nothing was done";
  if (!signedOut) assert.equal(await page.locator(".top nav a").count(), 6, `${where}: the way to the other parts`);
  if (!axe) return;
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const words = violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
  assert.deepEqual(words, [], where);
}

/** Tab until the element that has the focus is this one. */
export async function tabTo(page, locator, most = 120) {
  const target = await locator.elementHandle();
  for (let at = 0; at < most; at += 1) {
    if (await page.evaluate((element) => document.activeElement === element, target)) {
      const shown = await page.evaluate(() => {
        const style = getComputedStyle(document.activeElement);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
      });
      assert.ok(shown, "where the focus is can be seen");
      return;
    }
    await page.keyboard.press("Tab");
  }
  assert.fail(`the keyboard does not get to ${locator}`);
}

export async function signIn(page, key) {
  await page.goto("/");
  await tabTo(page, page.locator("#key"));
  await page.keyboard.type(key);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/page/");
}
