// databases: one PostgreSQL server for a test file, and an empty database of Curlew's for each test.

import { afterAll, beforeAll } from "vitest";
import { connect, setUp } from "../../src/store/postgres/index.ts";
import { has } from "../setup/machine.ts";
import { type Postgres, startPostgres } from "../setup/postgres.ts";
import { must } from "./fixture.ts";

export interface Databases {
  server(): Postgres;
  /** The URL of the database, in which every table is empty. One at a time. */
  fresh(): Promise<string>;
}

/** Call it at the top of a test file. Without PostgreSQL it starts nothing. */
export function databases(options: Parameters<typeof startPostgres>[0] = {}): Databases {
  let server: Postgres | undefined;
  let isMade = false;
  if (has("postgres")) {
    beforeAll(async () => {
      server = await startPostgres(options);
    });
    afterAll(() => server?.remove());
  }

  async function fresh(): Promise<string> {
    const url = server!.url();
    const connection = must(connect(url));
    if (!isMade) must(await setUp(connection));
    else must(await connection.query(EMPTY));
    isMade = true;
    await connection.close();
    return url;
  }

  return { server: () => server!, fresh };
}

const EMPTY = `DO $$ DECLARE t text; BEGIN
  FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'curlew' AND tablename NOT IN ('facts', 'audit_head') LOOP
    EXECUTE format('TRUNCATE curlew.%I RESTART IDENTITY', t);
  END LOOP;
  UPDATE curlew.audit_head SET since = 0, count = 0, hash = '', mac = '';
END $$`;
