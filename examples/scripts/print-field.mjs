#!/usr/bin/env node
// Reads one JSON object from standard input and prints one of its members: node print-field.mjs NAME
// Exits 1, and says what there is, when the object has no such member.

import { text } from "node:stream/consumers";

const name = process.argv[2];
const object = JSON.parse(await text(process.stdin));
if (!Object.hasOwn(object, name)) {
  console.error(`There is no member "${name}". There are: ${Object.keys(object).join(", ")}.`);
  process.exit(1);
}
console.log(object[name]);
