// What people do that no page expects: sessions that end, two tabs, the way back after forgetting, names that look like
// addresses, nothing to show, very long statements, no scripts, no motion, very narrow and very large.

import assert from "node:assert/strict";
import { SIZES, check, open, signIn, tabTo } from "./browser.mjs";

const { PAGE_URL, PAGE_KEY, PAGE_EMPTY_KEY, PAGE_EXPIRED, PAGE_USERS } = process.env;
const WIDE = SIZES[0];
const PLACES = ["/page/", "/page/forget", "/page/receipts", "/page/plan", "/page/work", "/page/settings"];

export const LOOKS = [
  expiredSession, twoTabs, wayBack, oddUsers, nothingAtAll, longStatements, twoConfirmations, everyFormWithoutScripts,
  stillness, narrow, large, mirrored, whatGoesWrong,
];

async function asOwner(browser, faults, options = WIDE) {
  const { context, page } = await open(browser, PAGE_URL, options, faults);
  if (options.javaScriptEnabled === false) {
    await page.goto("/");
    await page.fill("#key", PAGE_KEY);
    await page.click("main button");
    await page.waitForURL("**/page/");
  } else await signIn(page, PAGE_KEY);
  return { context, page };
}

/** Whether the page asks for a key, and says so where somebody can read it. */
async function asksForAKey(page, where) {
  await page.waitForURL("**/page/sign-in");
  assert.equal(await page.locator("h1").textContent(), "Sign in", where);
  await check(page, where);
}

async function expiredSession(browser, faults) {
  const { context, page } = await asOwner(browser, faults);
  const end = async () => {
    const [cookie] = await context.cookies();
    await context.addCookies([{ ...cookie, value: PAGE_EXPIRED }]);
  };
  await page.goto("/page/person?user=bo");
  await end();
  await page.reload();
  await asksForAKey(page, "a page after the session");
  await signIn(page, PAGE_KEY);
  await page.goto("/page/person?user=bo");
  await end();
  await page.fill("#q", "kettle");
  await page.keyboard.press("Enter");
  await asksForAKey(page, "a search beside the timeline after the session");
  await signIn(page, PAGE_KEY);
  await page.goto("/page/search?user=bo&q=kettle");
  await end();
  await page.locator("#budget").focus();
  await page.keyboard.press("Home");
  await asksForAKey(page, "a budget that is dragged after the session");
  await signIn(page, PAGE_KEY);
  await page.goto("/page/forget?user=bo");
  await end();
  await page.fill("#what", "everything about the kettle");
  await page.locator("button", { hasText: "Show what would go" }).click();
  await page.waitForSelector("h1:text-is('Nothing was done')");
  await check(page, "a form after the session");
  await page.locator("main a").click();
  await asksForAKey(page, "after a form that was not sent");
  await context.close();
}

async function twoTabs(browser, faults) {
  const { context, page } = await asOwner(browser, faults);
  await page.goto("/page/settings");
  await page.fill("#zone-user", "bo");
  await page.fill("#zone", "Europe/Riga");
  const other = await context.newPage();
  await other.goto("/page/");
  await other.click("button:has-text('Sign out')");
  await other.waitForURL("**/page/sign-in");
  await signIn(other, PAGE_KEY);
  await page.locator("button", { hasText: "Set the zone" }).click();
  await page.waitForSelector("h1:text-is('Nothing was done')");
  await check(page, "a form of the session before");
  await page.goto("/page/settings");
  assert.ok(!(await page.locator("main").textContent()).includes("Riga"), "nothing was done");
  await page.fill("#zone-user", "bo");
  await page.fill("#zone", "Europe/Riga");
  await page.locator("button", { hasText: "Set the zone" }).click();
  await page.waitForURL("**outcome=zone");
  assert.match(await page.locator("main").textContent(), /bo: Europe\/Riga/);
  await context.close();
}

