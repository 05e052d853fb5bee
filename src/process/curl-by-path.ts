// curl-by-path: a curl that a command starts past PATH (by its path, in a login shell, with a PATH of its own) gets to the curl in front, too
// (spec 3.6, docs/adr/0046): a thousand bytes of code that are preloaded into the command's programs, from curl-by-path.c.
//   Y1. Only Linux with glibc on x64 and arm64, and only where a trial went well: nothing that a program says may differ.
//   Y2. What starts without a loader is not reached: a curl that is linked statically, or runs with rights of another.
// Deliberately absent: which commands need it (nodes/calls-by-path.ts); sudo and env -i, which take every variable away.

import { spawnSync } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** By architecture: what `node scripts/preloaded.ts` makes of curl-by-path.c, and the number that an ELF file has for it. */
const CODE: Readonly<Record<string, { machine: number; base64: string }>> = {
  x64: {
    machine: 62,
    base64:
      "f0VMRgIBAQAAAAAAAAAAAAMAPgABAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAOAAEAAAAAAAAAAEAAAAFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAeAMAAAAAAAB4AwAAAAAAAAAAAQAAAAAAAQAAAAYAAAB4AwAAAAAAAHgDAQAAAAAAeAMBAAAAAADAAAAAAAAAAMAAAAAAAAAAAAABAAAAAAACAAAABgAAAHgDAAAAAAAAeAMBAAAAAAB4AwEAAAAAAMAAAAAAAAAAwAAAAAAAAAAIAAAAAAAAAFHldGQGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMcCKFAaE0nQOigwHSP/AONF07zHS6w8x0kgBx3QIMdKAPwAPlMKJ0MNVSYnwRTHSSInlQVdBVkGJ/kFVSYnVQVRFMeRTSIHsKBAAAEiJpbjv//9Pi3zlAE2F/3QkSI0FkwEAAIoQhNJ0D0n/x0j/wEE4V/907k2J10n/xE2J+uvSTYXSD4RWAQAAQYA6AA+ETAEAAE6NHOUIAAAAS41EHQBMiwhNhcl0EEmD+R91BEyLeAhIg8AQ6+hNhf8PhB4BAABMidZMif/oM////4XAD4ULAQAATIn7TIn4ihCE0nQMSP/AgPovSA9E2OvuSI01FgEAAEiJ3+gE////hcAPhNwAAABJiwBIiceKEITSdAxI/8CA+i9ID0T46+7o3/7//0GD/gF+MYXAdS1Ji3gITIn+6Mn+//+FwHQGSYPACOsXQYP+AnQRSYt4EOiw/v//hcB0BEmDwBBMKftIgfv6DwAAf3xIjZXD7///SI0FnQAAAEiJ0UCKMEiNegFAhPZ0DECId/9I/8BIifrr6DHAQYo0B0CINAJI/8BAhPZ18EmDwxdJg+PwTCncSI1UJAdIidBIg+L4SMHoA0iJDMUAAAAASf/BS4tEzfhKiQTKTTnMc++4OwAAAEyJ10yJxg8FSIuluO///0iNZdhbQVxBXUFeQV9dwwBDVVJMRVdfQ1VSTF9GUk9OVD0AY3VybABDVVJMRVdfQ1VSTD0AAAAADAAAAAAAAACCAQAAAAAAAPX+/28AAAAAIAEAAAAAAAAFAAAAAAAAAFgBAAAAAAAABgAAAAAAAABAAQAAAAAAAAoAAAAAAAAAAQAAAAAAAAALAAAAAAAAABgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  },
  arm64: {
    machine: 183,
    base64:
      "f0VMRgIBAQAAAAAAAAAAAAMAtwABAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAOAAEAAAAAAAAAAEAAAAFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAoQMAAAAAAAChAwAAAAAAAAAAAQAAAAAAAQAAAAYAAACoAwAAAAAAAKgDAQAAAAAAqAMBAAAAAADgAAAAAAAAAOAAAAAAAAAAAAABAAAAAAACAAAABgAAAKgDAAAAAAAAqAMBAAAAAACoAwEAAAAAAMAAAAAAAAAAwAAAAAAAAAAIAAAAAAAAAFHldGQGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgCA0iNoYjjjAAA1HwACqyABAFQAaGI4HwAAceAXnxrAA1/WBGhiOEIEAJGfAANroP7/VAAAgFL6//8XDASC0v9jLMvtAwAq5gMBqu4DAJHoAwKqCwCA0goAgNICAACQ/XsAqf0DAJEFeWv45QkAtUoIALRAAUA5AAgANGEFAJEs8H3TAQ0BiycAQPmnCQC1RQcAtOEDCqrgAwWq2f//l8AGADXpAwWq4AMFqgEAQDkhCQA1DwAAkOADCarhPQ6R0P//l6AFADTBAED54AMBqiIAQDmCCAA14T0Okcn//5cAAQA1vwUAcc0AAFTABED54QMFqsP//5fgBwA0xiAAkSkBBcs/6T/xjAMAVKFDAJEAAACQ5AMBqgBQDpECAEA5IwQAkWIHADUAAIDSomhgOCJoIDgABACRov//NYxdAJEIIQDRjO18kv9jLMviAwCRRAAA+ecEAJEAeWf4QHgn+P8AC+uJ//9UqBuA0uADCqrhAwaqAQAA1N8BAJG/AwCRDASC0v17QKn/YyyLwANf1qMUQDgABACRfwABa4AAAFTlAwqqBAAAFEDwDZEBAEA5Af//NWsFAJHqAwWqq///F/98APFBAABUJQRA+SFAAJGu//8XAAQAkT+8AHEpEYCas///FyEEAJFfvABxABCBmrj//xe/CQBxQPj/VMAIQPmA//+X4Pf/NMZAAJG9//8XAAQAkeEDA6pi8B84wP//F0NVUkxFV19DVVJMX0ZST05UPQBjdXJsAENVUkxFV19DVVJMPQAAAAAAAAAADAAAAAAAAACYAQAAAAAAAPX+/28AAAAAIAEAAAAAAAAFAAAAAAAAAFgBAAAAAAAABgAAAAAAAABAAQAAAAAAAAoAAAAAAAAAAQAAAAAAAAALAAAAAAAAABgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAqAMBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  },
};

/** The object to preload; undefined where there is none for this machine. */
export function curlByPath(): Buffer | undefined {
  const code = process.platform === "linux" ? CODE[process.arch] : undefined;
  return code === undefined ? undefined : Buffer.from(code.base64, "base64");
}

/** Y1. Whether the object leads from a `curl` to another program, and the loader has nothing to say about it. `front`: a script called curl. */
export function leadsAway(object: string, front: string): boolean {
  const env = { LD_PRELOAD: object, CURLEW_CURL_FRONT: "/bin/echo" };
  const { stdout, stderr } = spawnSync(front, ["led"], { env, encoding: "utf8", timeout: 10_000 });
  return stdout === "led\n" && stderr === "";
}

/** Y2. False where there is no such file, too: nothing is called then. */
export function isOutOfReach(program: string): boolean {
  const head = headOf(program);
  if (head === undefined || head.toString("latin1", 0, 2) === "#!") return false;
  if (head.length < 64 || head.readUInt32BE(0) !== 0x7f454c46) return true;
  if (head[4] !== 2 || head.readUInt16LE(18) !== CODE[process.arch]?.machine) return true;
  const at = Number(head.readBigUInt64LE(32));
  for (let n = 0; n < head.readUInt16LE(56) && at + n * 56 + 4 <= head.length; n++)
    if (head.readUInt32LE(at + n * 56) === INTERPRETER) return false;
  return true;
}

/** The kind of a program header that names the loader. */
const INTERPRETER = 3;
const OTHERS_RIGHTS = 0o6000;

function headOf(program: string): Buffer | undefined {
  try {
    const file = openSync(program, "r");
    try {
      if ((fstatSync(file).mode & OTHERS_RIGHTS) !== 0) return Buffer.alloc(0);
      const head = Buffer.alloc(4_096);
      return head.subarray(0, readSync(file, head));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
