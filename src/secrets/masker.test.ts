import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMasker, MASK, tooShort } from "./masker.ts";

const seed = Number(process.env.CHECK_SEED ?? Date.now() % 2 ** 31);
const given = { seed, numRuns: Number(process.env.RUNS ?? 100) };

function masker(...secrets: string[]) {
  return createMasker(new Map(secrets.map((secret, at) => [`SECRET_${at}`, secret])));
}

/** Pushes `output` cut at the given positions. Each chunk's buffer is overwritten afterwards. */
function streamed(secrets: string[], output: Uint8Array, cuts: readonly number[]): Buffer {
  const stream = masker(...secrets).stream();
  const places = [0, ...cuts.map((cut) => cut % (output.length + 1)).sort((a, b) => a - b), output.length];
  const parts = places.slice(1).map((to, at) => {
    const chunk = Uint8Array.from(output.subarray(places[at], to));
    const given = Buffer.from(stream.push(chunk));
    chunk.fill(0);
    return given;
  });
  return Buffer.concat([...parts, stream.end()]);
}

/** Expects the same result for the whole text, one chunk, and single bytes. */
function check(secrets: string[], output: string, expected: string): void {
  const bytes = Buffer.from(output);
  expect(masker(...secrets).mask(output)).toBe(expected);
  expect(streamed(secrets, bytes, []).toString()).toBe(expected);
  expect(streamed(secrets, bytes, [...bytes.keys()]).toString()).toBe(expected);
}

test("a secret is replaced at every position", () => {
  check(["hunter2-token"], "a hunter2-token b\nhunter2-token", `a ${MASK} b\n${MASK}`);
  check(["hunter2-token"], "hunter2-toke, hunter2-hunter2-token!", `hunter2-toke, hunter2-${MASK}!`);
});

test("secrets that touch, overlap, or contain each other leave one mask and nothing else", () => {
  check(["abcdef"], "xabcdefabcdefy", `x${MASK}y`);
  check(["abcdefgh", "efghijkl"], "x abcdefghijkl y", `x ${MASK} y`);
  check(["abcdef", "abcdefghi"], "abcdef abcdefg abcdefghi", `${MASK} ${MASK}g ${MASK}`);
  check(["cdefgh", "abcdefghij"], "abcdefghij abcdefghi", `${MASK} ab${MASK}i`);
  check(["aaaaaa", "aaaaaaaa"], `b${"a".repeat(5000)}b${"a".repeat(5)}`, `b${MASK}b${"a".repeat(5)}`);
});

test("so do different encodings that touch or contain each other", () => {
  const encoded = Buffer.from("hunter2-token").toString("base64url");
  check(["hunter2-token"], `x ${encoded}hunter2-token y`, `x ${MASK} y`);
  check(["hunter2-token", `$${encoded}$`], `x $${encoded}$ y`, `x ${MASK} y`);
});

test("base64 and hex may have newlines anywhere, but no empty lines", () => {
  for (const encoding of ["base64url", "hex"] as const) {
    const letters = Buffer.from("hunter2-token").toString(encoding);
    for (let at = 1; at < letters.length; at++)
      for (const end of ["\n", "\r\n"])
        check(["hunter2-token"], `<${letters.slice(0, at)}${end}${letters.slice(at)}>`, `<${MASK}>`);
    const apart = `<${letters.slice(0, 9)}\n\n\n${letters.slice(9)}>`;
    check(["hunter2-token"], apart, apart);
  }
});

test("spaces around a secret stay", () => {
  check(["  padded-secret\n"], "got padded-secret\nnext", `got ${MASK}\nnext`);
});

test("each line of a secret is a secret if it is long enough", () => {
  const key = "-----BEGIN KEY-----\nMIIEvQIBADAN\r\nBgkqhkiG9w0B\nab=\n-----END KEY-----\n";
  check([key], "  BgkqhkiG9w0B\n> MIIEvQIBADAN", `  ${MASK}\n> ${MASK}`);
  check([key], `key:\n${key}done ab=`, `key:\n${MASK}\ndone ab=`);
});

