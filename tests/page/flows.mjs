// Every part and flow of the page in a real browser: wide and narrow, light and dark, with the keyboard alone, with and
// without scripts, under axe's rules, over texts that mean ill, and as a second tenant. Any failure ends it with 1.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { SIZES, check, looks, open, signIn, tabTo } from "./browser.mjs";
import { LOOKS } from "./oddities.mjs";

const { PAGE_URL, PAGE_KEY, PAGE_OTHER_KEY, PAGE_DEMO_URL, PAGE_SHOTS, CHROMIUM = "/usr/bin/chromium" } = process.env;

async function everyPart(page, size) {
  const id = async (tab) => {
    await page.goto(`/page/person?user=bo&tab=${tab}`);
    return page.locator(".entry h3 a").first().getAttribute("href");
  };
  const [subject, week] = [await id("subjects"), await id("weeks")];
  await page.goto("/page/work");
  const view = await page.locator("main li h3 a").first().getAttribute("href");
  const tabs = ["all", "memories", "subjects", "days", "weeks", "months", "conversations", "archive"];
  const parts = [
    "/page/", ...tabs.map((tab) => `/page/person?user=bo&tab=${tab}`), "/page/person?user=many", subject, week, view,
    `${subject}&statement=0`, "/page/memory?id=h0", "/page/memory?id=h2", "/page/memory?id=h4",
    "/page/search?user=bo&q=%3Cscript%3Ekettle", "/page/forget?user=bo", "/page/receipts", "/page/plan", "/page/work",
    "/page/settings", "/page/person?user=%3Cb%3Enobody", "/page/person?user=bo&session=%3Cb%3Eferry%3C%2Fb%3E",
  ];
  for (const part of parts) {
    await page.goto(part);
    await check(page, `${size.name} ${part}`);
  }
}

