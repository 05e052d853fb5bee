// each-database: the rows of a port's suite: an empty SQLite file, and an empty database in PostgreSQL.

import path from "node:path";
import { afterEach } from "vitest";
import { type Sql, sqlOf } from "../../src/store/ask.ts";
import { openDatabase } from "../../src/store/database.ts";
import { connect } from "../../src/store/postgres/index.ts";
import { tempFolder } from "../setup/folders.ts";
import { has } from "../setup/machine.ts";
import { databases } from "./databases.ts";
import { must } from "./fixture.ts";

/** `again`: the same database, as another process opens it. */
type Open = () => Promise<{ sql: Sql; again: () => Sql; folder: string }>;

/** Call it at the top of a test file. */
export function eachDatabase(): [name: string, open: Open][] {
  const cluster = databases();
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const sqlite: Open = async () => {
    const folder = tempFolder();
    const again = () => {
      const database = must(openDatabase(path.join(folder, "curlew.db")));
      closing.push(database.close);
      return sqlOf(database);
    };
    return { sql: again(), again, folder };
  };
  const postgres: Open = async () => {
    const url = await cluster.fresh();
    const again = () => {
      const connection = must(connect(url));
      closing.push(() => connection.close());
      return connection.sql("port");
    };
    return { sql: again(), again, folder: tempFolder() };
  };
  return [["sqlite", sqlite], ...(has("postgres") ? [["postgres", postgres] as [string, Open]] : [])];
}