/** The secret `it's "a" b/c+d?é&<$x>` as written by various programs. */
const WRITTEN: Record<string, string> = {
  "as it is": `it's "a" b/c+d?é&<$x>`,
  JSON: String.raw`it's \"a\" b/c+d?é&<$x>`,
  "JSON of Python": String.raw`it's \"a\" b/c+d?\u00e9&<$x>`,
  "JSON in JSON": String.raw`it's \\\"a\\\" b/c+d?é&<$x>`,
  "JSON in JSON of Python": String.raw`it's \\\"a\\\" b/c+d?\\u00e9&<$x>`,
  "jq @uri": "it%27s%20%22a%22%20b%2Fc%2Bd%3F%C3%A9%26%3C%24x%3E",
  "the same in lower case": "it%27s%20%22a%22%20b%2fc%2bd%3f%c3%a9%26%3c%24x%3e",
  encodeURIComponent: "it's%20%22a%22%20b%2Fc%2Bd%3F%C3%A9%26%3C%24x%3E",
  encodeURI: "it's%20%22a%22%20b/c+d?%C3%A9&%3C$x%3E",
  "a form": "it%27s+%22a%22+b%2Fc%2Bd%3F%C3%A9%26%3C%24x%3E",
  "quote of Python": "it%27s%20%22a%22%20b/c%2Bd%3F%C3%A9%26%3C%24x%3E",
  "double quotes of a shell": `it's \\"a\\" b/c+d?é&<\\$x>`,
  "shlex of Python": `it'"'"'s "a" b/c+d?é&<$x>`,
  "printf %q": String.raw`it\'s\ \"a\"\ b/c+d\?é\&\<\$x\>`,
  "single quotes of a shell": `it'\\''s "a" b/c+d?é&<$x>`,
  hex: "69742773202261222062 2f632b643fc3a9263c24783e".replace(" ", ""),
  HEX: "69742773202261222062 2F632B643FC3A9263C24783E".replace(" ", ""),
  base64: "aXQncyAiYSIgYi9jK2Q/w6kmPCR4Pg==",
  base64url: "aXQncyAiYSIgYi9jK2Q_w6kmPCR4Pg",
  "base64, one byte before": "eGl0J3MgImEiIGIvYytkP8OpJjwkeD4",
  "base64 in lines": "aXQncyAiYSIgYi9j\r\nK2Q/w6kmPCR4\nPg==",
};

for (const [how, written] of Object.entries(WRITTEN))
  test(`a secret is found as ${how} writes it`, () => {
    const left = masker(WRITTEN["as it is"]!).mask(`[${written}]`);
    // The base64 letters at the ends stay, because they also encode bits of neighbouring bytes.
    expect(left).toMatch(/^\[\w{0,2}\*\*\*\w?=*\]$/);
    check([WRITTEN["as it is"]!], `[${written}]`, left);
  });

test("the password and the tokens in a URL are secrets too; ordinary words in it are not", () => {
  const hook = "https://hooks.example.com/services/T0AB12CD3/B0EF45GH6/a1B2c3D4e5F6g7H8i9J0kLmN";
  check(
    [hook],
    "> POST /services/T0AB12CD3/B0EF45GH6/a1B2c3D4e5F6g7H8i9J0kLmN HTTP/1.1",
    `> POST /services/T0AB12CD3/B0EF45GH6/${MASK} HTTP/1.1`,
  );
  check([hook], "Host: hooks.example.com", "Host: hooks.example.com");
  check(
    ["https://api.example.com/v1/items?key=AIza-9kq2_mZ1xW0"],
    "GET /v1/items?key=AIza-9kq2_mZ1xW0",
    `GET /v1/items?key=${MASK}`,
  );
  check(["https://api.example.com/production/customers"], "/production/customers", "/production/customers");
  check(
    ["postgres://app:s3cr%40t-pass@db.example/customers"],
    "password s3cr@t-pass or s3cr%40t-pass of app in customers",
    `password ${MASK} or ${MASK} of app in customers`,
  );
});

test("a token that became a host name is masked in lowercase; a word is not", () => {
  check(["tok-SECRET-9911"], "cannot resolve tok-secret-9911.example", `cannot resolve ${MASK}.example`);
  check(["Production"], "production", "production");
});

