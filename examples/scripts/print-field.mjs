#!/usr/bin/env node
// `node print-field.mjs NAME` reads one JSON object from standard input and prints one of its members.
// If the object has no such member, it lists the members and exits with 1.

import { text } from "node:stream/consumers";

const name = process.argv[2];
const object = JSON.parse(await text(process.stdin));
if (!Object.hasOwn(object, name)) {
  console.error(`There is no member "${name}". There are: ${Object.keys(object).join(", ")}.`);
  process.exit(1);
}
console.log(object[name]);
