// The inbox: you decide waiting requests by keys or by thumb, with the exact command in view, and decisions are kept.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { has } from "../setup/machine.ts";
import { accessible, fits, inBrowser, type View } from "./browser.ts";
import { FLOWS } from "./run-flows.ts";
import { approvable, focused, told } from "./waits.ts";

if (has("chromium")) {
  const web = inBrowser(FLOWS);

  test("an empty inbox explains itself in one sentence", async () => {
    const { page, go } = await web.open();
    await go("/inbox");
    await page.getByRole("heading", { name: "No approvals waiting" }).waitFor();
    await accessible(page, "an empty inbox");
  });

  test("a request is approved with Y, and the exact command is in sight with its values marked", async () => {
    const view = await web.open();
    const { page } = view;
    const id = await asked(view);
    await page.getByRole("heading", { name: "Approve “Delete stale”?" }).waitFor();
    await page.getByText("Really delete it?").waitFor();
    expect(await page.getByLabel("The command, with its values").textContent()).toBe(
      "echo deleting o_113 > deleted.txt; cat deleted.txt",
    );
    expect(await page.locator("mark").textContent()).toBe("o_113");
    expect(await page.getByText(/Without an answer: rejected in (29|30):/).count()).toBe(1);
    await accessible(page, "the inbox");
    expect(existsSync(wiped(view))).toBe(false);
    await approvable(page);
    await page.keyboard.press("y");
    expect(await ended(view, id)).toMatchObject({ status: "succeeded" });
    expect(readFileSync(wiped(view), "utf8")).toBe("deleting o_113\n");
    await page.getByRole("heading", { name: "No approvals waiting" }).waitFor();
  });

  test("the command is edited and approved with E; the edit runs, and both texts are kept", async () => {
    const view = await web.open();
    const { page, go } = view;
    const id = await asked(view);
    await page.getByRole("heading", { name: /Approve/ }).waitFor();
    await page.keyboard.press("e");
    const field = page.getByRole("textbox", { name: "The command that runs instead" });
    await focused(field);
    expect(await field.inputValue()).toContain("${1}");
    await field.fill("echo only looking at ${1} > deleted.txt");
    await page.keyboard.press("Control+Enter");
    expect(await ended(view, id)).toMatchObject({ status: "succeeded" });
    expect(readFileSync(wiped(view), "utf8")).toBe("only looking at o_113\n");
    await go(`/runs/${id}?node=wipe`);
    await page.getByText("Edited and approved").waitFor();
    expect(await page.getByLabel("The command", { exact: true }).textContent()).toBe(
      "echo only looking at ${1} > deleted.txt",
    );
    await page.getByText("+echo only looking at ${1} > deleted.txt").waitFor();
    await page.getByText("-echo deleting ${1} > deleted.txt; cat deleted.txt").waitFor();
  });

  test("a request that was approved with an edit is not shown as approved when it is asked again", async () => {
    const view = await web.open();
    const { page } = view;
    await asked(view);
    await page.getByRole("heading", { name: /Approve/ }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "The command that runs instead" }).fill("echo only looking at ${1}");
    await page.keyboard.press("Control+Enter");
    await told(page, "Approved: Delete stale").waitFor();
    const id = await asked(view);
    await page.getByText("edited when it was approved before").waitFor();
    await page.getByText("The same was asked, and approved only with an edit").waitFor();
    await page.getByText("+echo only looking at ${1}").waitFor();
    await view.server.api("POST", `/runs/${id}/cancel`);
  });

  test("a rejection takes a reason, which the run keeps", async () => {
    const view = await web.open();
    const { page, go } = view;
    const id = await asked(view);
    await page.getByRole("heading", { name: /Approve/ }).waitFor();
    await page.keyboard.press("n");
    await focused(page.getByLabel(/^Reason/));
    expect(await page.getByRole("button", { name: "Reject", exact: true }).isDisabled()).toBe(true);
    await page.keyboard.type("wrong order");
    await page.keyboard.press("Enter");
    expect(await ended(view, id)).toMatchObject({ status: "failed" });
    expect(existsSync(wiped(view))).toBe(false);
    await go(`/runs/${id}?node=wipe`);
    await page.getByText("“wrong order”").waitFor();
    await page.getByText(/through web/).waitFor();
  });

  test("one press answers several requests: one that was answered elsewhere does not stop the others, and a rejection is for all", async () => {
    const view = await web.open();
    const { page, server } = view;
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(await asked(view));
    const { items } = (await (await server.api("GET", "/approvals")).json()) as {
      items: { id: string; run: string }[];
    };
    const quicker = items.find(({ run }) => run === ids[1])!;
    await page.getByLabel("Answer 3 more with the same command together").check();
    expect(await page.getByRole("button", { name: "Edit and approve" }).count(), "an edit is of one").toBe(0);
    // Someone else answers one of them between the press and its turn.
    await page.route(
      "**/approvals/*/grant",
      async (route) => {
        await server.api("POST", `/approvals/${quicker.id}/reject`, { reason: "not this one" });
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Approve all 4" }).click();
    await told(page, "Approved: 3 of 4. No longer waiting as shown: 1").waitFor();
    // Between the server's answer and the press nothing could have said so.
    view.provoked(409);
    for (const id of ids)
      expect(await ended(view, id)).toMatchObject({ status: id === ids[1] ? "failed" : "succeeded" });

    const more = [await asked(view), await asked(view)];
    await page.getByLabel("Answer 1 more with the same command together").check();
    await page.getByRole("button", { name: "Reject all 2…" }).click();
    await page.getByLabel(/^Reason/).fill("too early");
    await page.getByRole("button", { name: "Reject all 2", exact: true }).click();
    await told(page, "Rejected: 2 of 2").waitFor();
    for (const id of more) expect(await ended(view, id)).toMatchObject({ status: "failed" });
  });

  test("on a phone a request is read and approved by thumb", async () => {
    const view = await web.open({ size: { width: 390, height: 844 } });
    const { page, go } = view;
    const id = await asked(view);
    const approve = page.getByRole("button", { name: "Approve", exact: true });
    await approve.waitFor();
    await fits(page);
    expect((await approve.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await accessible(page, "the inbox on a phone");
    await go(`/runs/${id}`);
    await page.getByRole("treeitem", { name: /Delete stale/ }).waitFor();
    await approve.click();
    expect(await ended(view, id)).toMatchObject({ status: "succeeded" });
    // The message about it leaves the navigation free.
    const [word, places] = await Promise.all(
      [page.locator("[data-part=toasts] > *").first(), page.getByRole("navigation", { name: "Places" })].map((it) =>
        it.boundingBox(),
      ),
    );
    expect(word!.y + word!.height).toBeLessThanOrEqual(places!.y);
  });

  test("Ctrl+Enter in the run view approves what is shown there", async () => {
    const view = await web.open();
    const { page, go } = view;
    const id = await asked(view);
    await go(`/runs/${id}`);
    await page.getByRole("heading", { name: "Approve “Delete stale”?" }).waitFor();
    // The card on the canvas says the same as the request.
    await page.locator(".react-flow__node", { hasText: "Delete stale" }).getByText("echo deleting o_113").waitFor();
    await approvable(page);
    await page.keyboard.press("Control+Enter");
    expect(await ended(view, id)).toMatchObject({ status: "succeeded" });
  });
}

/** A run that waits, with the inbox open on it. */
async function asked(view: View, file = "gate.flow.yaml"): Promise<string> {
  rmSync(wiped(view), { force: true });
  const answer = await view.server.api("POST", `/workflows/${file}/runs?wait=20`, {});
  const { id, status } = (await answer.json()) as { id: string; status: string };
  expect(status).toBe("waiting");
  await view.go("/inbox");
  return id;
}

function wiped({ server }: View): string {
  return join(server.folder, "deleted.txt");
}

/** Follows the events to the end: an answer takes its own way. */
async function ended({ server }: View, id: string): Promise<{ status: string }> {
  const answer = await server.api("GET", `/runs/${id}/events`, undefined, { accept: "text/event-stream" });
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    const over = /"type":"run\.(succeeded|failed|cancelled|timed-out)"/.exec(text);
    if (over?.[1] === undefined) continue;
    await reader.cancel();
    return { status: over[1] };
  }
  throw new Error(`the events of ${id} ended without an end:\n${text}`);
}
