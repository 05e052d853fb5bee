import { describe, expect, it } from "vitest";
import type { AttemptView } from "../../scheduler/view.ts";
import { bodyAt, masked, phasesOf, requestOf } from "./request.ts";

const call = { method: "GET", url: "https://a.test/", status: 200, durationMs: 60, headers: {} };

describe("the time of a call", () => {
  it("is split into phases, without those that were not reached", () => {
    const timings = { dnsMs: 2, connectMs: 5, tlsMs: 25, firstByteMs: 50 };
    expect(phasesOf({ durationMs: 60, timings })).toEqual([
      { name: "DNS", ms: 2 },
      { name: "Connect", ms: 3 },
      { name: "TLS", ms: 20 },
      { name: "Wait", ms: 25 },
      { name: "Download", ms: 10 },
    ]);
    expect(phasesOf({ durationMs: 60, timings: { firstByteMs: 50 } }).map(({ name }) => name)).toEqual([
      "Wait",
      "Download",
    ]);
    expect(phasesOf({ durationMs: 0 })).toEqual([]);
  });
});

describe("the headers of a request", () => {
  it("hide literal credentials, and keep references and the scheme", () => {
    expect(masked("Authorization", "Bearer ghp_123")).toBe("Bearer •••");
    expect(masked("authorization", "Bearer ${TOKEN}")).toBe("Bearer ${TOKEN}");
    expect(masked("X-API-Key", "abc${PART}def")).toBe("${PART} •••");
    expect(masked("Cookie", "sid=12")).toBe("•••");
    expect(masked("X-Auth-Token", "t")).toBe("•••");
    expect(masked("X-Trace", "abc")).toBeUndefined();
    expect(masked("Accept", "a/b")).toBeUndefined();
  });
});

describe("what belongs to a call", () => {
  const attempt = (http: AttemptView["http"], bytes: number): AttemptView => ({
    ...{ number: 1, status: "succeeded", startedAt: "", http },
    stdout: { bytes },
  });

  it("takes stdout for the body only if there was one call with as many bytes", () => {
    const got = { ...call, receivedBytes: 12 };
    expect(bodyAt(attempt([got], 12), 0)).toBe("stdout");
    expect(bodyAt(attempt([got], 13), 0)).toMatchObject({ unknown: expect.stringContaining("passed it on") });
    expect(bodyAt(attempt([got, got], 12), 1)).toMatchObject({ unknown: expect.stringContaining("several calls") });
    expect(bodyAt({ ...attempt([got], 12), stdout: { bytes: 12, secret: true } }, 0)).not.toBe("stdout");
  });

  it("takes the only request of the command, or the one at its place", () => {
    const request = (method: string) => ({
      ...{ client: "curl", method, url: "a", headers: [], body: [], signsIn: false },
    });
    const read = (...methods: string[]) => ({ requests: methods.map(request), pipelines: [], asks: [] });
    const post = { ...call, method: "POST" };
    expect(requestOf(read("GET"), [call, call, call], 2)?.method).toBe("GET");
    expect(requestOf(read("GET", "POST"), [call, post], 1)?.method).toBe("POST");
    expect(requestOf(read("GET", "POST"), [post, call], 1)).toBeUndefined();
    expect(requestOf(read("GET", "POST"), [call], 0)).toBeUndefined();
  });
});