test("a secret that is too short is reported and not masked", () => {
  const secrets = new Map([
    ["PIN", "12345"],
    ["EMPTY", ""],
    ["BLANK", " 12345 \n\n"],
    ["UMLAUTS", "äöü"],
    ["LINES", "ab\ncd\nef"],
  ]);
  expect(tooShort(secrets)).toEqual(["PIN", "EMPTY", "BLANK"]);
  const { isEmpty, mask } = createMasker(secrets);
  expect({ isEmpty, text: mask("12345 äöü ab\ncd\nef ab") }).toEqual({
    isEmpty: false,
    text: `12345 ${MASK} ${MASK} ab`,
  });
});

test("without a secret the output is passed through", () => {
  for (const none of [masker(), masker("short")]) {
    const bytes = Uint8Array.from([0, 255, 128]);
    expect(none.isEmpty).toBe(true);
    expect(none.mask("short \ud800")).toBe("short \ud800");
    expect(none.stream().push(bytes)).toBe(bytes);
    expect(none.stream().end()).toHaveLength(0);
  }
});

test("only the possible start of a secret is held back, and released at the end", () => {
  const stream = masker("hunter2-token").stream();
  const said = (text: string): string => Buffer.from(stream.push(Buffer.from(text))).toString();
  expect(said("password: ")).toBe("password: ");
  expect(said("hunter2")).toBe("");
  expect(said("-token")).toBe(MASK);
  expect(said("!\nhunt")).toBe("!\n");
  expect(Buffer.from(stream.end()).toString()).toBe("hunt");
  expect(said("er2-token")).toBe("er2-token");
});

test("the end of a truncated stream is masked if it is a long enough start of a secret", () => {
  const cutOff = (text: string, cut: boolean): string => {
    const stream = masker("hunter2-token").stream();
    const said = [...Buffer.from(text)].map((byte) => stream.push(Uint8Array.of(byte)));
    return Buffer.concat([...said, stream.end(cut)]).toString();
  };
  for (const [text, expected] of [
    ["is hunter2-toke", `is ${MASK}`],
    ["is hunter", `is ${MASK}`],
    ["is hunte", "is hunte"],
    ["is aHVudGVyMi10b", `is ${MASK}`],
    ["is hunter2-token", `is ${MASK}`],
    ["hunter2-tokenhunter2", MASK],
    ["is it a hunter?\n", "is it a hunter?\n"],
  ] as const)
    expect(cutOff(text, true)).toBe(expected);
  expect(cutOff("is hunter2-toke", false)).toBe("is hunter2-toke");
});

test("half a character in a text stays unchanged", () => {
  expect(masker("hunter2-token").mask("\ud800 é hunter2-token \udc00")).toBe(`\ud800 é ${MASK} \udc00`);
});

test("a long secret is found in its usual encodings, even in several lines", () => {
  const long = Array.from({ length: 1000 }, (_, at) => `line ${at} of 'a' long secret`).join("\n");
  const bytes = Buffer.from(long);
  const lines = bytes.toString("base64").replace(/.{76}/g, "$&\n");
  for (const written of [long, JSON.stringify(long), encodeURIComponent(long), bytes.toString("hex"), lines]) {
    const left = streamed([long], Buffer.from(`<${written}>`), [1, 5_000, 70_000]).toString();
    expect(left.slice(0, 40)).toMatch(/^<"?\*\*\*.{0,4}"?>$/);
  }
});

test("the output that is held back is limited", () => {
  const secret = "abcdef".repeat(10);
  for (const letters of ["a", "\n", "\r\n", "YWJjZGVm", "YWJj\r\n", "Y\n", "6\n1\n", "\0"]) {
    const stream = masker(secret).stream();
    let held = 0;
    let missing = 0;
    for (let round = 0; round < 2_000; round++) {
      missing = stream.push(Buffer.from(letters)).length === 0 ? missing + letters.length : 0;
      held = Math.max(held, missing);
    }
    const masked = Buffer.from(stream.end()).toString();
    expect({ letters, masked: masked.length < 3 * 6 * secret.length }).toEqual({ letters, masked: true });
    if (!/YW|[Y61]/.test(letters)) expect({ letters, held }).toEqual({ letters, held: letters === "a" ? 1 : 0 });
  }
});

// — for any secret, output, and cuts —