async function wayBack(browser, faults) {
  const { context, page } = await asOwner(browser, faults);
  const isThere = async () => (await page.locator("body").textContent()).includes("scythe");
  await page.goto("/page/person?user=wil&tab=memories");
  assert.ok(await isThere());
  const href = await page.locator(".entry", { hasText: "scythe" }).locator("h3 a").first().getAttribute("href");
  await page.goto("/page/forget?user=wil");
  await page.fill("#what", "everything about the scythe");
  await page.locator("button", { hasText: "Show what would go" }).click();
  await page.waitForSelector("h1:text-is('What would go')");
  if (await page.locator("#doubtful").count()) await page.check("#doubtful");
  await page.locator("button", { hasText: "Forget this" }).click();
  await page.waitForSelector("h1:text-is('Forgotten')");
  await page.reload();
  assert.equal(await page.locator("h1").textContent(), "Forget", "nothing is sent a second time");
  const ways = [];
  while (!page.url().includes("/page/person?user=wil") && ways.length < 5) {
    await page.goBack();
    ways.push(page.url());
    assert.ok(!(await isThere()), page.url());
    await check(page, `the way back: ${page.url()}`);
  }
  assert.match(page.url(), /person\?user=wil/, `the way back leads to the timeline: ${ways}`);
  assert.equal((await page.goto(href)).status(), 404);
  await check(page, "the memory that is gone");
  await context.close();
}

async function oddUsers(browser, faults) {
  const { context, page } = await asOwner(browser, faults, SIZES[1]);
  for (const user of JSON.parse(PAGE_USERS)) {
    await page.goto("/page/");
    const links = page.locator(".card h2 a");
    const names = await links.allTextContents();
    assert.ok(names.includes(user), `${user} is among the people`);
    await links.nth(names.indexOf(user)).click();
    await page.waitForURL("**/page/person?**");
    assert.equal(await page.locator("h1 bdi").textContent(), user);
    assert.equal(await page.locator("section[aria-labelledby=timeline] .entry").count() >= 4, true, user);
    await check(page, `a person: ${user}`);
    await page.fill("#q", "Where is the loom?");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#answer #context");
    assert.match(await page.locator("#answer").textContent(), /loom/, user);
    await page.goto(page.url() + "&tab=subjects");
    await page.locator("section[aria-labelledby=timeline] .entry h3 a").first().click();
    await page.waitForURL("**/page/summary?**");
    assert.equal(await page.locator("main > p.quiet a bdi").first().textContent(), user);
    await check(page, `a summary of ${user}`);
    await page.locator("main > p.quiet a").first().click();
    await page.locator("a", { hasText: "Forget something" }).click();
    assert.equal(await page.inputValue("#user"), user);
    await page.fill("#what", "everything about the anvil");
    await page.locator("button", { hasText: "Show what would go" }).click();
    await page.waitForSelector("h1:text-is('What would go')");
    await check(page, `a preview of ${user}`, { axe: false });
    assert.match(await page.locator("main").textContent(), /anvil/, user);
    await page.goto(`/page/plan?user=${encodeURIComponent(user)}`);
    assert.equal(await page.inputValue("#user"), user);
  }
  await context.close();
}

async function nothingAtAll(browser, faults) {
  const { context, page } = await open(browser, PAGE_URL, SIZES[1], faults);
  await signIn(page, PAGE_EMPTY_KEY);
  for (const place of PLACES) {
    assert.equal((await page.goto(place)).status(), 200, place);
    await check(page, `nothing at ${place}`);
  }
  await page.goto("/page/receipts");
  await page.locator("button", { hasText: "Verify the chain" }).click();
  await page.waitForSelector("[role=status]");
  await check(page, "no receipt, verified");
  await page.goto("/page/search?user=nobody&q=anything");
  await check(page, "nothing to be found");
  await page.goto("/page/forget?user=nobody");
  await page.fill("#what", "everything about Frank");
  await page.locator("button", { hasText: "Show what would go" }).click();
  await page.waitForSelector("#refused");
  await check(page, "nobody to forget");
  for (const lost of ["/page/nowhere", "/page/forget/confirm", "/page/memory", "/page/summary?id=none", "/page/person", "/page/receipt?id=none"]) {
    assert.equal((await page.goto(lost)).status() >= 400, true, lost);
    await check(page, lost);
  }
  await context.close();
}

async function longStatements(browser, faults) {
  for (const size of [WIDE, { ...SIZES[1], viewport: { width: 320, height: 568 } }]) {
    const { context, page } = await asOwner(browser, faults, size);
    await page.goto("/page/person?user=long");
    await check(page, "a timeline of long memories");
    await page.locator("text=Read all 5,000 characters").first().click();
    await page.waitForURL("**/page/memory?**");
    assert.ok((await page.locator(".said").first().textContent()).length >= 5_000);
    await check(page, "a long memory");
    await page.goto("/page/person?user=long&tab=subjects");
    await page.locator(".entry h3 a").first().click();
    await page.waitForURL("**/page/summary?**");
    const lengths = await page.locator("[data-side=statement] .said").evaluateAll((all) => all.map((each) => each.textContent.length));
    assert.ok(Math.max(...lengths) >= 4_900, `statements of ${lengths}`);
    await check(page, "long statements");
    await page.locator("details summary").first().click();
    await page.locator("button[value=good]").first().click();
    await page.waitForURL("**outcome=marked*good");
    await check(page, "a long statement, marked");
    await page.goto("/page/search?user=long&q=Whose%20map%20of%20valley%207%20is%20it%3F");
    await check(page, "long statements that are found");
    await context.close();
  }
}

