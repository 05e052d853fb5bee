// postgres-access: passwords and certificates of a database (spec 6.6). No message has the password.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/store/postgres/index.ts";
import { tempFolder } from "../setup/folders.ts";
import { has } from "../setup/machine.ts";
import { startPostgres } from "../setup/postgres.ts";
import { codeOf, must } from "./fixture.ts";

const there = has("postgres") && has("openssl") ? test : undefined;
const PASSWORD = "correct-horse-9";

async function asks(url: string) {
  const connection = must(connect(url, 500));
  const asked = await connection.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
  await connection.close();
  expect(JSON.stringify(asked)).not.toContain(PASSWORD);
  return asked;
}

function certificate(folder: string, name: string): { cert: string; key: string } {
  const [cert, key] = [path.join(folder, `${name}.pem`), path.join(folder, `${name}.key`)];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`];
  const names = ["-addext", `subjectAltName=DNS:${name}`, "-keyout", key, "-out", cert];
  execFileSync("openssl", [...made, ...names], { stdio: "ignore" });
  return { cert, key };
}

there?.("the password comes from the URL or from PGPASSFILE, and a certificate is checked", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const admin = must(connect(server.url()));
  must(await admin.query(`ALTER ROLE curlew PASSWORD '${PASSWORD}'`));
  await admin.close();
  await server.stop();
  const folder = tempFolder();
  const right = certificate(folder, "localhost");
  const other = certificate(folder, "elsewhere");
  const hba = server.write("hba.conf", "host all all 127.0.0.1/32 scram-sha-256\n");
  const starts = ({ cert, key }: typeof right) => {
    const files = [cert, key].map((file) => server.write(path.basename(file), fs.readFileSync(file, "utf8")));
    return server.start([`hba_file=${hba}`, "ssl=on", `ssl_cert_file=${files[0]}`, `ssl_key_file=${files[1]}`]);
  };
  await starts(right);

  const url = (password: string, query = "") =>
    `postgres://curlew${password}@localhost:${server.port}/postgres${query}`;
  expect(must(await asks(url(`:${PASSWORD}`)))).toEqual([{ ssl: false }]);
  for (const wrong of [url(":wrong-one"), url("")]) {
    const refused = await asks(wrong);
    expect(codeOf(refused)).toBe("store-refused");
    expect(JSON.stringify(refused)).not.toContain("wrong-one");
  }
  const file = path.join(folder, "pgpass");
  fs.writeFileSync(file, `localhost:${server.port}:*:curlew:${PASSWORD}\n`, { mode: 0o600 });
  process.env.PGPASSFILE = file;
  onTestFinished(() => {
    delete process.env.PGPASSFILE;
  });
  expect(codeOf(await asks(url("")))).toBe("ok");

  const checked = `?sslmode=verify-full&sslrootcert=${right.cert}`;
  expect(must(await asks(url("", checked)))).toEqual([{ ssl: true }]);
  for (const ca of ["?sslmode=verify-full", `?sslmode=verify-full&sslrootcert=${other.cert}`])
    expect(await asks(url("", ca))).toMatchObject({
      error: { code: "store-refused", message: expect.stringContaining("TLS") },
    });
  await server.stop();
  await starts(other);
  expect(await asks(url("", `?sslmode=verify-full&sslrootcert=${other.cert}`))).toMatchObject({
    error: { code: "store-refused", message: expect.stringContaining("TLS") },
  });
  await server.stop();
  await server.start([`hba_file=${hba}`]);
  expect(codeOf(await asks(url("", checked)))).toBe("store-refused");
});