const anySecret = fc
  .oneof(
    fc.string({ minLength: 6, maxLength: 60 }),
    fc.string({ unit: "binary", minLength: 6, maxLength: 30 }),
    fc.stringMatching(/^[A-Za-z0-9+/_-]{6,80}$/),
    fc.array(fc.string({ maxLength: 20 }), { minLength: 2, maxLength: 4 }).map((lines) => lines.join("\n")),
  )
  .filter((secret) => Buffer.byteLength(secret.trim()) >= 6 && secret.trim().isWellFormed());
const anyBytes = fc.uint8Array({ maxLength: 40 });
const anyCuts = fc.array(fc.nat(2000), { maxLength: 12 });

const ENCODERS: Record<string, (secret: string) => string> = {
  raw: (secret) => secret,
  json: (secret) => JSON.stringify(secret).slice(1, -1),
  json2: (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  shell: (secret) => secret.replace(/'/g, "'\\''"),
  component: encodeURIComponent,
  lower: (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  uri: encodeURI,
  form: (secret) => new URLSearchParams({ s: secret }).toString().slice(2),
  hex: (secret) => Buffer.from(secret).toString("hex"),
  HEX: (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
};

describe(`any secret (CHECK_SEED=${seed})`, () => {
  for (const [name, encode] of Object.entries(ENCODERS))
    test(`${name}: no part of the secret gets through, and nothing else is lost`, () => {
      fc.assert(
        fc.property(anySecret, anyBytes, anyBytes, anyCuts, (secret, before, after, cuts) => {
          const text = secret.trim();
          // No form of a secret starts or ends with these bytes.
          const [head, tail] = [Buffer.concat([before, Buffer.of(0xfe)]), Buffer.concat([Buffer.of(0xff), after])];
          const output = Buffer.concat([head, Buffer.from(encode(text)), tail]);
          const expected = Buffer.concat([head, Buffer.from(MASK), tail]);
          expect(streamed([secret], output, cuts).toString("latin1")).toBe(expected.toString("latin1"));
        }),
        given,
      );
    });

  for (const encoding of ["base64", "base64url"] as const)
    test(`${encoding}: each letter that has only bits of the secret is masked, and beside them at most one border letter`, () => {
      fc.assert(
        fc.property(anySecret, anyBytes, anyBytes, anyCuts, fc.boolean(), (secret, before, after, cuts, inLines) => {
          const inner = Buffer.from(secret.trim());
          const letters = Buffer.concat([before, inner, after]).toString(encoding);
          const first = Math.ceil((before.length * 8) / 6);
          const last = Math.floor(((before.length + inner.length) * 8) / 6);
          const output = inLines
            ? letters.slice(0, first) + wrap(letters.slice(first, last)) + letters.slice(last)
            : letters;
          // The next letter may be masked too, if it matches a secret that was encoded alone.
          const expected = [last, last + 1].map((end) => letters.slice(0, first) + MASK + letters.slice(end));
          expect(expected).toContain(streamed([secret], Buffer.from(output), cuts).toString());
        }),
        given,
      );
    });

  test("output without a secret stays the same, and is not copied", () => {
    fc.assert(
      fc.property(anySecret, fc.array(fc.integer({ min: 0x80, max: 0xff })), anyCuts, (secret, values, cuts) => {
        const output = Uint8Array.from(values);
        const around = Buffer.from(secret.trim()).subarray(0, 5);
        const near = Buffer.concat([around, output, around]);
        fc.pre(!near.includes(Buffer.from(secret.trim())));
        expect(streamed([`${secret.trim()}\u0007`], near, cuts).equals(near)).toBe(true);
      }),
      given,
    );
  });

  test("many secrets over few letters: everything that one of them covers is masked, and nothing else", () => {
    const letters = fc.string({ unit: fc.constantFrom("g", "h", "i"), minLength: 6, maxLength: 12 });
    const output = fc.string({ unit: fc.constantFrom("g", "h", "i"), maxLength: 300 });
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 8 }), output, anyCuts, (secrets, text, cuts) => {
        const expected = covered(secrets, text);
        expect(masker(...secrets).mask(text)).toBe(expected);
        expect(streamed(secrets, Buffer.from(text), cuts).toString()).toBe(expected);
      }),
      { ...given, numRuns: given.numRuns * 3 },
    );
  });
});