/** Two tabs confirm the same: one forgets it, the other says where to see that it is done. */
async function twoConfirmations(browser, faults) {
  const { context, page } = await asOwner(browser, faults);
  const tabs = [page, await context.newPage()];
  for (const tab of tabs) {
    await tab.goto("/page/forget?user=wil");
    await tab.fill("#what", "everything about the anvil");
    await tab.locator("button", { hasText: "Show what would go" }).click();
    await tab.waitForSelector("h1:text-is('What would go')");
    if (await tab.locator("#doubtful").count()) await tab.check("#doubtful");
  }
  for (const tab of tabs) await tab.locator("button", { hasText: "Forget this" }).click();
  await page.waitForSelector("h1:text-is('Forgotten')");
  await tabs[1].waitForSelector("h1:text-is('That did not work')");
  await check(tabs[1], "confirmed in another tab");
  await tabs[1].locator("main a", { hasText: "receipts" }).click();
  await tabs[1].waitForURL("**/page/receipts");
  await context.close();
}

/** Every form there is, one after the other, without a script. */
async function everyFormWithoutScripts(browser, faults) {
  const { context, page } = await asOwner(browser, faults, { ...SIZES[1], javaScriptEnabled: false });
  const press = async (words, until) => {
    await page.locator("main button", { hasText: words }).first().click();
    await page.waitForURL(until);
    await check(page, `without scripts: ${words}`, { axe: false });
  };
  const text = () => page.locator("main").textContent();
  await page.goto("/page/settings");
  await page.fill("#key-name", "tablet");
  await press("Make a key", "**/keys/create");
  assert.equal(await page.locator(".secret").count(), 1);
  await page.locator(".entry", { hasText: "tablet" }).locator("button").click();
  await page.waitForURL("**outcome=key-gone");
  await page.fill("#zone-user", "ria");
  await page.fill("#zone", "Europe/Oslo");
  await press("Set the zone", "**outcome=zone");
  assert.match(await text(), /ria: Europe\/Oslo/);
  await page.fill("#zone", "Mars/Olympus");
  await press("Set the zone", "**/settings/zone");
  assert.match(await text(), /Mars\/Olympus/);
  await page.goto("/page/settings");
  await page.fill("#view-name", "by kind");
  await page.check("#by-memory_type");
  await press("Declare the view", "**outcome=view");
  await page.locator("#views ~ ul a", { hasText: "by kind" }).click();
  await press("Make what is stale current", "**/page/view?**");
  await page.goto("/page/settings");
  await page.locator(".entry", { hasText: "by kind" }).locator("button").click();
  await page.waitForURL("**outcome=view-gone");
  await page.goto("/page/person?user=ria&tab=subjects");
  await page.locator("section[aria-labelledby=timeline] .entry h3 a").first().click();
  await press("Refresh it", "**outcome=*");
  await page.locator("[data-side=statement] details summary").first().click();
  await press("It is wrong", "**outcome=marked*wrong");
  await press("Take it back", "**outcome=taken*");
  await page.locator("[data-side=statement] p.quiet a").first().click();
  await page.waitForURL("**statement=0**");
  await page.locator("[data-side=memory] h3 a").first().click();
  await page.waitForURL("**/page/memory?**");
  await press("Forget this memory", "**/forget/one");
  await press("Forget it", "**/forget/one");
  assert.match(await text(), /1 memory gone/);
  await page.goto("/page/plan?user=ria");
  if (await page.locator("button", { hasText: "Make it now" }).count()) await press("Make it now", "**/page/plan?**");
  await page.goto("/page/work?state=failed");
  await check(page, "without scripts: jobs", { axe: false });
  await page.goto("/page/forget?user=ria");
  await page.fill("#again", "Ria");
  await press("Forget everything of this user", "**/forget/user");
  assert.match(await text(), /nothing was forgotten/);
  await page.goto("/page/forget?user=ria");
  await page.fill("#again", "ria");
  await press("Forget everything of this user", "**/forget/user");
  assert.match(await text(), /key is destroyed/);
  assert.equal((await page.goto("/page/person?user=ria")).status(), 404);
  await page.goto("/page/forget?user=wil");
  await page.fill("#what", "everything about the loom");
  await press("Show what would go", "**/forget/preview");
  if (await page.locator("#doubtful").count()) await page.check("#doubtful");
  await press("Forget this", "**/forget/confirm");
  await page.locator("main a", { hasText: "Receipt" }).last().click();
  await page.waitForURL("**/page/receipt?**");
  await page.goto("/page/receipts");
  await press("Verify the chain", "**/receipts/verify");
  assert.match(await text(), /The chain holds/);
  await page.goto("/page/forget");
  await page.fill("#words", "loom");
  await press("Look for them", "**/forget/look");
  await context.close();
}