async function keyboardAlone(page) {
  await page.goto("/page/");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await tabTo(page, page.locator(".card a", { hasText: "bo" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/page/person**");
  await tabTo(page, page.locator("#q"), 200);
  await page.keyboard.type("kettle");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#answer #context");
  assert.match(page.url(), /page\/person/, "the answer is beside the timeline");
  await check(page, "a person with an answer");
  const before = await page.locator("#context").innerHTML();
  await tabTo(page, page.locator("#budget"), 200);
  await page.keyboard.press("Home");
  await page.waitForFunction((old) => document.querySelector("#context").innerHTML !== old, before);
  assert.equal(await page.locator("output[for=budget]").textContent(), "50");
  const used = await page.locator("#context .quiet").textContent().catch(() => "0 of 50");
  assert.ok(parseInt(used, 10) <= 50, used);
  // What a slow server still answers would take the browser from the next page.
  await page.waitForLoadState("networkidle");
}

async function lights(page) {
  const answer = await page.goto("/page/person?user=bo&tab=subjects");
  assert.equal(answer.status(), 200, await page.locator("main").textContent());
  await page.locator(".entry", { hasText: "kettle" }).locator("h3 a").first().click();
  const statement = page.locator("[data-side=statement]").first();
  const numbers = (await statement.getAttribute("data-lights")).split(" ");
  const lit = () => page.locator(".lit").evaluateAll((all) => all.map((one) => `${one.dataset.side} ${one.dataset.lights}`));
  await statement.locator("a").first().focus();
  for (const number of numbers) assert.ok((await lit()).includes(`memory ${number}`), "focusing lights up");
  await page.locator("h1").hover();
  assert.deepEqual(await lit(), []);
  const memory = page.locator(`[data-side=memory][data-lights="${numbers[0]}"]`);
  await memory.hover();
  assert.ok((await lit()).some((one) => one.startsWith("statement")), "pointing lights up what rests on it");
}

/** Say it, see it, confirm it, keep the receipt, look for it; by the keyboard where there are scripts or none. */
async function forget(page, what, word, axe) {
  await page.goto("/page/forget?user=bo");
  await tabTo(page, page.locator("#what"));
  await page.keyboard.type(what);
  await tabTo(page, page.locator("button", { hasText: "Show what would go" }));
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1:text-is('What would go')");
  assert.ok((await page.locator("main").textContent()).includes(word));
  await check(page, "a preview", { axe });
  const doubtful = page.locator("#doubtful");
  if (await doubtful.count()) { await tabTo(page, doubtful, 300); await page.keyboard.press("Space"); }
  await tabTo(page, page.locator("button", { hasText: "Forget this" }), 300);
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1:text-is('Forgotten')");
  await check(page, "forgotten", { axe });
  await tabTo(page, page.locator("a", { hasText: "Receipt" }).last(), 60);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/page/receipt?**");
  await check(page, "a receipt", { axe });
  await page.goto("/page/receipts");
  await tabTo(page, page.locator("button", { hasText: "Verify the chain" }));
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=status]");
  assert.match(await page.locator("[role=status]").textContent(), /The chain holds/);
  await page.goto("/page/forget");
  await tabTo(page, page.locator("#words"), 60);
  await page.keyboard.type(word);
  await tabTo(page, page.locator("button", { hasText: "Look for them" }));
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1:text-is('What is left')");
  assert.match(await page.locator("[role=status]").textContent(), /Nowhere|goes on/);
  await check(page, "looked", { axe });
}

async function forms(page) {
  await page.goto("/page/person?user=bo&tab=subjects");
  await page.locator(".entry", { hasText: "kettle" }).locator("h3 a").first().click();
  await tabTo(page, page.locator("details summary").first(), 60);
  await page.keyboard.press("Enter");
  await tabTo(page, page.locator("button[value=good]").first());
  await page.keyboard.press("Enter");
  await page.waitForURL("**outcome=marked%20good**").catch(() => page.waitForURL("**outcome=marked+good**"));
  await check(page, "feedback");
  await page.locator("button", { hasText: "Take it back" }).first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**outcome=taken**");
  await page.goto("/page/settings");
  await tabTo(page, page.locator("#key-name"), 60);
  await page.keyboard.type("<b>phone</b>");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".secret");
  await check(page, "a new key");
}

async function withoutScripts(browser, faults) {
  const { context, page } = await open(browser, PAGE_URL, { ...SIZES[1], javaScriptEnabled: false }, faults);
  await page.goto("/");
  await page.fill("#key", PAGE_KEY);
  await page.click("main button");
  await page.waitForURL("**/page/");
  await page.goto("/page/person?user=bo");
  await page.fill("#q", "kettle");
  await page.click("main form[role=search] button");
  await page.waitForURL("**/page/search?**");
  assert.ok((await page.locator(".context").textContent()).length > 10);
  await page.locator("noscript button").or(page.locator("button", { hasText: "Use this budget" })).first().click();
  await page.waitForURL("**budget=**");
  await page.goto("/page/forget?user=bo");
  await page.fill("#what", "everything about Tamsin");
  await page.click("main form button");
  await page.waitForSelector("text=What would go");
  await page.click("button:has-text('Sign out')");
  await page.waitForURL("**/page/sign-in");
  await context.close();
}

async function secondTenant(browser, faults) {
  const { context, page } = await open(browser, PAGE_URL, SIZES[0], faults);
  await signIn(page, PAGE_OTHER_KEY);
  assert.deepEqual(await page.locator(".card h2").allTextContents(), ["siv"]);
  for (const part of ["/page/person?user=bo", "/page/memory?id=h0"]) {
    assert.equal((await page.goto(part)).status(), 404);
    await check(page, `second tenant ${part}`);
  }
  await page.goto("/page/search?user=bo&q=kettle");
  assert.match(await page.locator("#answer").textContent(), /Nothing that has to do with it/);
  await context.close();
}

/** Pictures for the docs, of the demo's talk. */
async function pictures(browser, faults) {
  const { context, page } = await open(browser, PAGE_DEMO_URL, { viewport: { width: 1000, height: 620 } }, faults);
  await page.goto("/");
  await page.locator(".card a").first().click();
  await page.fill("#q", "Where does Tomasz live?");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#context");
  await page.evaluate(() => document.activeElement.blur());
  await check(page, "demo: a person");
  await page.screenshot({ path: `${PAGE_SHOTS}/page-person.png` });
  await page.goto(page.url() + "&tab=subjects");
  await page.locator(".entry h3 a").first().click();
  await page.locator("[data-side=statement]").nth(1).hover();
  await page.evaluate(() => scrollTo(0, 190));
  await check(page, "demo: a summary");
  await page.screenshot({ path: `${PAGE_SHOTS}/page-summary.png` });
  await page.goto("/page/forget?user=studio");
  await page.fill("#what", "everything about Kasia");
  await page.locator("button", { hasText: "Show what would go" }).click();
  await page.waitForSelector("h1:text-is('What would go')");
  await page.screenshot({ path: `${PAGE_SHOTS}/page-forget.png` });
  await page.setViewportSize({ width: 390, height: 700 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/page/");
  await page.screenshot({ path: `${PAGE_SHOTS}/page-phone.png` });
  await context.close();
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
const faults = [];
try {
  for (const size of SIZES) {
    const { context, page } = await open(browser, PAGE_URL, size, faults);
    await page.goto("/");
    await check(page, `${size.name} sign in`);
    await signIn(page, PAGE_KEY);
    await everyPart(page, size);
    await keyboardAlone(page);
    await lights(page);
    await forms(page);
    const name = size === SIZES[0] ? "Quill" : "Odile";
    await forget(page, `everything about ${name}`, name, true);
    await context.close();
    console.log(`${size.name}: every part and flow`);
  }
  await withoutScripts(browser, faults);
  await secondTenant(browser, faults);
  for (const look of LOOKS) {
    await look(browser, faults);
    console.log(`${look.name}: looked`);
  }
  if (PAGE_SHOTS) await pictures(browser, faults);
  assert.deepEqual(faults, []);
  console.log(`the page: ${looks.number} looks, no fault`);
} finally {
  await browser.close();
}
