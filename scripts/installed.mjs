// installed: exit code 0 if node_modules contains exactly what package-lock.json names, otherwise 1. Runs on any
// Node.js. Packages for other platforms may be absent.
import { readFileSync } from "node:fs";

try {
  const wanted = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  const there = JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8")).packages;
  const missing = Object.entries(wanted).filter(
    ([path, wants]) => path !== "" && !wants.optional && there[path]?.integrity !== wants.integrity,
  );
  process.exit(missing.length === 0 ? 0 : 1);
} catch {
  process.exit(1);
}