async function stillness(browser, faults) {
  const moving = (page) => page.evaluate(() => [...document.querySelectorAll("*")].filter((element) => {
    const style = getComputedStyle(element);
    return [style.transitionDuration, style.animationDuration].some((all) => all.split(",").some((each) => parseFloat(each) > 0))
      || style.scrollBehavior === "smooth";
  }).length);
  const { context, page } = await asOwner(browser, faults);
  await page.goto("/page/person?user=bo&tab=subjects");
  await page.locator(".entry h3 a").first().click();
  assert.equal(await moving(page), 0, "nothing moves for who wants that");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.ok(await moving(page) > 0, "else something may");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.emulateMedia({ forcedColors: "active" });
  await check(page, "in the colors of the system", { axe: false });
  await context.close();
}

/** The same page in as much room as there is. */
async function everyPlace(page, how) {
  await page.goto("/page/person?user=bo&tab=subjects");
  const summary = await page.locator(".entry", { hasText: "kettle" }).locator("h3 a").first().getAttribute("href");
  const places = [
    ...PLACES, "/page/person?user=bo", "/page/person?user=many", summary, "/page/memory?id=h4",
    `/page/person?user=${"x".repeat(200)}`, "/page/search?user=bo&q=kettle", "/page/receipts",
  ];
  for (const place of places) {
    await page.goto(place);
    await how(page, place);
  }
}

async function narrow(browser, faults) {
  const { context, page } = await asOwner(browser, faults, { viewport: { width: 320, height: 256 }, colorScheme: "light" });
  await everyPlace(page, (at, place) => check(at, `320 pixels ${place}`, { axe: false }));
  await page.goto("/page/forget?user=bo");
  await tabTo(page, page.locator("#what"));
  await page.keyboard.type("everything about the dike");
  await tabTo(page, page.locator("button", { hasText: "Show what would go" }));
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1:text-is('What would go')");
  await check(page, "320 pixels: a preview");
  await context.close();
}

async function large(browser, faults) {
  // What 200 % leaves of a screen of 1,280 pixels; then letters of twice the size alone, on a wide and a narrow screen.
  const half = { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2, colorScheme: "light" };
  for (const [size, factor] of [[half, 1], [WIDE, 2], [SIZES[1], 2]]) {
    const { context, page } = await asOwner(browser, faults, size);
    await everyPlace(page, async (at, place) => {
      await at.evaluate((times) => { document.documentElement.style.fontSize = `${times * 100}%`; }, factor);
      await check(at, `letters times ${factor} in ${size.viewport.width} pixels: ${place}`, { axe: false });
    });
    await context.close();
  }
}

/** As a browser's translation into Arabic or Hebrew turns it. */
async function mirrored(browser, faults) {
  const { context, page } = await asOwner(browser, faults);
  await everyPlace(page, async (at, place) => {
    await at.evaluate(() => { document.documentElement.dir = "rtl"; });
    await check(at, `from right to left ${place}`, { axe: false });
  });
  await page.keyboard.press("Tab");
  assert.ok((await page.locator(".skip").boundingBox()).x >= 0, "the way to the content is in sight");
  await context.close();
}

async function whatGoesWrong(browser) {
  // The console tells of what is provoked here.
  const { context, page } = await asOwner(browser, []);
  await page.goto("/page/person?user=bo");
  await page.evaluate(() => { document.querySelector("#q").removeAttribute("maxlength"); });
  await page.fill("#q", "kettle ".repeat(5_000));
  await page.keyboard.press("Enter");
  // A page of its own tells of it.
  await page.waitForURL(/\/page\/search\?/);
  await page.waitForSelector("main [role=alert]");
  await check(page, "a search that is refused");
  await page.goto("/page/person?user=bo");
  await context.setOffline(true);
  await page.fill("#q", "kettle");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#answer [role=alert]");
  await check(page, "a search without a server", { axe: false });
  await context.close();
}