/** Wraps lines like `base64`, but after 20 letters. */
function wrap(letters: string): string {
  return letters.replace(/.{20}(?=.)/g, "$&\n");
}

/** The simple algorithm: searches for every form at every position. */
function covered(secrets: readonly string[], text: string): string {
  const hidden = new Set<number>();
  for (const secret of secrets)
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1))
      for (let next = at; next < at + secret.length; next++) hidden.add(next);
  return [...text].map((letter, at) => (!hidden.has(at) ? letter : hidden.has(at - 1) ? "" : MASK)).join("");
}

describe("what is learned", () => {
  test("is masked from then on, and earlier output stays unchanged", () => {
    const later = createMasker();
    const stream = later.stream();
    expect(later.isEmpty).toBe(true);
    expect(text(stream.push(Buffer.from("hunter2-token, hunter2-")))).toBe("hunter2-token, hunter2-");
    later.learn(["hunter2-token"]);
    expect(later.isEmpty).toBe(false);
    expect(text(stream.push(Buffer.from("token hunter2-token hunt")))).toBe(`token ${MASK} `);
    expect(text(stream.push(Buffer.from("er2-token")))).toBe(MASK);
    expect(text(stream.end())).toBe("");
    expect(later.mask("hunter2-token")).toBe(MASK);
  });

  test("is masked if it began before it was learned, and that part was held back", () => {
    const later = masker("abcdef-long-one");
    const stream = later.stream();
    expect(text(stream.push(Buffer.from("x abcdef")))).toBe("x ");
    later.learn(["cdefgh"]);
    expect(text(stream.push(Buffer.from("gh y")))).toBe(`ab${MASK} y`);
  });

  test("does not reveal a secret that is being masked", () => {
    const later = masker("abcdef", "fghijklm");
    const stream = later.stream();
    expect(text(stream.push(Buffer.from("abcdef")))).toBe(MASK);
    later.learn(["unrelated"]);
    expect(text(stream.push(Buffer.from("g unrelated"))) + text(stream.end())).toBe(`g ${MASK}`);
  });

  test("a secret that is too short or already known changes nothing", () => {
    const later = masker("hunter2-token");
    const before = later.stream();
    later.learn(["abc", " \n", "hunter2-token"]);
    expect(later.mask("abc hunter2-token")).toBe(`abc ${MASK}`);
    expect(text(before.push(Buffer.from("abc ")))).toBe("abc ");
  });

  test("is the same for every way to cut the output", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 6, maxLength: 9 });
    const given3 = fc.tuple(letters, letters, letters, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 }));
    const cuts = fc.array(fc.nat(), { maxLength: 8 });
    fc.assert(
      fc.property(given3, fc.nat(), cuts, cuts, ([first, second, third, filler], at, some, others) => {
        const output = Buffer.from(`${filler}${second}${filler}${third}${first}`);
        const learnAt = at % (output.length + 1);
        const told = [some, others].map((where) => {
          const later = masker(first);
          const stream = later.stream();
          const parts: Uint8Array[] = [];
          const places = [...new Set([0, learnAt, ...where.map((cut) => cut % output.length), output.length])];
          places.sort((one, other) => one - other);
          for (const [index, to] of places.entries()) {
            if (index > 0) parts.push(Uint8Array.from(stream.push(output.subarray(places[index - 1], to))));
            if (to === learnAt) later.learn([second, third]);
          }
          return Buffer.concat([...parts, stream.end()]).toString();
        });
        expect(told[0]).toBe(told[1]);
        expect(told[0]).not.toContain(first);
        // Later output must be the same as from a masker that knew everything from the start.
        if (learnAt === 0) expect(told[0]).toBe(masker(first, second, third).mask(output.toString()));
      }),
      { ...given, numRuns: 5 * given.numRuns },
    );
  });

  test("one after another costs no more than a logarithm", () => {
    const many = Array.from({ length: 400 }, (_, index) => `token-${index}-${"x".repeat(index % 7)}-end`);
    const later = createMasker();
    for (const secret of many) later.learn([secret]);
    const output = many.join(" | ");
    expect(later.mask(output)).toBe(many.map(() => MASK).join(" | "));
    expect(masker(...many).mask(output)).toBe(later.mask(output));
  });
});

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
