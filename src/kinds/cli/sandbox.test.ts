// A sandbox shows the CA certificate files that the machine's own settings name, if it would hide them otherwise.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/setup/folders.ts";
import { certificateFiles } from "./sandbox.ts";

test("certificate files under /tmp are shown, but not those that a value of the run names", () => {
  const folder = tempFolder();
  const file = join(folder, "ca.pem");
  writeFileSync(file, "");
  const machine = {
    CURL_CA_BUNDLE: file,
    SSL_CERT_DIR: `${folder}:/etc/ssl/certs:relative`,
    SSL_CERT_FILE: "/no/such",
  };
  const shown = (mode: "strict" | "read-only" | "no-network", env: Record<string, string>) =>
    certificateFiles(mode, env, machine, "/home/x/.curlew");
  expect(shown("strict", machine)).toEqual([file, folder]);
  expect(shown("no-network", machine)).toEqual([]);
  expect(shown("strict", { CURL_CA_BUNDLE: folder, NODE_EXTRA_CA_CERTS: file })).toEqual([]);
  if (folder.startsWith("/tmp/")) expect(shown("read-only", machine)).toEqual([file, folder]);
});
